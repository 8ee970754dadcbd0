import { issueMessage, type Issue } from '@/lib/core/errors';

/** First word with a dot inside, which is a host name, a URL or the path of a field and must not be capitalized. */
const dottedFirstWord = /^\S+\.\S/;

/** Capitalizes the first letter, unless the text starts with a host name, a URL or a path. */
export const capitalize = (text: string): string =>
  dottedFirstWord.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** An error message of the service, with a capital letter and a period. */
export function asSentence(text: string): string {
  return capitalize(text) + (/[.!?…]$/.test(text) ? '' : '.');
}

/** Whether a path is one of the fields or within one of them: `allowedOrigins[0]` is within `allowedOrigins`. */
const isWithin = (path: string, fields: readonly string[]): boolean =>
  fields.some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`));

/**
 * Error messages of the service for a form field, joined; undefined if there are none.
 * @param field path of the field in the API, or several paths that the form field stands for
 */
export function errorMessageFor(
  field: string | readonly string[],
  issues: readonly Issue[],
): string | undefined {
  const fields = typeof field === 'string' ? [field] : field;
  const messages = issues.flatMap((issue) =>
    typeof issue === 'object' && isWithin(issue.field, fields) ? [capitalize(issue.message)] : [],
  );
  return messages.length === 0 ? undefined : messages.join('. ');
}

/** Messages of issues that belong to none of the fields; undefined if there are none. */
export function otherErrorMessages(fields: readonly string[], issues: readonly Issue[]): string | undefined {
  const otherIssues = issues.filter((issue) => typeof issue === 'string' || !isWithin(issue.field, fields));
  return otherIssues.length === 0
    ? undefined
    : otherIssues.map((issue) => capitalize(issueMessage(issue))).join('. ');
}
