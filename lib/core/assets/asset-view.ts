/** The parts of a request for an asset file that show whether a viewer starts to watch. */
interface AssetRequest {
  /** Path below `/asset`, without the query. */
  readonly path: string;
  /** Whether the file is saved instead of played. */
  readonly download: boolean;
  readonly range: string | undefined;
}

const playable = /^\/([a-z0-9]{16})\/(?:index\.m3u8|video(?:\/download\.mp4)?)$/;
const oneRange = /^bytes=(\d*)-(\d*)$/;

/**
 * The playback id of the asset that a player starts with this GET, which requests the master playlist, or the video file
 * from its first byte. Null for other requests.
 */
export function startedAsset({ path, download, range }: AssetRequest): string | null {
  const [, playbackId] = playable.exec(path) ?? [];
  return playbackId === undefined || download || !isFromTheStart(range) ? null : playbackId;
}

/** Whether the GET was answered with media, or with 304: then the player uses its cached copy. */
export const isStarted = (status: number): boolean => [200, 206, 304].includes(status);

/** Whether a range starts playback. Safari requests the first two bytes before it plays, which does not count. */
function isFromTheStart(range: string | undefined): boolean {
  const [, first, last = ''] = oneRange.exec(range ?? '') ?? [];
  if (first === undefined) return true;
  return first !== '' && Number(first) === 0 && (last === '' || Number(last) > 1);
}
