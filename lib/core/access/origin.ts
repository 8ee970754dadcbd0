import { readUrl } from '../read-url';

/** Schemes of web origins (`scheme://host[:port]`). */
const schemes = new Set(['http:', 'https:']);
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Parses a web origin.
 * @returns the canonical origin: in lower case, without a default port; null for any other text
 */
export function parseOrigin(text: string): string | null {
  // A host name has at most 253 characters.
  const url = text.length > 300 ? null : readUrl(text);
  if (!url || !schemes.has(url.protocol) || url.hostname === '' || url.hostname.includes('*')) return null;
  // `href` contains everything beyond the origin: a path, a query or a user name.
  return url.href === `${url.origin}/` && !text.endsWith('/') ? url.origin : null;
}

/** Whether a list of allowed origins contains the origin of a page; `*` allows every origin. */
export function isAllowedOrigin(allowedOrigins: readonly string[], origin: string): boolean {
  if (allowedOrigins.includes('*')) return true;
  const canonicalOrigin = parseOrigin(origin);
  return canonicalOrigin !== null && allowedOrigins.some((entry) => parseOrigin(entry) === canonicalOrigin);
}

/**
 * Whether `origin` is the origin of the dashboard at `baseUrl`. All names of the loopback interface count as one host, so
 * 127.0.0.1 is the dashboard at localhost.
 */
export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const canonicalOrigin = parseOrigin(origin);
  if (canonicalOrigin === null) return false;
  return originWithLoopbackName(new URL(canonicalOrigin)) === originWithLoopbackName(new URL(baseUrl));
}

function originWithLoopbackName(url: URL): string {
  if (!loopbackHosts.has(url.hostname)) return url.origin;
  return `${url.protocol}//localhost:${url.port}`;
}
