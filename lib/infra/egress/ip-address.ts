import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type IpAddress = ReturnType<typeof ipaddr.parse>;

/** Maximum characters of an address in a header, with room for a zone id. The longest IPv6 address has 45. */
const MAX_ADDRESS_LENGTH = 64;

/**
 * Parses a complete address; null for any other text. ipaddr.js also accepts short, octal and hexadecimal forms of IPv4,
 * which resolvers and sockets never return. A zone id is dropped, because ipaddr.js rejects some valid ones, such as
 * `br-0`.
 */
export function parseAddress(text: string): IpAddress | null {
  return isIP(text) === 0 ? null : ipaddr.parse(text.replace(/%.*$/, ''));
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const unmap = (address: IpAddress): IpAddress =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

/** Removes the IPv4-in-IPv6 prefix of dual-stack sockets from an address; returns any other text unchanged. */
export function unmapAddress(text: string): string {
  const address = parseAddress(text);
  if (!address) return text;
  const unmappedAddress = unmap(address);
  return unmappedAddress === address ? text : unmappedAddress.toString();
}

/** Whether two addresses reach the same host. All loopback addresses are equal, and zone ids are ignored. */
export function isSameHost(a: string, b: string): boolean {
  const [first, second] = [hostKeyOf(a), hostKeyOf(b)];
  return first !== null && first === second;
}

function hostKeyOf(text: string): string | null {
  const address = parseAddress(text);
  if (!address) return null;
  const unmappedAddress = unmap(address);
  return unmappedAddress.range() === 'loopback' ? 'loopback' : unmappedAddress.toByteArray().join('.');
}

/**
 * Returns a test for whether an address (without brackets) is in one of the ranges.
 * @param cidrs ranges validated by lib/infra/env.ts
 */
export function createRangeTest(cidrs: readonly string[]): (text: string) => boolean {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text) => {
    const parsedAddress = parseAddress(text);
    if (!parsedAddress) return false;
    const address = unmap(parsedAddress);
    return ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
  };
}

/**
 * The network of an IP address, by which clients are counted and limited: the IPv4 address itself, or the /64 network of an
 * IPv6 address, because providers assign at least a /64 to each customer.
 * @returns `192.0.2.1` or `2001:db8:0:0::/64`; text that is no IP address is returned unchanged
 */
export function networkOfIp(ip: string): string {
  const address = parseAddress(ip);
  if (!address) return ip;
  const unmappedAddress = unmap(address);
  if (unmappedAddress instanceof ipaddr.IPv4) return unmappedAddress.toString();
  const network = unmappedAddress.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * Creates a function that returns the IP address of the client of a request: the address from the PROXY or X-Forwarded-For
 * header of a trusted proxy, otherwise the peer of the connection.
 * @param trustedProxies CIDR ranges of the proxies (TRUSTED_PROXIES)
 */
export function createClientAddressReader(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string {
  const isTrusted = createRangeTest(trustedProxies);
  // Cached per connection, because a connection carries many requests.
  const trustedSockets = new WeakMap<Socket, boolean>();
  const isProxy = (socket: Socket): boolean => {
    const cachedResult = trustedSockets.get(socket);
    if (cachedResult !== undefined) return cachedResult;
    const isTrustedPeer = isTrusted(peerAddress(socket));
    trustedSockets.set(socket, isTrustedPeer);
    return isTrustedPeer;
  };
  return ({ socket, headers }) => {
    const peer = peerAddress(socket);
    if (!isProxy(socket)) return peer;
    // The proxy appended the address of its peer. Earlier entries may be sent by the client.
    const lastEntry = [headers['x-forwarded-for']].flat().join(',').split(',').at(-1)?.trim();
    return lastEntry ? unmapAddress(lastEntry.slice(0, MAX_ADDRESS_LENGTH)) : peer;
  };
}

/** Client addresses from PROXY headers, by connection (lib/infra/proxy-protocol.ts). */
const clientAddresses = new WeakMap<Socket, string>();

export function setClientAddress(socket: Socket, address: string): void {
  const parsedAddress = parseAddress(address);
  clientAddresses.set(socket, parsedAddress ? unmap(parsedAddress).toString() : address);
}

/** Address of the client of a connection, by its PROXY header if it has one, else of the peer; empty after it disconnected. */
export function peerAddress(socket: Socket): string {
  return clientAddresses.get(socket) ?? unmapAddress(socket.remoteAddress ?? '');
}

/** Address of the client inside Next. web/request-filter.ts has replaced the header with the checked address. */
export function forwardedAddress(headers: Headers): string {
  return headers.get('x-forwarded-for')?.slice(0, MAX_ADDRESS_LENGTH) ?? 'unknown';
}
