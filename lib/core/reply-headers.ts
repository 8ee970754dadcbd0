/** Response headers that help with debugging. Not `set-cookie`, nor anything else that could be a secret. */
const helpful = [
  'content-type', 'content-length', 'content-encoding', 'date', 'server', 'via', 'location', 'retry-after', 'allow',
  'www-authenticate', 'x-request-id', 'request-id', 'x-correlation-id', 'cf-ray', 'x-amzn-requestid', 'x-amzn-errortype',
  'x-vercel-id', 'x-cache',
]; // prettier-ignore
const longest = 200;

/** The response headers to keep in the delivery log, each cut to 200 characters. */
export function replyHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of helpful) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    // PostgreSQL stores no NUL, and other control characters are unreadable.
    kept[name] = text.slice(0, longest).replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
  }
  return kept;
}
