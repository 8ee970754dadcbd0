import { expect, it } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { formatKeyKind } from './key-table';

it.each([
  [[], false, 'Backend'],
  [[], true, 'Backend'],
  [['https://a.example'], false, 'Browser'],
  [['*'], true, 'Browser, full access'],
])(
  'a key with allowed origins %j and full access %s is labelled “%s”',
  (allowedOrigins, fullAccess, kind) => {
    expect(formatKeyKind(englishMessages('keys.keyKind'), { allowedOrigins, fullAccess })).toBe(kind);
  },
);
