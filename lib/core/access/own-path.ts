import { readUrl } from '../read-url';

/**
 * The path, query and fragment of a URL of this site; null for any other. Browsers resolve the result to this site,
 * whatever dots, slashes, backslashes or line breaks the input contained.
 * @param requestedPath an absolute URL or a path that starts with "/"
 * @param origin of this site
 */
export function ownPath(requestedPath: string, origin: string): string | null {
  const url = /^(\/|https?:)/i.test(requestedPath) ? readUrl(requestedPath, origin) : null;
  if (url?.origin !== new URL(origin).origin) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // "/.//elsewhere" is normalized to a path that starts with two slashes, which browsers read as a host.
  return readUrl(path, origin)?.href === `${url.origin}${path}` ? path : null;
}

/** The page to open after login; "/" for anything but a page of this site. */
export function pathAfterLogIn(nextPath: string | null | undefined, origin = 'http://own.invalid'): string {
  const path = nextPath?.startsWith('/') ? ownPath(nextPath, origin) : null;
  return path === null || /^\/(login|signup|api)([/?#]|$)/.test(path) ? '/' : path;
}
