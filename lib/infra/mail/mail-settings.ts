import { z } from 'zod';

export interface MailSettings {
  /** SMTP URL, with user name and password if the server requires them. */
  readonly smtpUrl: string;
  /** `ada@example.com` or `Headwater <ada@example.com>`. */
  readonly from: string;
}

const address = /^(?:[^<>\r\n]{1,100}<\s*)?[^\s<>@]{1,64}@[^\s<>@]{1,189}>?$/;

/** Environment variables for mail. SMTP_URL enables it. */
export const mailEnvironment = {
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(address, { error: 'an email address, or a name and an address in angle brackets' })
    .optional(),
};

type MailEnvironment = z.output<z.ZodObject<typeof mailEnvironment>>;

/** Mail settings; undefined if mail is disabled. @returns a text with the missing setting if they are incomplete */
export function mailSettingsOf({ SMTP_URL, MAIL_FROM }: MailEnvironment): MailSettings | string | undefined {
  if (SMTP_URL === undefined) return undefined;
  if (MAIL_FROM === undefined) return 'MAIL_FROM: expected because SMTP_URL is set';
  return { smtpUrl: SMTP_URL, from: MAIL_FROM };
}
