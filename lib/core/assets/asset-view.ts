/** The parts of a request for a file of an asset that tell whether a viewer starts to watch it. */
interface AssetRequest {
  /** Path below `/asset`, without the query. */
  readonly path: string;
  /** The file is saved instead of played. */
  readonly download: boolean;
  /** The header `Range`. */
  readonly range: string | undefined;
}

const playable = /^\/([a-z0-9]{16})\/(?:index\.m3u8|video(?:\/download\.mp4)?)$/;
const oneRange = /^bytes=(\d*)-(\d*)$/;

/**
 * The playback id of the asset that a player starts with this GET: it asks for the master playlist, or for the video file
 * from its first byte. Null for everything else.
 */
export function startedAsset({ path, download, range }: AssetRequest): string | null {
  const [, playbackId] = playable.exec(path) ?? [];
  return playbackId === undefined || download || !isFromTheStart(range) ? null : playbackId;
}

/** Whether such a GET was answered with media, or with "not modified": then the viewer plays what was kept. */
export const isStarted = (status: number): boolean => [200, 206, 304].includes(status);

/** Safari asks for the first two bytes before it plays: that alone is no start. */
function isFromTheStart(range: string | undefined): boolean {
  const [, first, last = ''] = oneRange.exec(range ?? '') ?? [];
  if (first === undefined) return true;
  return first !== '' && Number(first) === 0 && (last === '' || Number(last) > 1);
}
