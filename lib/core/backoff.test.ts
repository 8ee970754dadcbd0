import { expect, test } from 'vitest';
import { backoffDelay } from './backoff';

test.each([
  [{ first: 5, max: 30 }, [0, 5, 10, 20, 30, 30]],
  [{ first: 60, max: 10_000, growth: 4 }, [0, 60, 240, 960, 3_840, 10_000]],
  [{ first: 4, growth: 1.5 }, [0, 4, 6, 9, 13.5, 20.25]],
])('the backoff %j has the delays %j', (backoff, delays) => {
  expect(delays.map((_, failures) => backoffDelay(failures, backoff))).toEqual(delays);
});

test('the maximum delay holds for any number of failures', () => {
  expect(backoffDelay(100_000, { first: 1, max: 9 })).toBe(9);
});
