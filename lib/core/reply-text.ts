/** Response headers that help with debugging, without `set-cookie` and others that could be secret. */
const loggedHeaderNames = [
  'content-type', 'content-length', 'content-encoding', 'date', 'server', 'via', 'location', 'retry-after', 'allow',
  'www-authenticate', 'x-request-id', 'request-id', 'x-correlation-id', 'cf-ray', 'x-amzn-requestid', 'x-amzn-errortype',
  'x-vercel-id', 'x-cache',
]; // prettier-ignore
const maxLength = 200;

/** The response headers for the delivery log, each cut to 200 characters. */
export function replyHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const listedHeaders: Record<string, string> = {};
  for (const name of loggedHeaderNames) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    // PostgreSQL stores no NUL, and other control characters are unreadable.
    listedHeaders[name] = text.slice(0, maxLength).replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
  }
  return listedHeaders;
}

const minute = 60;
const hour = 3_600;

/** Formats a waiting time, rounded up: "40 seconds", "12 minutes", "3 hours". */
export function formatWait(seconds: number): string {
  if (seconds <= minute) return count(Math.max(1, Math.ceil(seconds)), 'second');
  if (seconds <= 2 * hour) return count(Math.ceil(seconds / minute), 'minute');
  return count(Math.ceil(seconds / hour), 'hour');
}

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** Quotes and escapes a text as the value of an HTML attribute. */
export function quotedAttribute(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
}
