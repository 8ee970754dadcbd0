import type { IncomingMessage } from 'node:http';
import type { CountryDatabase } from '@/lib/infra/geoip/country-database';
import { viewerAddress } from '@/media-worker/kit/http/viewer-address';
import type { ViewerGateOptions } from './viewer-gate';

/**
 * The country of the viewer: null if the address has none, undefined if it is unknown. An unknown country is rejected, so
 * that edges ask for each viewer (media-worker/delivery/edge/known-gates.ts).
 */
export function viewerCountry(
  database: Pick<CountryDatabase, 'countryOf'>,
  addressOf: (request: IncomingMessage) => string,
): ViewerGateOptions['countryOf'] {
  return (request) => {
    const address = viewerAddress(request, addressOf);
    return address === null ? undefined : database.countryOf(address);
  };
}
