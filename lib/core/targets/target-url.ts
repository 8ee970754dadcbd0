import { readUrl } from '../read-url';
import { isWhipUrl, whipDestination, type WhipDestination, whipSecrets } from './whip-url';

/** Parsed URL of a multistream target. */
export type PushDestination = MuxedDestination | WhipDestination;

/** A destination that takes audio and video in one connection. */
export type MuxedDestination = RtmpDestination | SrtDestination;

export interface RtmpDestination {
  readonly kind: 'rtmp';
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** The URL before the key, as shown by platforms: `rtmp://host/app`. */
  readonly serverUrl: string;
  readonly app: string;
  /** The stream key including the query: a secret. */
  readonly key: string;
}

export interface SrtDestination {
  readonly kind: 'srt';
  readonly host: string;
  readonly port: number;
  /** SRT options; `streamid` and `passphrase` are secrets. */
  readonly options: Readonly<Partial<Record<SrtOption, string>>>;
}

/** Options that describe the receiver. `mode` can't be chosen: the service is always the caller. */
const srtOptions = ['streamid', 'passphrase', 'pbkeylen', 'latency'] as const;
type SrtOption = (typeof srtOptions)[number];

/** ffmpeg truncates longer values silently. */
const maxPartLength = 500;

/** @param text a URL accepted by targetUrlFault @returns the destination, or an error message for contradictory parts */
export const pushDestination = (text: string): PushDestination | string =>
  isWhipUrl(text) ? whipDestination(text) : muxedDestination(text);

/** @param text an RTMP or SRT URL @returns the destination, or an error message for contradictory parts */
export function muxedDestination(text: string): MuxedDestination | string {
  const [, scheme = '', addressText = ''] = /^(rtmps?|srt):\/\/(.+)$/.exec(text) ?? [];
  // The http scheme makes URL normalize the host, as in targetUrlFault.
  const url = readUrl(`http://${addressText}`);
  if (scheme === '' || !url) return 'the url is not valid';
  const { hostname: host, port: httpPort } = url;
  const port = Number(httpPort === '' ? new URL(`https://${addressText}`).port : httpPort);
  if (scheme === 'srt') return srtDestination(host, port, addressText);
  const tls = scheme === 'rtmps';
  return rtmpDestination({ tls, host, port: port || (tls ? 443 : 1935) }, addressText);
}

function rtmpDestination(
  { tls, host, port }: { readonly tls: boolean; readonly host: string; readonly port: number },
  pathText: string,
): RtmpDestination | string {
  const address = /^[^/?#]*/.exec(pathText)?.[0] ?? '';
  const path = pathText.slice(address.length).replace(/^\/+/, '');
  // The query belongs to the key; a slash in the query is no separator.
  const query = path.search(/[?#]/);
  const plain = query === -1 ? path : path.slice(0, query);
  const lastSlash = plain.lastIndexOf('/');
  const app = lastSlash === -1 ? path : path.slice(0, lastSlash).replace(/\/+$/, '');
  const key = lastSlash === -1 ? '' : path.slice(lastSlash + 1);
  if (app === '') return 'the url has no application; it must look like rtmp://host/app/key';
  if (app.length > maxPartLength || key.length > maxPartLength) {
    return `application and key of the url are at most ${maxPartLength} characters long`;
  }
  const serverUrl = `${tls ? 'rtmps' : 'rtmp'}://${address}/${app}`;
  return { kind: 'rtmp', tls, host, port, serverUrl, app, key };
}

/**
 * The destination of an RTMP redirect, with the key of the original one; null if the URL is no RTMP application, or if the
 * key would be sent unencrypted.
 * @param url from the server, unvalidated
 */
export function referredDestination(from: RtmpDestination, url: string): RtmpDestination | null {
  // ffmpeg gets the application as a line of text.
  if (!/^rtmps?:\/\/[\x21-\x7e]+$/.test(url) || /[@?#]/.test(url)) return null;
  const to = muxedDestination(`${url.replace(/\/+$/, '')}/${from.key}`);
  if (typeof to === 'string' || to.kind !== 'rtmp' || to.key !== from.key) return null;
  return from.tls && !to.tls ? null : to;
}

function srtDestination(host: string, port: number, pathText: string): SrtDestination | string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(pathText)?.[1] ?? '');
  if ((query.get('mode') ?? 'caller') !== 'caller') return 'mode of an srt url must be "caller"';
  const options: Partial<Record<SrtOption, string>> = {};
  for (const name of srtOptions) {
    const value = query.get(name);
    if (value === null || value === '') continue;
    // ffmpeg gets the options as lines of text.
    if (value.length > maxPartLength || /\p{Cc}/u.test(value)) return `${name} of the srt url is not valid`;
    options[name] = value;
  }
  return { kind: 'srt', host, port, options };
}

/** The secret parts of a destination, for redaction. */
export function secretsOf(destination: PushDestination): string[] {
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
const loopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])\.?$/;

interface Address {
  /** Host in URL spelling: lower case, IPv4 as four numbers. */
  readonly hostname: string;
  /** Port as written; empty if omitted. */
  readonly port: string;
  /** Port as written, or the default of the scheme. */
  readonly effectivePort: string;
  readonly hasUserInfo: boolean;
}

/**
 * Why this URL is rejected; null if valid.
 * @param url with an allowed scheme and characters
 * @param ownUrls this service's RTMP URL and media URL: a target there would be a loop
 */
export function targetUrlFault(url: string, ownUrls: readonly string[]): string | null {
  const address = addressOf(url);
  if (!address || address.hostname.length > 253) return 'must name a host, and a port from 1 to 65535 if any';
  if (address.hasUserInfo) return 'must not contain a user name or password';
  if (address.effectivePort === '') return 'must name a port';
  const isOwn = ownUrls.some((ownUrl) => {
    const ownAddress = addressOf(ownUrl);
    return ownAddress !== null && sameHostAndPort(address, ownAddress);
  });
  if (isOwn) return 'must not be the ingest address of this service';
  return isWhipUrl(url) ? whipFault(url) : null;
}

function whipFault(url: string): string | null {
  const destination = whipDestination(url);
  return typeof destination === 'string' ? destination : null;
}

/** Default name of a target: the host of its URL, with the port if the URL has one. */
export function targetNameOf(url: string): string {
  const address = addressOf(url);
  if (!address) return url;
  return address.port === '' ? address.hostname : `${address.hostname}:${address.port}`;
}

/** Parsed as an http URL, because URL does not normalize hosts of unknown schemes. */
function addressOf(url: string): Address | null {
  const [, scheme = '', addressText = ''] = /^([a-z]+):\/\/([^/?#].*)$/.exec(url) ?? [];
  const web = readUrl(`http://${addressText}`);
  if (!web) return null;
  const { hostname, port, username, password } = web;
  // URL drops a scheme's default port: an http URL loses `:80`, which an https URL keeps.
  const portText = port === '' ? new URL(`https://${addressText}`).port : port;
  if (hostname === '' || portText === '0') return null;
  return {
    hostname,
    port: portText,
    effectivePort: portText === '' ? (defaultPorts[scheme] ?? '') : portText,
    hasUserInfo: username !== '' || password !== '' || /^[^/?#]*@/.test(addressText),
  };
}

function sameHostAndPort(a: Address, b: Address): boolean {
  return a.effectivePort === b.effectivePort && canonicalHost(a.hostname) === canonicalHost(b.hostname);
}

/** All names of the loopback interface are one host; so are names with and without the final dot. */
function canonicalHost(hostname: string): string {
  return loopback.test(hostname) ? 'localhost' : hostname.replace(/\.$/, '');
}
