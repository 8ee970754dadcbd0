import { Readable } from 'node:stream';
import { errors } from 'undici';
import { readUrl } from '@/lib/core/read-url';

type EgressFailure =
  /**
   * The connection was denied by the egress policy, failed or timed out, or the name is unknown. Users cannot tell these
   * cases apart.
   */
  | 'unreachable'
  | 'tls'
  | 'timed_out'
  /** The signal of the caller was aborted. */
  | 'aborted'
  | 'interrupted'
  | 'malformed'
  | 'too_large'
  | 'redirect'
  /** The URL, method or headers of the request are invalid. */
  | 'bad_request';

/**
 * Failure of an outbound call. `message` may be shown to users: it contains no address, no header and no information about
 * the operator's network. `cause` is for the log.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.failure = failure;
  }
}

/** The host of a call is denied, or has no address. It is the cause of an EgressError `unreachable`. */
export class EgressDeniedError extends Error {
  override readonly name = 'EgressDeniedError';
}

export const unreachableError = (cause?: unknown) =>
  new EgressError(
    'unreachable',
    'the connection failed: no public address of this host accepted it',
    cause === undefined ? {} : { cause },
  );

const connectCodes = new Set([
  'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL',
  'ENODATA', 'ETIMEDOUT', 'EACCES', 'EPERM', 'EINVAL',
]); // prettier-ignore
const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH)/;

/** Error codes of a failed DNS lookup. */
const lookupCodes = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'EAI_FAIL']);

/**
 * The reason why no connection was made, for a team that tests its target. `denied`: the policy does not allow the host,
 * or its name is unknown. Both are one result, so that it does not reveal names of the operator's network.
 */
export function connectFailureOf(error: EgressError): 'denied' | 'connection_refused' | 'silent' {
  const { cause } = error;
  if (cause instanceof EgressDeniedError || lookupCodes.has(codeOf(cause))) return 'denied';
  return codeOf(cause) === 'ECONNREFUSED' ? 'connection_refused' : 'silent';
}

/** Converts an error of the HTTP client to an EgressError with a public message. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const [failure, message] = classify(error);
  return failure === 'unreachable'
    ? unreachableError(error)
    : new EgressError(failure, message, { cause: error });
}

function classify(error: unknown): readonly [EgressFailure, string] {
  const code = codeOf(error);
  if (
    error instanceof EgressDeniedError ||
    error instanceof errors.ConnectTimeoutError ||
    connectCodes.has(code)
  )
    return ['unreachable', ''];
  if (tlsCode.test(code)) return ['tls', tlsMessage(code)];
  if (error instanceof errors.HeadersTimeoutError) return ['timed_out', 'the response did not start in time'];
  if (error instanceof errors.BodyTimeoutError) return ['timed_out', 'the response stalled'];
  if (error instanceof errors.HeadersOverflowError) return ['too_large', 'the response headers are too long'];
  // The parser reports a truncated chunked response as invalid, with this text and no code.
  if (error instanceof errors.HTTPParserError && !error.message.includes('Invalid EOF state'))
    return ['malformed', 'the response is not valid HTTP'];
  if (
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.RequestContentLengthMismatchError
  )
    return ['bad_request', 'the request cannot be sent: its method, headers or length are not valid'];
  return ['interrupted', 'the connection was closed before the response was complete'];
}

const selfSigned = 'its certificate is self-signed; use one from a public certificate authority';
const tlsReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate does not lead to a known authority; send the intermediate certificates too',
};

/** Message for a TLS error that the owner of the receiver must fix, with its code. */
function tlsMessage(code: string): string {
  const reason = tlsReasons[code] ?? 'its certificate or the handshake was not accepted';
  return `no TLS connection to the receiver: ${reason} (${code})`;
}

function codeOf(error: unknown): string {
  // If several addresses were tried, the error of the first is used.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly body: string | Uint8Array | Readable | undefined;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Headers that the HTTP client writes itself. */
const clientHeaders = new Set([
  'host', 'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect',
]); // prettier-ignore
/** Headers that are sent to other origins. Any other header could be a secret for the first origin. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'range', 'user-agent']);
const bodyHeader = /^content-/;

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
  const hasNoBody = hop.method === 'GET' || hop.method === 'HEAD';
  // 307 and 308 repeat the request; other redirects make it a GET, as in browsers.
  if (!hasNoBody && status !== 307 && status !== 308) return { url, method: 'GET', body: undefined };
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
    if (body === undefined && bodyHeader.test(key)) continue;
    hopHeaders[key] = value;
  }
  return hopHeaders;
}
