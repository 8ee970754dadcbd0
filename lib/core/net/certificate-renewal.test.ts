import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/units';
import { orderRetryDelayMs, renewalTimeOf } from './certificate-renewal';

test.each([
  { lifetime: '90 days', notBefore: 0, notAfter: 90 * DAY_MS, renewalTime: 60 * DAY_MS },
  { lifetime: '6 days', notBefore: DAY_MS, notAfter: 7 * DAY_MS, renewalTime: 5 * DAY_MS },
])(
  'a certificate valid for $lifetime is renewed after two thirds of that time',
  ({ renewalTime, ...validity }) => {
    expect(renewalTimeOf(validity)).toBe(renewalTime);
  },
);

test.each([
  [1, undefined, MINUTE_MS],
  [2, undefined, 4 * MINUTE_MS],
  [3, undefined, 16 * MINUTE_MS],
  [4, undefined, 64 * MINUTE_MS],
  [5, undefined, 256 * MINUTE_MS],
  [6, undefined, 6 * HOUR_MS],
  [1_000, undefined, 6 * HOUR_MS],
  [1, 10_000, MINUTE_MS],
  [1, 2 * HOUR_MS, 2 * HOUR_MS],
  [6, 8 * HOUR_MS, 8 * HOUR_MS],
  [1, 400 * DAY_MS, 7 * DAY_MS],
])(
  'after %i failures, and with Retry-After in %s ms, the next order is in %i ms',
  (failures, retryAfterMs, delay) => {
    expect(orderRetryDelayMs(failures, retryAfterMs)).toBe(delay);
  },
);
