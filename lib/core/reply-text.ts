import { HOUR_SECONDS, MINUTE_SECONDS } from './units';

/**
 * Names of the response headers that are logged for debugging. Headers that could be secret, such as `set-cookie`, are
 * missing.
 */
const loggedHeaderNames = [
  'content-type', 'content-length', 'content-encoding', 'date', 'server', 'via', 'location', 'retry-after', 'allow',
  'www-authenticate', 'x-request-id', 'request-id', 'x-correlation-id', 'cf-ray', 'x-amzn-requestid', 'x-amzn-errortype',
  'x-vercel-id', 'x-cache',
]; // prettier-ignore
const MAX_HEADER_LENGTH = 200;

/** Selects the response headers for the delivery log. Each value is cut to 200 characters. */
export function loggedResponseHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const loggedHeaders: Record<string, string> = {};
  for (const name of loggedHeaderNames) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    // PostgreSQL stores no NUL, and other control characters are unreadable.
    loggedHeaders[name] = text.slice(0, MAX_HEADER_LENGTH).replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
  }
  return loggedHeaders;
}

/** Formats a waiting time, rounded up: "40 seconds", "12 minutes", "3 hours". */
export function formatWait(seconds: number): string {
  if (seconds <= MINUTE_SECONDS) return formatCount(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds <= 2 * HOUR_SECONDS) return formatCount(Math.ceil(seconds / MINUTE_SECONDS), 'minute');
  return formatCount(Math.ceil(seconds / HOUR_SECONDS), 'hour');
}

const formatCount = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** Quotes and escapes a text as the value of an HTML attribute. */
export function quoteAttribute(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
}
