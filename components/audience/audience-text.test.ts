import { expect, test } from 'vitest';
import { formatShare } from './audience-text';

test.each([
  [0, '0 %'],
  [0.000_2, '< 0.1 %'],
  [0.000_6, '0.1 %'],
  [0.008, '0.8 %'],
  [0.099, '9.9 %'],
  [0.25, '25 %'],
])('a share of %d is %s', (share, text) => {
  expect(formatShare(share, 'en')).toBe(text);
});
