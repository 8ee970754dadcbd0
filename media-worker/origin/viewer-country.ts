import type { IncomingMessage } from 'node:http';
import type { CountryDatabase } from '@/lib/infra/geoip/country-database';
import { peerAddress } from '@/lib/infra/egress/ip-address';
import { edgesIn } from '../http/via';

/**
 * In which country the viewer of a request is; null if the address is in none. Undefined for what an edge requests for
 * all its viewers, or an edge that TRUSTED_PROXIES leaves out: its own address says nothing about them, and as this is
 * refused, the edge learns to ask for each viewer (media-worker/edge/known-gates.ts).
 */
export function viewerCountry(
  database: Pick<CountryDatabase, 'countryOf'>,
  addressOf: (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string,
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string | null | undefined {
  return (request) => {
    const address = addressOf(request);
    const isOfEdge = edgesIn(request.headers.via).length > 0 && address === peerAddress(request.socket);
    return isOfEdge ? undefined : database.countryOf(address);
  };
}
