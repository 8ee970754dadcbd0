import type { Reason } from '@/lib/core/reasons/find-reasons';
import { formatWait } from '@/lib/core/reply-text';

/** Error message of a sign-in that is refused after too many wrong passwords. */
export const lockOutMessage = (seconds: number): string =>
  `Too many attempts to log in. Try again in ${formatWait(seconds)}`;

/** Seconds to wait after a refused sign-in; null if the reason is not a lockout. */
export function waitOfLockOut(
  reason: Reason | null,
): { readonly count: number; readonly unit: 'second' | 'minute' | 'hour' } | null {
  if (reason?.code !== 'too_many_logins') return null;
  const unit = String(reason.params.unit).replace(/s$/, '');
  if (unit !== 'second' && unit !== 'minute' && unit !== 'hour') return null;
  return { count: Number(reason.params.count), unit };
}
