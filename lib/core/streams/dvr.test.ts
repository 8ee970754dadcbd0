import { expect, test } from 'vitest';
import { dvrSecondsOf, maxDvrSeconds } from './dvr';

test.each([
  [true, undefined, maxDvrSeconds],
  [true, null, maxDvrSeconds],
  [false, null, 0],
  [true, 0, 0],
  [true, 60, 60],
  [false, 600, 600],
])('record %s, dvrSeconds %s: %d seconds', (record, dvrSeconds, seconds) => {
  expect(dvrSecondsOf({ record, dvrSeconds })).toBe(seconds);
});
