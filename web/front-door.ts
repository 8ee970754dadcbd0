import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressList } from '@/lib/infra/address-list';
import { newId } from '@/lib/infra/ids';

/** Methods that Next can make a Request of; TRACE and CONNECT would throw inside it. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Stands before Next. Refuses what Next would answer with 500, and makes X-Forwarded-For true: one entry, the address
 * of the client, which the limits by address rely on (reliability §2).
 * @param trustedProxies CIDR ranges whose last entry of X-Forwarded-For is believed (TRUSTED_PROXIES)
 */
export function frontDoor(next: RequestListener, trustedProxies: readonly string[]): RequestListener {
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
  return (request, response) => {
    const { method = '', url = '/' } = request;
    if (!methods.has(method)) {
      const allow = [...methods].join(', ');
      refuse(response, 405, `${method} is not allowed here, only ${allow}`, { Allow: allow });
    } else if (!isDecodable(url)) {
      refuse(response, 400, 'the address is malformed: % begins two hexadecimal digits of UTF-8');
    } else {
      request.headers['x-forwarded-for'] = clientOf(request, isProxy);
      next(request, response);
    }
  };
}

function clientOf(request: IncomingMessage, isProxy: (socket: Socket) => boolean): string {
  const peer = peerOf(request.socket);
  if (!isProxy(request.socket)) return peer;
  // The proxy appended the address that it saw; what stands before it is hearsay.
  const last = [request.headers['x-forwarded-for']].flat().join(',').split(',').at(-1)?.trim();
  return last ? plain(last.slice(0, 64)) : peer;
}

const peerOf = ({ remoteAddress = '' }: Socket): string => plain(remoteAddress);

/** IPv4 as such, also on a socket that listens on IPv6 too. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Next decodes the path and the query, and fails on what is not UTF-8. */
function isDecodable(url: string): boolean {
  if (!url.startsWith('/')) return false;
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** In the words of the API (api-contract §13, decision 10). */
function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify({ errors: [message] });
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': newId(),
  });
  response.end(body);
}
