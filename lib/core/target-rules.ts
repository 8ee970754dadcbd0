/** Rules for the URLs of multistream targets. */

const defaultPorts: Readonly<Record<string, string>> = { rtmp: '1935', rtmps: '443', srt: '' };
const loopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])\.?$/;

interface Address {
  /** In the one spelling of web addresses: lower case, IPv4 as four numbers. */
  readonly hostname: string;
  /** As written; empty when left out. */
  readonly port: string;
  /** That of the scheme when left out. */
  readonly effectivePort: string;
  readonly hasUserInfo: boolean;
}

/**
 * Why nothing can be sent to this URL; null when it may be tried.
 * @param url of a scheme that targets may have, without the characters that they may not have
 * @param ownIngest where this service takes streams itself (settings.rtmpUrl): a target there would be a loop
 */
export function targetUrlFault(url: string, ownIngest: string): string | null {
  const address = addressOf(url);
  if (!address || address.hostname.length > 253) return 'must name a host, and a port from 1 to 65535 if any';
  if (address.hasUserInfo) return 'must not contain a user name or password';
  if (address.effectivePort === '') return 'must name a port';
  const own = addressOf(ownIngest);
  return own && sameHostAndPort(address, own) ? 'must not be the ingest address of this service' : null;
}

/** Name of a target that was given none: the host of its URL, with the port that the URL names. */
export function targetNameOf(url: string): string {
  const address = addressOf(url);
  if (!address) return url;
  return address.port === '' ? address.hostname : `${address.hostname}:${address.port}`;
}

/** Parsed as a web address, because hosts of unknown schemes are left as they are written. */
function addressOf(url: string): Address | null {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/([^/?#].*)$/.exec(url) ?? [];
  if (!URL.canParse(`http://${rest}`)) return null;
  const { hostname, port, username, password } = new URL(`http://${rest}`);
  // Each scheme hides its default port: what http hides, https shows.
  const written = port === '' ? new URL(`https://${rest}`).port : port;
  if (hostname === '' || written === '0') return null;
  return {
    hostname,
    port: written,
    effectivePort: written === '' ? (defaultPorts[scheme] ?? '') : written,
    hasUserInfo: username !== '' || password !== '' || /^[^/?#]*@/.test(rest),
  };
}

function sameHostAndPort(one: Address, other: Address): boolean {
  return one.effectivePort === other.effectivePort && fold(one.hostname) === fold(other.hostname);
}

/** All names of the loopback interface are one host; so are names with and without the dot at the end. */
function fold(hostname: string): string {
  return loopback.test(hostname) ? 'localhost' : hostname.replace(/\.$/, '');
}
