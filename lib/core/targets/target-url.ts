import { readUrl } from '../read-url';
import { isWhipUrl, parseWhipUrl, type WhipDestination, whipSecrets } from './whip-url';

/** Destination of a multistream target: its parsed URL. */
export type TargetDestination = MuxedDestination | WhipDestination;

/** A destination that takes audio and video in one connection. */
export type MuxedDestination = RtmpDestination | SrtDestination;

export interface RtmpDestination {
  readonly kind: 'rtmp';
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** The URL before the key, as shown by platforms: `rtmp://host/app`. */
  readonly serverUrl: string;
  /** The RTMP application: the path before the key. */
  readonly app: string;
  /** The stream key, which is a secret, with the query of the URL. */
  readonly key: string;
}

export interface SrtDestination {
  readonly kind: 'srt';
  readonly host: string;
  readonly port: number;
  /** SRT options; `streamid` and `passphrase` are secrets. */
  readonly options: Readonly<Partial<Record<SrtOption, string>>>;
}

/** SRT options that a URL can set. `mode` is none of them, because the service is always the caller. */
const srtOptions = ['streamid', 'passphrase', 'pbkeylen', 'latency'] as const;
type SrtOption = (typeof srtOptions)[number];

/** Maximum length of a value in characters. ffmpeg truncates longer values silently. */
const MAX_PART_LENGTH = 500;

/**
 * Parses the URL of a target.
 * @param text a URL in which `targetUrlFault` finds no fault
 * @returns the destination, or an error message
 */
export const parseTargetUrl = (text: string): TargetDestination | string =>
  isWhipUrl(text) ? parseWhipUrl(text) : parseMuxedUrl(text);

/**
 * Parses an RTMP or SRT URL.
 * @returns the destination, or an error message
 */
export function parseMuxedUrl(text: string): MuxedDestination | string {
  const [, scheme = '', afterScheme = ''] = /^(rtmps?|srt):\/\/(.+)$/.exec(text) ?? [];
  // The http scheme makes URL normalize the host, as in targetUrlFault.
  const url = readUrl(`http://${afterScheme}`);
  if (scheme === '' || !url) return 'the url is not valid';
  const { hostname: host, port: httpPort } = url;
  const port = Number(httpPort === '' ? new URL(`https://${afterScheme}`).port : httpPort);
  if (scheme === 'srt') return parseSrtUrl(host, port, afterScheme);
  const tls = scheme === 'rtmps';
  return parseRtmpUrl({ tls, host, port: port || (tls ? 443 : 1935) }, afterScheme);
}

