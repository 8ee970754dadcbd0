import type { IncomingMessage } from 'node:http';
import type { CountryDatabase } from '@/lib/infra/geoip/country-database';
import { viewerAddress } from '@/media-worker/kit/http/viewer-address';
import type { ViewerGateOptions } from './viewer-gate';

/**
 * In which country the viewer of a request is; null if the address is in none, undefined if it is not known. That is
 * refused, so that edges learn to ask for each viewer (media-worker/delivery/edge/known-gates.ts).
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
