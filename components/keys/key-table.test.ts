import { expect, it } from 'vitest';
import { englishWords } from '@/components/testing/words';
import { keyKind } from './key-table';

it.each([
  [[], false, 'Backend'],
  [[], true, 'Backend'],
  [['https://a.example'], false, 'Browser'],
  [['*'], true, 'Browser, full access'],
])('origins %j, full access %s', (allowedOrigins, fullAccess, kind) => {
  expect(keyKind(englishWords('keys.keyKind'), { allowedOrigins, fullAccess })).toBe(kind);
});
