import { readUrl } from '../../read-url';
import {
  muxedDestination,
  type RtmpDestination,
  secretsOf,
  type SrtDestination,
} from '../../targets/target-url';

/** A server from which a stream is pulled. */
export type PullSource = HttpSource | RtspSource | RtmpDestination | SrtDestination;

/** HLS, or MPEG-TS or FLV in one response. */
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

/** Printable ASCII without characters that have a special meaning to ffmpeg or a shell. */
export const pullUrlPattern = /^(https?|rtmps?|rtsp|srt):\/\/[^|\s'"\\<>{}^`]+$/;

const maxHeaders = 20;
const maxHeaderLength = 2_000;
/** Headers that belong to the connection, or that the puller sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host', 'connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect', 'content-length', 'content-type', 'range', 'accept-encoding',
]); // prettier-ignore

/** @param text a URL with one of the schemes @returns the source, or why the URL is invalid */
export function pullSource(text: string): PullSource | string {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.+)$/.exec(text) ?? [];
  const web = readUrl(`http://${rest}`);
  if (!web || web.hostname === '' || web.hostname.length > 253)
    return 'must name a host, and a port from 1 to 65535 if any';
  // URL drops a scheme's default port: an http URL loses `:80`, which an https URL keeps.
  const port = Number(web.port === '' ? new URL(`https://${rest}`).port : web.port);
  if (scheme === 'http' || scheme === 'https') return httpSource(text, scheme);
  if (scheme === 'rtsp') return rtspSource(web, port || 554);
  if (web.username !== '' || web.password !== '') return 'must not contain a user name or password';
  if (scheme === 'srt' && port === 0) return 'must name a port';
  return muxedDestination(text);
}

function httpSource(text: string, scheme: 'http' | 'https'): HttpSource | string {
  const url = readUrl(text);
  if (!url) return 'must name a host, and a port from 1 to 65535 if any';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password: send them as the header Authorization';
  const port = Number(url.port) || (scheme === 'https' ? 443 : 80);
  url.hash = '';
  return { kind: 'http', host: url.hostname, port, url: url.href };
}

function rtspSource(web: URL, port: number): RtspSource | string {
  const { hostname: host, pathname, search } = web;
  const [user, password] = [decodePart(web.username), decodePart(web.password)];
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

/** Why the headers of a source are invalid; null if valid. */
export function pullHeadersFault(
  source: PullSource,
  headers: Readonly<Record<string, string>>,
): string | null {
  const names = Object.keys(headers);
  if (names.length === 0) return null;
  if (source.kind !== 'http') return 'are for http:// and https:// sources only';
  if (names.length > maxHeaders) return `must not be more than ${maxHeaders}`;
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\dA-Za-z-]{1,100}$/.test(name))
      return 'must have names of letters, digits and dashes';
    if (ownHeaders.has(name.toLowerCase())) return `must not contain ${name.toLowerCase()}`;
    if (value.length > maxHeaderLength || !/^[\t\x20-\x7e]*$/.test(value))
      return `must have values of up to ${maxHeaderLength} printable ASCII characters`;
  }
  return null;
}

/** The URL without secrets: scheme, host and port. */
export function maskedSource(text: string): string {
  const [, address = ''] = /^([a-z]+:\/\/[^/?#]*)/.exec(text) ?? [];
  return `${address.replace(/\/\/[^@]*@/, '//')}/***`;
}

/** The secret parts of a source, for redaction: everything after its host. */
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