function parseRtmpUrl(
  { tls, host, port }: { readonly tls: boolean; readonly host: string; readonly port: number },
  afterScheme: string,
): RtmpDestination | string {
  const hostText = /^[^/?#]*/.exec(afterScheme)?.[0] ?? '';
  const path = afterScheme.slice(hostText.length).replace(/^\/+/, '');
  // The query belongs to the key, so a slash in the query is no separator.
  const queryIndex = path.search(/[?#]/);
  const pathWithoutQuery = queryIndex === -1 ? path : path.slice(0, queryIndex);
  const lastSlash = pathWithoutQuery.lastIndexOf('/');
  const app = lastSlash === -1 ? path : path.slice(0, lastSlash).replace(/\/+$/, '');
  const key = lastSlash === -1 ? '' : path.slice(lastSlash + 1);
  if (app === '') return 'the url has no application; it must look like rtmp://host/app/key';
  if (app.length > MAX_PART_LENGTH || key.length > MAX_PART_LENGTH) {
    return `application and key of the url are at most ${MAX_PART_LENGTH} characters long`;
  }
  const serverUrl = `${tls ? 'rtmps' : 'rtmp'}://${hostText}/${app}`;
  return { kind: 'rtmp', tls, host, port, serverUrl, app, key };
}

/**
 * The destination of an RTMP redirect, with the key of the original destination. Null if the URL is no RTMP application, or
 * if the key would be sent unencrypted although the original destination uses TLS.
 * @param url URL that the server sent, not validated
 */
export function redirectDestination(original: RtmpDestination, url: string): RtmpDestination | null {
  // ffmpeg gets the application as a line of text.
  if (!/^rtmps?:\/\/[\x21-\x7e]+$/.test(url) || /[@?#]/.test(url)) return null;
  const redirectedUrl = parseMuxedUrl(`${url.replace(/\/+$/, '')}/${original.key}`);
  if (
    typeof redirectedUrl === 'string' ||
    redirectedUrl.kind !== 'rtmp' ||
    redirectedUrl.key !== original.key
  )
    return null;
  return original.tls && !redirectedUrl.tls ? null : redirectedUrl;
}

function parseSrtUrl(host: string, port: number, afterScheme: string): SrtDestination | string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(afterScheme)?.[1] ?? '');
  if ((query.get('mode') ?? 'caller') !== 'caller') return 'mode of an srt url must be "caller"';
  const options: Partial<Record<SrtOption, string>> = {};
  for (const name of srtOptions) {
    const value = query.get(name);
    if (value === null || value === '') continue;
    // ffmpeg gets the options as lines of text.
    if (value.length > MAX_PART_LENGTH || /\p{Cc}/u.test(value)) return `${name} of the srt url is not valid`;
    options[name] = value;
  }
  return { kind: 'srt', host, port, options };
}

/** The secrets of a destination, which are removed from messages. */
export function secretsOf(destination: TargetDestination): string[] {
  if (destination.kind === 'whip') return whipSecrets(destination);
  if (destination.kind === 'srt') {
    const { streamid, passphrase } = destination.options;
    return [streamid, passphrase].filter((secret) => secret !== undefined);
  }
  const { key } = destination;
  return [key, key.replace(/\?.*$/, '')].filter((secret) => secret !== '');
}

const defaultPorts: Readonly<Record<string, string>> = {
  rtmp: '1935',
  rtmps: '443',
  srt: '',
  http: '80',
  https: '443',
};
/** Pattern of the host names and addresses of the loopback interface, as URLs spell them. */
const loopbackPattern =
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])\.?$/;

interface HostAndPort {
  /** Host as URLs spell it: in lower case, with IPv4 addresses as four numbers. */
  readonly hostname: string;
  /** Port in the URL; empty if it has none. */
  readonly port: string;
  /** Port in the URL, or the default port of the scheme; empty if there is neither. */
  readonly effectivePort: string;
  readonly hasUserInfo: boolean;
}

/**
 * The requirement that the URL of a target violates; null if it is valid.
 * @param url URL with an allowed scheme and allowed characters
 * @param ownUrls RTMP URL and media URL of this service; a target there would be a loop
 */
export function targetUrlFault(url: string, ownUrls: readonly string[]): string | null {
  const hostAndPort = parseHostAndPort(url);
  if (!hostAndPort || hostAndPort.hostname.length > 253)
    return 'must name a host, and a port from 1 to 65535 if any';
  if (hostAndPort.hasUserInfo) return 'must not contain a user name or password';
  if (hostAndPort.effectivePort === '') return 'must name a port';
  const isOwn = ownUrls.some((ownUrl) => {
    const ownAddress = parseHostAndPort(ownUrl);
    return ownAddress !== null && isSameHostAndPort(hostAndPort, ownAddress);
  });
  if (isOwn) return 'must not be the ingest address of this service';
  return isWhipUrl(url) ? whipFault(url) : null;
}

function whipFault(url: string): string | null {
  const destination = parseWhipUrl(url);
  return typeof destination === 'string' ? destination : null;
}

/** Default name of a target: the host of its URL, with the port if the URL has one. */
export function targetNameOf(url: string): string {
  const hostAndPort = parseHostAndPort(url);
  if (!hostAndPort) return url;
  return hostAndPort.port === '' ? hostAndPort.hostname : `${hostAndPort.hostname}:${hostAndPort.port}`;
}

/**
 * Parses host and port of a URL; null if it has no valid ones. The URL is parsed as an http URL, because `URL` does not
 * normalize hosts of other schemes.
 */
function parseHostAndPort(url: string): HostAndPort | null {
  const [, scheme = '', afterScheme = ''] = /^([a-z]+):\/\/([^/?#].*)$/.exec(url) ?? [];
  const httpUrl = readUrl(`http://${afterScheme}`);
  if (!httpUrl) return null;
  const { hostname, port, username, password } = httpUrl;
  // URL drops a scheme's default port: an http URL loses `:80`, which an https URL keeps.
  const portText = port === '' ? new URL(`https://${afterScheme}`).port : port;
  if (hostname === '' || portText === '0') return null;
  return {
    hostname,
    port: portText,
    effectivePort: portText === '' ? (defaultPorts[scheme] ?? '') : portText,
    hasUserInfo: username !== '' || password !== '' || /^[^/?#]*@/.test(afterScheme),
  };
}

function isSameHostAndPort(a: HostAndPort, b: HostAndPort): boolean {
  return a.effectivePort === b.effectivePort && canonicalHost(a.hostname) === canonicalHost(b.hostname);
}

/** The canonical name of a host. All names of the loopback interface are one host, and a final dot is dropped. */
function canonicalHost(hostname: string): string {
  return loopbackPattern.test(hostname) ? 'localhost' : hostname.replace(/\.$/, '');
}
