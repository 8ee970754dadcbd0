import { backoffDelay } from '@/lib/core/backoff';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/units';

/** Fraction of the lifetime after which a certificate is renewed: two thirds, as certificate authorities recommend. */
const RENEWAL_FRACTION = 2 / 3;
/**
 * Delays after failed orders. Let's Encrypt allows five failed validations per host and hour; the fifth order is 85 minutes
 * after the first one.
 */
const orderBackoffMs = { firstDelay: MINUTE_MS, factor: 4, maxDelay: 6 * HOUR_MS };
/** Maximum delay, even if the server asks for a longer one. */
const MAX_RETRY_AFTER_MS = 7 * DAY_MS;

/** When a certificate is renewed. All times are in Unix milliseconds. */
export function renewalTimeOf({ notBefore, notAfter }: { notBefore: number; notAfter: number }): number {
  return notBefore + (notAfter - notBefore) * RENEWAL_FRACTION;
}

/**
 * Delay from a failed order to the next one, in milliseconds.
 * @param failures number of consecutive failures, including the last one
 * @param retryAfterMs delay that the server requested; it can only lengthen the delay
 */
export function orderRetryDelayMs(failures: number, retryAfterMs = 0): number {
  return Math.max(backoffDelay(failures, orderBackoffMs), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
