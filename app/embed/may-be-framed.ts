import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { isOwnOrigin } from '@/lib/core/access/origin';
import { originOf, originRefusal } from '@/lib/core/access/playback-policy';

/** Values of `Sec-Fetch-Dest` for a page inside another page. */
const frames = new Set(['iframe', 'frame', 'embed', 'object']);

/**
 * Whether the embedding site may play it. The origin cannot know, because an embed's requests come from our own
 * pages. A frame that hides its site (`referrerpolicy="no-referrer"`) counts as not allowed.
 * @param headers of the request for the page
 */
export function mayBeFramed(
  policy: PublicPlaybackPolicy,
  headers: Pick<Headers, 'get'>,
  baseUrl: string,
): boolean {
  const referer = headers.get('referer');
  const kind = headers.get('sec-fetch-dest');
  // Browsers send `Sec-Fetch-Dest` over https and to localhost only.
  const isFramed = kind === null ? referer !== null : frames.has(kind);
  const origin = originOf(null, referer);
  const isOwnSite = !isFramed || (origin !== null && isOwnOrigin(origin, baseUrl));
  return originRefusal(policy, { origin, isOwn: isOwnSite }) === null;
}
