import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { isOwnOrigin } from '@/lib/core/access/origin';
import { originOf, originRejection } from '@/lib/core/access/playback-policy';

/** Values of `Sec-Fetch-Dest` for a page inside another page. */
const frameDestinations = new Set(['iframe', 'frame', 'embed', 'object']);

/**
 * Whether the site that frames the embed may play its content. It is checked here, because the playlist requests of an
 * embed come from a page of this service. A frame that hides its site (`referrerpolicy="no-referrer"`) is not allowed.
 * @param headers headers of the request for the page
 */
export function mayBeFramed(
  policy: PublicPlaybackPolicy,
  headers: Pick<Headers, 'get'>,
  baseUrl: string,
): boolean {
  const referer = headers.get('referer');
  const destination = headers.get('sec-fetch-dest');
  // Browsers send `Sec-Fetch-Dest` over https and to localhost only.
  const isFramed = destination === null ? referer !== null : frameDestinations.has(destination);
  const origin = originOf(null, referer);
  // A page that is not in a frame counts as a page of this service.
  const isOwnSite = !isFramed || (origin !== null && isOwnOrigin(origin, baseUrl));
  return originRejection(policy, { origin, isOwn: isOwnSite }) === null;
}
