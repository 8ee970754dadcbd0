import { readUrl } from '../../read-url';
import {
  parseMuxedUrl,
  type RtmpDestination,
  secretsOf,
  type SrtDestination,
} from '../../targets/target-url';

/** A server from which a stream is pulled. */
export type PullSource = HttpSource | RtspSource | RtmpDestination | SrtDestination;

/** A source of HLS, or of MPEG-TS or FLV in a single response. */
export interface HttpSource {
  readonly kind: 'http';
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

export interface RtspSource {
  readonly kind: 'rtsp';
  readonly host: string;
  readonly port: number;
  /** URL without user name and password. */
  readonly url: string;
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** Pattern of the URLs of sources. Characters with a special meaning to ffmpeg or a shell are excluded. */
export const pullUrlPattern = /^(https?|rtmps?|rtsp|srt):\/\/[^|\s'"\\<>{}^`]+$/;

const MAX_HEADERS = 20;
const MAX_HEADER_LENGTH = 2_000;
/** Names of headers that belong to the connection, or that the service sets itself. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'host', 'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect', 'content-length', 'content-type', 'range', 'accept-encoding',
]); // prettier-ignore

/**
 * Parses the URL of a source.
 * @param text a URL that matches `pullUrlPattern`
 * @returns the source, or the requirement that the URL violates
 */
export function parsePullSource(text: string): PullSource | string {
  const [, scheme = '', afterScheme = ''] = /^([a-z]+):\/\/(.+)$/.exec(text) ?? [];
  const httpUrl = readUrl(`http://${afterScheme}`);
  if (!httpUrl || httpUrl.hostname === '' || httpUrl.hostname.length > 253)
    return 'must name a host, and a port from 1 to 65535 if any';
  // URL drops a scheme's default port: an http URL loses `:80`, which an https URL keeps.
  const port = Number(httpUrl.port === '' ? new URL(`https://${afterScheme}`).port : httpUrl.port);
  if (scheme === 'http' || scheme === 'https') return parseHttpSource(text, scheme);
  if (scheme === 'rtsp') return parseRtspSource(httpUrl, port || 554);
  if (httpUrl.username !== '' || httpUrl.password !== '') return 'must not contain a user name or password';
  if (scheme === 'srt' && port === 0) return 'must name a port';
  return parseMuxedUrl(text);
}

function parseHttpSource(text: string, scheme: 'http' | 'https'): HttpSource | string {
  const url = readUrl(text);
  if (!url) return 'must name a host, and a port from 1 to 65535 if any';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password: send them as the header Authorization';
  const port = Number(url.port) || (scheme === 'https' ? 443 : 80);
  url.hash = '';
  return { kind: 'http', host: url.hostname, port, url: url.href };
}

function parseRtspSource(httpUrl: URL, port: number): RtspSource | string {
  const { hostname: host, pathname, search } = httpUrl;
  const [user, password] = [decodePart(httpUrl.username), decodePart(httpUrl.password)];
  if (user === null || password === null) return 'must have its user name and password percent-encoded';
  const credentials = user === '' && password === '' ? null : { user, password };
  return { kind: 'rtsp', host, port, url: `rtsp://${host}:${port}${pathname}${search}`, credentials };
}

function decodePart(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The requirement that the headers of a source violate; null if they are valid. */
export function pullHeadersFault(
  source: PullSource,
  headers: Readonly<Record<string, string>>,
): string | null {
  const names = Object.keys(headers);
  if (names.length === 0) return null;
  if (source.kind !== 'http') return 'are for http:// and https:// sources only';
  if (names.length > MAX_HEADERS) return `must not be more than ${MAX_HEADERS}`;
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\dA-Za-z-]{1,100}$/.test(name))
      return 'must have names of letters, digits and dashes';
    if (reservedHeaders.has(name.toLowerCase())) return `must not contain ${name.toLowerCase()}`;
    if (value.length > MAX_HEADER_LENGTH || !/^[\t\x20-\x7e]*$/.test(value))
      return `must have values of up to ${MAX_HEADER_LENGTH} printable ASCII characters`;
  }
  return null;
}

/** Masks the secrets of a URL: only scheme, host and port are kept. */
export function maskPullSource(text: string): string {
  const [, sourceUrl = ''] = /^([a-z]+:\/\/[^/?#]*)/.exec(text) ?? [];
  return `${sourceUrl.replace(/\/\/[^@]*@/, '//')}/***`;
}

/** The secrets of a source, which are removed from messages: URL, path, credentials, keys and header values. */
export function pullSecrets(source: PullSource, headers: Readonly<Record<string, string>> = {}): string[] {
  const values = Object.values(headers);
  switch (source.kind) {
    case 'http': {
      const { pathname, search } = new URL(source.url);
      return [source.url, `${pathname}${search}`, ...values].filter((secret) => secret.length > 1);
    }
    case 'rtsp': {
      const { user = '', password = '' } = source.credentials ?? {};
      const { pathname, search } = new URL(source.url);
      // ffmpeg's messages contain the relay's host, so the whole URL is not enough.
      const path = `${pathname}${search}`;
      return [source.url, path === '/' ? '' : path, user, password].filter((secret) => secret !== '');
    }
    case 'rtmp':
      // Without a key, the application identifies the stream.
      return secretsOf({ ...source, key: source.key || source.app });
    case 'srt':
      return secretsOf(source);
  }
}
