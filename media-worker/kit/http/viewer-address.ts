import type { IncomingMessage } from 'node:http';
import { peerAddress } from '@/lib/infra/egress/ip-address';
import { parseEdges } from './via';

/**
 * The IP address of the viewer. Null for requests that an edge shares between viewers, and for requests of an edge
 * that is missing in TRUSTED_PROXIES, whose address says nothing about viewers.
 */
export function viewerAddress<Request extends Pick<IncomingMessage, 'socket' | 'headers'>>(
  request: Request,
  addressOf: (request: Request) => string,
): string | null {
  const address = addressOf(request);
  const isOfEdge = parseEdges(request.headers.via).length > 0 && address === peerAddress(request.socket);
  return isOfEdge ? null : address;
}
