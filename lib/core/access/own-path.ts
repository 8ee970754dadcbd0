import { readUrl } from '../read-url';

/**
 * The path, query and fragment of a URL of this site; null for a URL of another site. Browsers resolve the result to this
 * site, whatever dots, slashes, backslashes or line breaks the input contains.
 * @param requestedPath an absolute URL, or a path that starts with "/"
 * @param origin the origin of this site
 */
export function ownPath(requestedPath: string, origin: string): string | null {
  const url = /^(\/|https?:)/i.test(requestedPath) ? readUrl(requestedPath, origin) : null;
  if (url?.origin !== new URL(origin).origin) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // "/.//elsewhere" is normalized to a path that starts with two slashes, which browsers read as a host.
  return readUrl(path, origin)?.href === `${url.origin}${path}` ? path : null;
}

/**
 * The path of the page that opens after login: the requested page, or "/" if that is no page of this site, a sign-in page or
 * an API path.
 * @param origin the origin of this site; the default never equals a real origin (RFC 2606), which is enough for paths
 */
export function pathAfterLogIn(nextPath: string | null | undefined, origin = 'http://own.invalid'): string {
  const path = nextPath?.startsWith('/') ? ownPath(nextPath, origin) : null;
  return path === null || /^\/(login|signup|api)([/?#]|$)/.test(path) ? '/' : path;
}
