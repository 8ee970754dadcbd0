import { backoffDelay } from '@/lib/core/backoff';
import { dayMs, hourMs, minuteMs } from '@/lib/core/units';

/** The share of its lifetime after which a certificate is replaced: two thirds, as certificate authorities recommend. */
const renewalShare = 2 / 3;
/** Let's Encrypt counts five failed validations of a host an hour: the fifth attempt is after 85 minutes. */
const orderBackoffMs = { first: minuteMs, growth: 4, max: 6 * hourMs };
/** A server that asks for a longer pause is asked again after this. */
const maxRetryAfterMs = 7 * dayMs;

/** When the successor of a certificate is ordered. All in Unix milliseconds. */
export function renewalAt({ notBefore, notAfter }: { notBefore: number; notAfter: number }): number {
  return notBefore + (notAfter - notBefore) * renewalShare;
}

/**
 * Milliseconds from a failed order to the next one.
 * @param failures in a row, including this one
 * @param retryAfterMs what the server asked for, if it did; it can only lengthen the delay
 */
export function orderRetryMs(failures: number, retryAfterMs = 0): number {
  return Math.max(backoffDelay(failures, orderBackoffMs), Math.min(retryAfterMs, maxRetryAfterMs));
}
