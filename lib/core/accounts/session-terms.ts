/** A person stays signed in for 7 days, then signs in again. */
export const sessionSeconds = 7 * 24 * 3_600;

/** A session ends when no page was open for this long; an open page renews its cookie (dashboard-frame.tsx). */
export const sessionIdleSeconds = 24 * 3_600;
