import { expect, it } from 'vitest';
import { nextPath } from './next-path';

it.each([
  ['/streams', '/streams'],
  ['/streams?status=active&q=a%20b#x', '/streams?status=active&q=a%20b#x'],
  ['/', '/'],
  [null, '/'],
  [undefined, '/'],
  ['', '/'],
  ['streams', '/'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/login?next=/login', '/'],
  ['/api/stream', '/'],
])('%j leads to %j', (wanted, path) => expect(nextPath(wanted)).toBe(path));
