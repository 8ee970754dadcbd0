import { MINUTE_MS } from '@/lib/core/units';

/** How long a stream must have problems, or none, before its owners are notified. */
export const NOTIFY_AFTER_MS = 20_000;

/** Minimum time between two warning mails about one stream. */
export const MIN_MAIL_INTERVAL_MS = 15 * MINUTE_MS;

interface WarnedStream {
  readonly id: string;
  readonly name: string;
}

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Creates the mail about the event `stream.warning`. */
export function createWarningMail(
  stream: WarnedStream & { readonly issues: readonly string[] },
  baseUrl: string,
): MailText {
  return {
    subject: `Problems with the live stream "${stream.name}"`,
    text: `The live stream "${stream.name}" has had problems for ${NOTIFY_AFTER_MS / 1_000} seconds:

${stream.issues.map((issue) => `- ${issue}`).join('\n')}

${streamPageUrl(stream, baseUrl)}

${footer}
`,
  };
}

/** Creates the mail about the event `stream.recovered`. */
export function createRecoveryMail(stream: WarnedStream, baseUrl: string): MailText {
  return {
    subject: `The live stream "${stream.name}" has recovered`,
    text: `The live stream "${stream.name}" has been without problems for ${NOTIFY_AFTER_MS / 1_000} seconds.

${streamPageUrl(stream, baseUrl)}

${footer}
`,
  };
}

const streamPageUrl = ({ id }: WarnedStream, baseUrl: string): string => `${baseUrl}/streams/${id}`;
const footer =
  'You get this mail because you turned on "Email me about problems" in the settings of the team.';
