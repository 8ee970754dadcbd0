import { Readable } from 'node:stream';
import { readUrl } from '@/lib/core/read-url';
import { EgressError } from './egress-error';

/** One of the requests of a call: the first one, or the one that follows a redirect. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly body: string | Uint8Array | Readable | undefined;
}

/** 300 and 304 are not followed: 300 offers a choice, and 304 has no location. */
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Headers that the HTTP client writes itself. */
const clientHeaders = new Set([
  'host', 'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect',
]); // prettier-ignore
/** Headers that are sent to other origins. Any other header could be a secret for the first origin. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'range', 'user-agent']);
const bodyHeaderPattern = /^content-/;

/**
 * Parses the URL of a request.
 * @param base URL that a relative location refers to
 * @throws EgressError `bad_request` for any text but an http(s) URL without credentials
 */
export function parseRequestUrl(text: string, base?: URL): URL {
  const url = readUrl(text, base?.href);
  if (!url) throw new EgressError('bad_request', 'the address is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new EgressError('bad_request', 'the address must start with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new EgressError('bad_request', 'the address must not contain a user name or password');
  if (url.hostname.length > 253) throw new EgressError('bad_request', 'the host name is too long');
  return url;
}

/**
 * The next request of a redirect; null if the response is not a redirect, or has several different locations.
 * @throws EgressError `redirect` for a redirect from https to http, and for a body that cannot be sent again; `bad_request`
 * for an invalid location
 */
export function nextHop(hop: Hop, status: number, location: string | string[] | undefined): Hop | null {
  const [target, ...otherLocations] = new Set([location ?? []].flat().map((value) => value.trim()));
  if (!redirectStatuses.has(status) || target === undefined || otherLocations.length > 0) return null;
  const url = redirectUrl(hop.url, target);
  const isGetOrHead = hop.method === 'GET' || hop.method === 'HEAD';
  // 307 and 308 repeat the request; other redirects make it a GET, as in browsers.
  if (!isGetOrHead && status !== 307 && status !== 308) return { url, method: 'GET', body: undefined };
  if (hop.body instanceof Readable)
    throw new EgressError('redirect', 'the address redirects an upload, which can be sent only once');
  return { ...hop, url };
}

/**
 * The absolute URL of a redirect.
 * @param location header value with one character per byte; bytes that are not ASCII are percent-encoded, as in browsers
 */
function redirectUrl(from: URL, location: string): URL {
  const encodedLocation = location.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const url = parseRequestUrl(encodedLocation, from);
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw new EgressError('redirect', 'the address redirects from https to http');
  return url;
}

/**
 * Headers of one request: all headers of the caller for the first origin, only harmless ones for any other. Headers of the
 * body are left out without a body.
 * @throws EgressError `bad_request` for a header that the caller may not set
 */
export function headersForHop(
  headers: Readonly<Record<string, string>>,
  { firstUrl, url, body }: { readonly firstUrl: URL; readonly url: URL; readonly body: Hop['body'] },
): Record<string, string> {
  const hopHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (clientHeaders.has(key)) throw new EgressError('bad_request', `the header ${key} cannot be set`);
    if (url.origin !== firstUrl.origin && !harmlessHeaders.has(key)) continue;
    if (body === undefined && bodyHeaderPattern.test(key)) continue;
    hopHeaders[key] = value;
  }
  return hopHeaders;
}
