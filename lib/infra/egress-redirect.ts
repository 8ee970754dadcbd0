import { Readable } from 'node:stream';
import { EgressError } from './egress-error';

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly body: string | Uint8Array | Readable | undefined;
}

const redirects = new Set([301, 302, 303, 307, 308]);
/** These describe the connection or name the receiver; the client writes them itself. */
const ownHeaders = new Set([
  'host', 'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect',
]); // prettier-ignore
/** Everything else could be a secret meant for the first origin alone. */
const harmless = new Set(['accept', 'accept-language', 'range', 'user-agent']);
const aboutBody = /^content-/;

/** @throws EgressError `bad_request` for what is no http(s) URL, or holds credentials */
export function requestUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new EgressError('bad_request', 'the address is not a URL');
  const url = new URL(address, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new EgressError('bad_request', 'the address must start with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new EgressError('bad_request', 'the address must not contain a user name or password');
  if (url.hostname.length > 253) throw new EgressError('bad_request', 'the host name is too long');
  return url;
}

/**
 * The request that a redirect asks for; null when the answer is none.
 * @throws EgressError `redirect` for a step back from https to http, and for a body that is gone
 */
export function nextHop(hop: Hop, status: number, location: string | string[] | undefined): Hop | null {
  if (!redirects.has(status) || typeof location !== 'string') return null;
  const url = redirectUrl(hop.url, location);
  const bodiless = hop.method === 'GET' || hop.method === 'HEAD';
  // As browsers do: 307 and 308 repeat the request, the others make it a GET.
  if (!bodiless && status !== 307 && status !== 308) return { url, method: 'GET', body: undefined };
  if (hop.body instanceof Readable)
    throw new EgressError('redirect', 'the address redirects an upload, which can be sent only once');
  return { ...hop, url };
}

function redirectUrl(from: URL, location: string): URL {
  const url = requestUrl(location, from);
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw new EgressError('redirect', 'the address redirects from https to http');
  return url;
}

/**
 * Headers for one hop: all of them for the origin that they were meant for, the harmless ones for any other.
 * @throws EgressError `bad_request` for one that the caller may not set
 */
export function headersForHop(
  headers: Readonly<Record<string, string>>,
  { first, url, body }: { readonly first: URL; readonly url: URL; readonly body: Hop['body'] },
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (ownHeaders.has(key)) throw new EgressError('bad_request', `the header ${key} cannot be set`);
    if (url.origin !== first.origin && !harmless.has(key)) continue;
    if (body === undefined && aboutBody.test(key)) continue;
    kept[key] = value;
  }
  return kept;
}
