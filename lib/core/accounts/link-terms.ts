import { hourMs } from '@/lib/core/units';

/** Lifetimes of one-time links, and limits per kind and account. */

/** `password-reset` sets a new password, `email-change` confirms a new address. */
export type LinkPurpose = 'password-reset' | 'email-change';

export const linkTerms: Readonly<
  Record<LinkPurpose, { readonly lifeMs: number; readonly mailsPerHour: number }>
> = {
  'password-reset': { lifeMs: hourMs, mailsPerHour: 3 },
  'email-change': { lifeMs: 24 * hourMs, mailsPerHour: 5 },
};

/** Mails are limited by the links of the last hour. */
export const mailCountMs = hourMs;

export const invitationLifeMs = 7 * 24 * hourMs;
