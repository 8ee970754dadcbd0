import { readUrl } from '../read-url';

/** Web origins: `scheme://host[:port]`, compared as parsed scheme + host + port. */

const schemes = new Set(['http:', 'https:']);
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The canonical origin (lower case, default port omitted); null for anything else. */
export function parseOrigin(text: string): string | null {
  const url = text.length > 300 ? null : readUrl(text);
  if (!url || !schemes.has(url.protocol) || url.hostname === '' || url.hostname.includes('*')) return null;
  // Anything beyond the origin (path, query, user) would survive in href.
  return url.href === `${url.origin}/` && !text.endsWith('/') ? url.origin : null;
}

/** Whether a key with this list may be used from a page of `origin`; `*` allows any. */
export function originAllowed(allowedOrigins: readonly string[], origin: string): boolean {
  if (allowedOrigins.includes('*')) return true;
  const originUrl = parseOrigin(origin);
  return originUrl !== null && allowedOrigins.some((entry) => parseOrigin(entry) === originUrl);
}

/**
 * Whether `origin` is the dashboard at `baseUrl`. Loopback names are one host: 127.0.0.1 is the same server as a
 * configured localhost.
 */
export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const originUrl = parseOrigin(origin);
  if (originUrl === null) return false;
  return foldLoopback(new URL(originUrl)) === foldLoopback(new URL(baseUrl));
}

function foldLoopback(url: URL): string {
  if (!loopbackHosts.has(url.hostname)) return url.origin;
  return `${url.protocol}//localhost:${url.port}`;
}
