import { DAY_SECONDS } from '@/lib/core/units';

/** Maximum duration of a sign-in session. */
export const SESSION_SECONDS = 7 * DAY_SECONDS;

/**
 * A sign-in session ends if no page of the dashboard was open for this long. An open page renews the cookie
 * (dashboard-frame.tsx).
 */
export const SESSION_IDLE_SECONDS = DAY_SECONDS;
