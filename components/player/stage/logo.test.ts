import { expect, test } from 'vitest';
import { stageLogoOf } from './logo';

test('a stage shows the logo of the owner, no mark for an owner with only a name, and ours otherwise', () => {
  expect(stageLogoOf({ name: 'River TV', logoUrl: 'https://example.com/logo.png' })).toBe(
    'https://example.com/logo.png',
  );
  expect(stageLogoOf({ name: 'River TV', logoUrl: null })).toBeNull();
  expect(stageLogoOf({ name: null, logoUrl: null })).toBeUndefined();
  expect(stageLogoOf(null)).toBeUndefined();
});
