import type { Reason } from '@/lib/core/reasons/find-reasons';
import { formatWait } from '@/lib/core/reply-text';

/**
 * The error message of a sign-in that is rejected after too many failed attempts.
 * @param seconds time until the next attempt is accepted
 */
export const lockOutMessage = (seconds: number): string =>
  `Too many attempts to log in. Try again in ${formatWait(seconds)}`;

/** The waiting time that a lockout reason names, as a number of seconds, minutes or hours; null for any other reason. */
export function lockOutWaitOf(
  reason: Reason | null,
): { readonly count: number; readonly unit: 'second' | 'minute' | 'hour' } | null {
  if (reason?.code !== 'too_many_logins') return null;
  const unit = String(reason.params.unit).replace(/s$/, '');
  if (unit !== 'second' && unit !== 'minute' && unit !== 'hour') return null;
  return { count: Number(reason.params.count), unit };
}
