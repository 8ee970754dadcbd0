import { buffer } from 'node:stream/consumers';
import { formatMasterPlaylist, type PlaylistRendition } from '@/lib/core/hls/playlist';
import { parseMasterPlaylist, parseStoredPlaylist, type StoredPlaylist } from '@/lib/core/hls/read-playlist';
import { canEncodeSegment } from '@/lib/core/renditions/rendition-budget';
import type { RequestedRendition } from '@/lib/core/renditions/ladder';
import {
  renditionBandwidthOf,
  h264CodecOf,
  createProfileLadder,
  adaptRendition,
  createVodLadder,
  type VodRendition,
} from '@/lib/core/renditions/vod-ladder';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { readInit } from '@/media-worker/media/cmaf/read-init';
import { readSegment, type SegmentMedia } from '@/media-worker/media/cmaf/read-segment';

/** Media of the source with one init segment. */
export interface SourcePeriod {
  readonly init: Buffer;
  /** Ticks per second of the video. */
  readonly timescale: number;
  /** Sample entry of the video (`avc1`). */
  readonly entry: Buffer;
  /** Size as coded, before rotation. */
  readonly size: FrameSize;
}

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** The stored HLS from which the renditions of an asset are encoded. */
export interface RenditionSource {
  /** Folder of the asset's files. */
  readonly filesId: string;
  /** Master playlist of the source and the renditions. */
  readonly master: string;
  readonly playlist: StoredPlaylist;
  /** Renditions for the largest video size. */
  readonly renditions: readonly VodRendition[];
  /** Periods by the name of their init segment. */
  readonly periods: ReadonlyMap<string, SourcePeriod>;
  readonly largest: FrameSize;
  readonly frameRate: number | undefined;
}

type Reads = Pick<StorageDriver, 'head' | 'read'>;

/** Largest playlist; a day of 2 s segments has one of 3 MB. */
const MAX_PLAYLIST_BYTES = 4 * 2 ** 20;
/** Largest segment: 20 s at the highest bitrate of uploads. Several larger ones would not fit into memory. */
const MAX_SEGMENT_BYTES = 128 * 2 ** 20;
const MAX_INIT_BYTES = 64 * 2 ** 10;
/**
 * Maximum number of periods, each of which has an init segment in memory. Encoders whose connection breaks every minute begin a
 * period each time.
 */
export const MAX_PERIODS = 200;

/** Init segment of an asset's own file, or of a recording, which has one for each period. */
const initName = /^(?:[0-9a-f]{12}-)?init(?:-[0-9-]{1,32})?\.mp4$/;
const isVideoCodec = (codec: string): boolean => !codec.startsWith('mp4a');

/**
 * Reads the source of the renditions of an asset from its HLS.
 * @param filesId folder of the asset's files
 * @param profiles renditions that the asset was created with
 * @returns null for assets without renditions on demand: HLS that is missing or has too long playlists, no video or
 * video that is not H.264, several stored renditions, more periods than `MAX_PERIODS`, segments that are too long, or
 * no rendition smaller than the source
 */
export async function readRenditionSource(
  storage: Reads,
  filesId: string,
  profiles: readonly RequestedRendition[] | null = null,
): Promise<RenditionSource | null> {
  const readAssetFile = (file: string, maxBytes: number) =>
    readWhole(storage, assetKey(filesId, `hls/${file}`), maxBytes);
  const [masterPlaylist, mediaPlaylist] = await Promise.all(
    ['index.m3u8', 'source/index.m3u8'].map((file) => readAssetFile(file, MAX_PLAYLIST_BYTES)),
  );
  if (!masterPlaylist || !mediaPlaylist) return null;
  const listedRenditions = parseMasterPlaylist(masterPlaylist.toString());
  const playlist = parseStoredPlaylist(mediaPlaylist.toString());
  const [source] = listedRenditions;
  if (!source?.resolution || listedRenditions.length > 1 || !playlist || !canBeEncoded(source, playlist))
    return null;
  const periods = new Map<string, SourcePeriod>();
  for (const name of playlist.inits) {
    const init = await readAssetFile(`source/${name}`, MAX_INIT_BYTES);
    const period = init && parsePeriod(init);
    if (!period) return null;
    periods.set(name, period);
  }
  const sizes = [...periods.values()].map(({ size }) => size);
  const largest = sizes.reduce((a, b) => (areaOf(b) > areaOf(a) ? b : a));
  const largestFormat = { ...largest, fps: source.frameRate, bitrate: source.averageBandwidth };
  const hasAudio = !source.codecs.every(isVideoCodec);
  const sourceFormat = { ...largestFormat, hasAudio };
  const renditions = profiles ? createProfileLadder(profiles, sourceFormat) : createVodLadder(sourceFormat);
  if (renditions.length === 0) return null;
  const isRotated = isQuarterTurn(sizes, source.resolution);
  const entries = renditions.map((rendition) => playlistEntryOf(rendition, source, { isRotated, hasAudio }));
  return {
    filesId,
    playlist,
    renditions,
    periods,
    largest,
    frameRate: source.frameRate,
    master: formatMasterPlaylist([source, ...entries]),
  };
}

