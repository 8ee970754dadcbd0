import { issueMessage, type Issue } from '@/lib/core/errors';

/** A first word with a dot inside: a host name, a URL or the path of a field, whose letters have a meaning. */
const startsWithAddress = /^\S+\.\S/;

/** Text with a capital first letter, unless it starts with an address. */
export const capital = (text: string): string =>
  startsWithAddress.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** An error message of the service, with a capital letter and a period. */
export function asSentence(text: string): string {
  return capital(text) + (/[.!?…]$/.test(text) ? '' : '.');
}

/** Whether a path is one of the fields or inside of one: `allowedOrigins[0]` is inside of `allowedOrigins`. */
const isIn = (path: string, fields: readonly string[]): boolean =>
  fields.some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`));

/** Error message of the service for a form field, which may be several fields of the API; undefined: none. */
export function errorMessageFor(
  field: string | readonly string[],
  issues: readonly Issue[],
): string | undefined {
  const fields = typeof field === 'string' ? [field] : field;
  const messages = issues.flatMap((issue) =>
    typeof issue === 'object' && isIn(issue.field, fields) ? [capital(issue.message)] : [],
  );
  return messages.length === 0 ? undefined : messages.join('. ');
}

/** Issues of no visible field. */
export function otherErrorMessages(fields: readonly string[], issues: readonly Issue[]): string | undefined {
  const otherIssues = issues.filter((issue) => typeof issue === 'string' || !isIn(issue.field, fields));
  return otherIssues.length === 0
    ? undefined
    : otherIssues.map((issue) => capital(issueMessage(issue))).join('. ');
}
