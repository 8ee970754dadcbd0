import { daySeconds } from '@/lib/core/units';

/** A person stays signed in for 7 days, then signs in again. */
export const sessionSeconds = 7 * daySeconds;

/** A session ends when no page was open for this long; an open page renews its cookie (dashboard-frame.tsx). */
export const sessionIdleSeconds = daySeconds;
