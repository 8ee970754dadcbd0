/** The parts of a GET request for a file of an asset that show whether a viewer starts to watch. */
interface AssetRequest {
  /** Path below `/asset`, without the query. */
  readonly path: string;
  /** Whether the file is saved instead of played. */
  readonly isDownload: boolean;
  readonly rangeHeader: string | undefined;
}

const playablePath = /^\/([a-z0-9]{16})\/(?:index\.m3u8|video(?:\/download\.mp4)?)$/;
const singleByteRange = /^bytes=(\d*)-(\d*)$/;

/**
 * The playback id of the asset whose playback starts with a GET request: it requests the master playlist, or the video file
 * from its first byte. Null for other requests.
 */
export function startedPlaybackId({ path, isDownload, rangeHeader }: AssetRequest): string | null {
  const [, playbackId] = playablePath.exec(path) ?? [];
  return playbackId === undefined || isDownload || !startsPlayback(rangeHeader) ? null : playbackId;
}

/**
 * Whether a response with this status lets the player play: it contains media, or is 304, with which the player uses its
 * cached copy.
 */
export const isPlaybackStatus = (status: number): boolean => [200, 206, 304].includes(status);

/**
 * Whether a request with this Range header starts playback. Safari requests the first two bytes before it plays; that
 * request does not count.
 */
function startsPlayback(rangeHeader: string | undefined): boolean {
  const [, first, last = ''] = singleByteRange.exec(rangeHeader ?? '') ?? [];
  if (first === undefined) return true;
  return first !== '' && Number(first) === 0 && (last === '' || Number(last) > 1);
}
