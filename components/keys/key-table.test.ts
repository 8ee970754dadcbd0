import { expect, it } from 'vitest';
import { keyKind } from './key-table';

it.each([
  [[], false, 'Backend'],
  [[], true, 'Backend'],
  [['https://a.example'], false, 'Browser'],
  [['*'], true, 'Browser, full access'],
])('origins %j, full access %s', (allowedOrigins, fullAccess, kind) => {
  expect(keyKind({ allowedOrigins, fullAccess })).toBe(kind);
});
