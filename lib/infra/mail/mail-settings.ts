import { z } from 'zod';
import { areSet, camelCased } from '../settings/names';
import type { Values } from '../settings/variable-types';

/** An address, or `Name <address>`, without line breaks. */
const senderFormat = /^(?:[^<>\r\n]{1,100}<\s*)?[^\s<>@]{1,64}@[^\s<>@]{1,189}>?$/;

/** The mail server for links, invitations and confirmations. */
export const mailVariables = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'an smtp:// or smtps:// URL' })
    .optional()
    .describe(
      '`smtp://` or `smtps://` URL of a mail server, with user name and password: password reset links, invitations and confirmations of new addresses are [sent by email](#mail)',
    ),
  MAIL_FROM: z
    .string()
    .regex(senderFormat, { error: 'an email address, or a name and an address in angle brackets' })
    .optional()
    .describe('required with `SMTP_URL`: sender of these mails, for example `Headwater <live@example.com>`'),
};

export type MailSettings = NonNullable<ReturnType<typeof mailSettings>>;

/** Undefined if mail is off. */
export const mailSettings = (values: Values<typeof mailVariables>) =>
  areSet(values, ['SMTP_URL', 'MAIL_FROM']) ? camelCased(values, ['SMTP_URL', 'MAIL_FROM']) : undefined;
