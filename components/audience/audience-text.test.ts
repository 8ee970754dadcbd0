import { expect, test } from 'vitest';
import { formatShare, isolatedIndexes } from './audience-text';

test.each([
  [0, '0 %'],
  [0.000_2, '< 0.1 %'],
  [0.000_6, '0.1 %'],
  [0.008, '0.8 %'],
  [0.099, '9.9 %'],
  [0.25, '25 %'],
])('the share %d is formatted as %s', (share, text) => {
  expect(formatShare(share, 'en')).toBe(text);
});

test('a value is isolated if it has a gap or the end of the list on both sides', () => {
  expect(isolatedIndexes([1, null, 2, null, 3, 4, null, undefined, 5])).toEqual([0, 2, 8]);
});
