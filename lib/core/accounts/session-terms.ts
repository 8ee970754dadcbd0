import { daySeconds } from '@/lib/core/units';

/** A sign-in session ends after 7 days. */
export const sessionSeconds = 7 * daySeconds;

/** A sign-in session ends when no page was open for this long; an open page renews its cookie (dashboard-frame.tsx). */
export const sessionIdleSeconds = daySeconds;
