import { expect, test } from 'vitest';
import { orderRetryDelayMs, renewalTimeOf } from './certificate-renewal';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  { lifetime: '90 days', notBefore: 0, notAfter: 90 * DAY, at: 60 * DAY },
  { lifetime: '6 days', notBefore: DAY, notAfter: 7 * DAY, at: 5 * DAY },
])('a certificate of $lifetime is renewed after two thirds', ({ at, ...validity }) => {
  expect(renewalTimeOf(validity)).toBe(at);
});

test.each([
  [1, undefined, MINUTE],
  [2, undefined, 4 * MINUTE],
  [3, undefined, 16 * MINUTE],
  [4, undefined, 64 * MINUTE],
  [5, undefined, 256 * MINUTE],
  [6, undefined, 6 * HOUR],
  [1_000, undefined, 6 * HOUR],
  [1, 10_000, MINUTE],
  [1, 2 * HOUR, 2 * HOUR],
  [6, 8 * HOUR, 8 * HOUR],
  [1, 400 * DAY, 7 * DAY],
])('after %i failures and Retry-After %s the next order is in %i ms', (failures, retryAfterMs, delay) => {
  expect(orderRetryDelayMs(failures, retryAfterMs)).toBe(delay);
});
