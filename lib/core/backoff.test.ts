import { expect, test } from 'vitest';
import { backoffDelay } from './backoff';

test.each([
  [{ firstDelay: 5, maxDelay: 30 }, [0, 5, 10, 20, 30, 30]],
  [{ firstDelay: 60, maxDelay: 10_000, factor: 4 }, [0, 60, 240, 960, 3_840, 10_000]],
  [{ firstDelay: 4, factor: 1.5 }, [0, 4, 6, 9, 13.5, 20.25]],
])('the backoff %j has the delays %j', (backoff, delays) => {
  expect(delays.map((_, failures) => backoffDelay(failures, backoff))).toEqual(delays);
});

test('the maximum delay holds for any number of failures', () => {
  expect(backoffDelay(100_000, { firstDelay: 1, maxDelay: 9 })).toBe(9);
});