function canBeEncoded(
  { codecs, frameRate }: PlaylistRendition,
  { inits, segments }: StoredPlaylist,
): boolean {
  const video = codecs.filter(isVideoCodec);
  return (
    video.length > 0 &&
    video.every((codec) => codec.startsWith('avc')) &&
    inits.length <= MAX_PERIODS &&
    inits.every((name) => initName.test(name)) &&
    segments.every(({ uri, seconds }) => !uri.includes('/') && canEncodeSegment(seconds, frameRate))
  );
}

/** Parses an init segment; null if it has no video or another form. Then the stored playlist is served unchanged. */
function parsePeriod(init: Buffer): SourcePeriod | null {
  try {
    const video = readInit(init).find(({ handler }) => handler === 'vide');
    if (!video) return null;
    const { timescale, entry, width, height } = video;
    // Sizes in an init segment are fixed-point numbers with 16 bits after the point.
    return { init, timescale, entry, size: { width: width / 0x10000, height: height / 0x10000 } };
  } catch {
    return null;
  }
}

const areaOf = ({ width, height }: FrameSize): number => width * height;
const isTall = ({ width, height }: FrameSize): boolean => height > width;

/** Whether the video is rotated by 90 degrees: then no coded size matches the master playlist. */
const isQuarterTurn = (sizes: readonly FrameSize[], listedSize: FrameSize): boolean =>
  sizes.every((size) => isTall(size) !== isTall(listedSize));

/**
 * The period of a segment or an init segment.
 * @throws Error for a file that the playlist does not list
 */
export function periodOfFile({ periods, playlist }: RenditionSource, file: string): SourcePeriod {
  const init = playlist.segments.find(({ uri }) => uri === file)?.init ?? file;
  const period = periods.get(init);
  if (!period) throw new Error(`The playlist does not list ${file}`);
  return period;
}

/** The rendition for the video size of a period. */
export function renditionForPeriod(
  { largest, frameRate }: Pick<RenditionSource, 'largest' | 'frameRate'>,
  rendition: VodRendition,
  { size }: Pick<SourcePeriod, 'size'>,
): VodRendition {
  const isLargest = size.width === largest.width && size.height === largest.height;
  return isLargest ? rendition : adaptRendition(rendition, size, frameRate);
}

function playlistEntryOf(
  rendition: VodRendition,
  source: PlaylistRendition,
  { isRotated, hasAudio }: { readonly isRotated: boolean; readonly hasAudio: boolean },
): PlaylistRendition {
  const { name, width, height, fps } = rendition;
  return {
    uri: `${name}/index.m3u8`,
    ...renditionBandwidthOf(rendition, { hasAudio }),
    codecs: [h264CodecOf(rendition), ...source.codecs.filter((codec) => !isVideoCodec(codec))],
    resolution: isRotated ? { width: height, height: width } : { width, height },
    frameRate: fps ?? source.frameRate,
    independent: source.independent,
  };
}

/**
 * The media of a source segment.
 * @throws Error if it is not stored, or invalid
 */
export async function readSourceSegment(
  storage: Reads,
  source: RenditionSource,
  uri: string,
): Promise<SegmentMedia> {
  const { filesId } = source;
  const segment = await readWhole(storage, assetKey(filesId, `hls/source/${uri}`), MAX_SEGMENT_BYTES);
  if (!segment) throw new Error(`Segment ${uri} of the files ${filesId} cannot be read`);
  return readSegment(segment, periodOfFile(source, uri).init);
}

/** A whole object; null if it is missing, or larger than `maxBytes`. */
async function readWhole(storage: Reads, key: string, maxBytes: number): Promise<Buffer | null> {
  const object = await storage.head(key);
  if (!object || object.bytes > maxBytes) return null;
  const stream = await storage.read(key);
  return stream && buffer(stream);
}
