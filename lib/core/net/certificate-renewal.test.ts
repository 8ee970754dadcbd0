import { expect, test } from 'vitest';
import { orderRetryMs, renewalAt } from './certificate-renewal';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  { lifetime: '90 days', notBefore: 0, notAfter: 90 * day, at: 60 * day },
  { lifetime: '6 days', notBefore: day, notAfter: 7 * day, at: 5 * day },
])('a certificate of $lifetime is renewed after two thirds', ({ at, ...validity }) => {
  expect(renewalAt(validity)).toBe(at);
});

test.each([
  [1, undefined, minute],
  [2, undefined, 4 * minute],
  [3, undefined, 16 * minute],
  [4, undefined, 64 * minute],
  [5, undefined, 256 * minute],
  [6, undefined, 6 * hour],
  [1_000, undefined, 6 * hour],
  [1, 10_000, minute],
  [1, 2 * hour, 2 * hour],
  [6, 8 * hour, 8 * hour],
  [1, 400 * day, 7 * day],
])('after %i failures and Retry-After %s the next order is in %i ms', (failures, retryAfterMs, delay) => {
  expect(orderRetryMs(failures, retryAfterMs)).toBe(delay);
});
