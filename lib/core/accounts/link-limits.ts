import { HOUR_MS } from '@/lib/core/units';

/** Lifetimes of one-time links, and limits of the mails per purpose and account. */

/**
 * Purposes of the one-time links in mails. `password-reset`: sets a new password. `email-change`: confirms a new
 * address.
 */
export type LinkPurpose = 'password-reset' | 'email-change';

export const linkLimits: Readonly<
  Record<LinkPurpose, { readonly lifetimeMs: number; readonly mailsPerHour: number }>
> = {
  'password-reset': { lifetimeMs: HOUR_MS, mailsPerHour: 3 },
  'email-change': { lifetimeMs: 24 * HOUR_MS, mailsPerHour: 5 },
};

/** Time in which the links of an account are counted for `mailsPerHour`. */
export const MAIL_COUNT_WINDOW_MS = HOUR_MS;

export const INVITATION_LIFETIME_MS = 7 * 24 * HOUR_MS;
