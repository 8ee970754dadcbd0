import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addressList } from './address-list';

/**
 * Tells who asks: the peer of the connection, or what a trusted proxy says of it.
 * @param trustedProxies CIDR ranges whose last entry of X-Forwarded-For is believed (TRUSTED_PROXIES)
 */
export function clientAddressFrom(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string {
  const inRanges = addressList(trustedProxies);
  // A connection carries many requests.
  const known = new WeakMap<Socket, boolean>();
  const isProxy = (socket: Socket): boolean => {
    const before = known.get(socket);
    if (before !== undefined) return before;
    const now = inRanges(peerOf(socket));
    known.set(socket, now);
    return now;
  };
  return ({ socket, headers }) => {
    const peer = peerOf(socket);
    if (!isProxy(socket)) return peer;
    // The proxy appended the address that it saw; what stands before it is hearsay.
    const last = [headers['x-forwarded-for']].flat().join(',').split(',').at(-1)?.trim();
    return last ? plain(last.slice(0, 64)) : peer;
  };
}

const peerOf = ({ remoteAddress = '' }: Socket): string => plain(remoteAddress);

/** IPv4 as such, also on a socket that listens on IPv6 too. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
