import type { IncomingMessage } from 'node:http';
import { peerAddress } from '@/lib/infra/egress/ip-address';
import { edgesIn } from './via';

/**
 * The address of the viewer. Null for requests that an edge shares between viewers, and for edges missing in
 * TRUSTED_PROXIES, whose own address says nothing about viewers.
 */
export function viewerAddress<Request extends Pick<IncomingMessage, 'socket' | 'headers'>>(
  request: Request,
  addressOf: (request: Request) => string,
): string | null {
  const address = addressOf(request);
  const isOfEdge = edgesIn(request.headers.via).length > 0 && address === peerAddress(request.socket);
  return isOfEdge ? null : address;
}
