import { minuteMs } from '@/lib/core/units';

/** How long a stream must have problems, or none, before its owners are notified. */
export const steadyMs = 20_000;

/** Minimum time between two warning mails about one stream. */
export const mailPauseMs = 15 * minuteMs;

interface WarnedStream {
  readonly id: string;
  readonly name: string;
}

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** The mail for `stream.warning`. */
export function warningMail(
  stream: WarnedStream & { readonly issues: readonly string[] },
  baseUrl: string,
): MailText {
  return {
    subject: `Problems with the live stream "${stream.name}"`,
    text: `The live stream "${stream.name}" has had problems for ${steadyMs / 1_000} seconds:

${stream.issues.map((issue) => `- ${issue}`).join('\n')}

${pageOf(stream, baseUrl)}

${footer}
`,
  };
}

/** The mail for `stream.recovered`. */
export function recoveryMail(stream: WarnedStream, baseUrl: string): MailText {
  return {
    subject: `The live stream "${stream.name}" has recovered`,
    text: `The live stream "${stream.name}" has been without problems for ${steadyMs / 1_000} seconds.

${pageOf(stream, baseUrl)}

${footer}
`,
  };
}

const pageOf = ({ id }: WarnedStream, baseUrl: string): string => `${baseUrl}/streams/${id}`;
const footer =
  'You get this mail because you turned on "Email me about problems" in the settings of the team.';
