import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { isOwnOrigin } from '@/lib/core/access/origin';
import { originOf, originRefusal } from '@/lib/core/access/playback-policy';

/** `Sec-Fetch-Dest` of a page that another page shows. */
const frames = new Set(['iframe', 'frame', 'embed', 'object']);

/**
 * Whether the site that shows an embed may play it. The origin cannot know: what the embed requests comes from our own
 * pages. A frame that hides its site (`referrerpolicy="no-referrer"`) is on none that is allowed.
 * @param headers of the request for the page
 */
export function mayBeFramed(
  policy: PublicPlaybackPolicy,
  headers: Pick<Headers, 'get'>,
  baseUrl: string,
): boolean {
  const referer = headers.get('referer');
  const kind = headers.get('sec-fetch-dest');
  // Browsers send it over https and to localhost only.
  const isFramed = kind === null ? referer !== null : frames.has(kind);
  const origin = originOf(null, referer);
  const isOwnSite = !isFramed || (origin !== null && isOwnOrigin(origin, baseUrl));
  return originRefusal(policy, { origin, isOwn: isOwnSite }) === null;
}
