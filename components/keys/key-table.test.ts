import { expect, it } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { keyKind } from './key-table';

it.each([
  [[], false, 'Backend'],
  [[], true, 'Backend'],
  [['https://a.example'], false, 'Browser'],
  [['*'], true, 'Browser, full access'],
])('the kind of a key with origins %j and full access %s', (allowedOrigins, fullAccess, kind) => {
  expect(keyKind(englishMessages('keys.keyKind'), { allowedOrigins, fullAccess })).toBe(kind);
});
