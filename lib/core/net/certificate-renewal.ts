import { backoffDelay } from '@/lib/core/backoff';
import { dayMs, hourMs, minuteMs } from '@/lib/core/units';

/** Share of the lifetime after which a certificate is renewed: two thirds, as certificate authorities recommend. */
const renewalShare = 2 / 3;
/** Let's Encrypt allows five failed validations per host and hour: the fifth attempt is after 85 minutes. */
const orderBackoffMs = { first: minuteMs, growth: 4, max: 6 * hourMs };
/** Maximum pause, even if the server asks for a longer one. */
const maxRetryAfterMs = 7 * dayMs;

/** When the next certificate is ordered. All times in Unix milliseconds. */
export function renewalAt({ notBefore, notAfter }: { notBefore: number; notAfter: number }): number {
  return notBefore + (notAfter - notBefore) * renewalShare;
}

/**
 * Milliseconds from a failed order to the next one.
 * @param failures consecutive, including this one
 * @param retryAfterMs requested by the server; can only lengthen the delay
 */
export function orderRetryMs(failures: number, retryAfterMs = 0): number {
  return Math.max(backoffDelay(failures, orderBackoffMs), Math.min(retryAfterMs, maxRetryAfterMs));
}
