import { expect, test } from 'vitest';
import { stageLogoOf } from './logo';

test('a stage shows the logo of the brand', () => {
  expect(stageLogoOf({ name: 'River TV', logoUrl: 'https://example.com/logo.png' })).toBe(
    'https://example.com/logo.png',
  );
});

test('a stage shows no logo for a brand with only a name', () => {
  expect(stageLogoOf({ name: 'River TV', logoUrl: null })).toBeNull();
});

test('a stage without a brand shows the mark of Headwater (undefined)', () => {
  expect(stageLogoOf({ name: null, logoUrl: null })).toBeUndefined();
  expect(stageLogoOf(null)).toBeUndefined();
});
