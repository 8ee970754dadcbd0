import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownPath, pathAfterLogIn } from './own-path';

const origin = 'https://live.example';

test.each([
  ['/streams', '/streams'],
  ['/streams?status=active&q=a%20b#x', '/streams?status=active&q=a%20b#x'],
  ['/', '/'],
  ['/a//b', '/a//b'],
  ['/logins', '/logins'],
  ['/x/../streams', '/streams'],
  [null, '/'],
  [undefined, '/'],
  ['', '/'],
  ['streams', '/'],
  ['https://evil.test', '/'],
  ['//evil.test', '/'],
  ['///evil.test', '/'],
  ['/.//evil.test/', '/'],
  ['/..//evil.test/', '/'],
  ['/x/..//evil.test/', '/'],
  ['/%2e//evil.test', '/'],
  ['/%2E%2e//evil.test', '/'],
  ['/./\\evil.test', '/'],
  ['/\\evil.test', '/'],
  ['/\t/evil.test', '/'],
  ['/.\n//evil.test', '/'],
  ['/\r\n/evil.test', '/'],
  ['/http://[', '/http://['],
  ['/login?next=/login', '/'],
  ['/signup', '/'],
  ['/api/stream', '/'],
])('pathAfterLogIn(%j) returns %j', (nextPath, path) => expect(pathAfterLogIn(nextPath)).toBe(path));

test.each([
  ['https://live.example/login?a=b', '/login?a=b'],
  ['HTTPS://LIVE.example:443/x', '/x'],
  ['https://live.example//evil.test', null],
  ['https://live.example.evil.test/', null],
  ['https://user@evil.test/', null],
  ['http://live.example/', null],
  ['javascript:alert(1)', null],
  ['https:evil.test', '/evil.test'],
])('ownPath(%j) returns %j', (nextPath, path) => expect(ownPath(nextPath, origin)).toBe(path));

const urlFragment = fc.constantFrom(
  '/', '\\', '.', '..', '%2e', '%2E', '%2f', '%5c', '@', ':', '?', '#', '\t', '\n', '\r', ' ', '\0', '//',
  'evil.test', 'https:', 'http:', 'javascript:', 'x', 'live.example', '[::1]', '\u3002', '\uff0f',
); // prettier-ignore
const anyValue = fc.oneof(
  fc.array(urlFragment, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`),
  fc.array(urlFragment, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
);

test('browsers resolve every result to this site', () => {
  fc.assert(
    fc.property(anyValue, (nextPath) => {
      for (const path of [pathAfterLogIn(nextPath, origin), ownPath(nextPath, origin) ?? '/']) {
        expect(path.startsWith('/') && !/^\/[/\\]/.test(path)).toBe(true);
        expect(new URL(path, `${origin}/login?next=x`).origin).toBe(origin);
        // Browsers resolve the path to exactly this URL.
        expect(new URL(path, origin).href).toBe(`${origin}${path}`);
      }
    }),
    { numRuns: 5_000 },
  );
});
