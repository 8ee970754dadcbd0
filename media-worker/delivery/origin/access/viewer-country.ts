import type { IncomingMessage } from 'node:http';
import type { CountryDatabase } from '@/lib/infra/geoip/country-database';
import { viewerAddress } from '@/media-worker/kit/http/viewer-address';
import type { ViewerAccessOptions } from './viewer-access';

/**
 * Creates the function that looks up the country of a viewer: null if the address has none, undefined if the address
 * is unknown. A policy with countries rejects an unknown one, so that edges ask for each viewer
 * (media-worker/delivery/edge/known-restrictions.ts).
 */
export function createCountryLookup(
  database: Pick<CountryDatabase, 'countryOf'>,
  addressOf: (request: IncomingMessage) => string,
): ViewerAccessOptions['countryOf'] {
  return (request) => {
    const address = viewerAddress(request, addressOf);
    return address === null ? undefined : database.countryOf(address);
  };
}
