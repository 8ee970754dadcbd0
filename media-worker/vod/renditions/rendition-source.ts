import { buffer } from 'node:stream/consumers';
import { masterPlaylist, type PlaylistRendition } from '@/lib/core/hls/playlist';
import { readMasterPlaylist, readStoredPlaylist, type StoredPlaylist } from '@/lib/core/hls/read-playlist';
import { maxSegmentSeconds } from '@/lib/core/renditions/rendition-budget';
import type { RequestedRendition } from '@/lib/core/renditions/ladder';
import {
  bandwidthOf,
  codecOf,
  profileLadder,
  vodLadder,
  type VodRendition,
} from '@/lib/core/renditions/vod-ladder';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { readInit, type InitTrack } from '@/media-worker/media/cmaf/read-init';
import { readSegment, type SegmentMedia } from '@/media-worker/media/cmaf/read-segment';

/** The stored HLS of an asset, from which its renditions are made. */
export interface RenditionSource {
  /** The folder of its files. */
  readonly filesId: string;
  /** Lists the source and the renditions. */
  readonly master: string;
  readonly playlist: StoredPlaylist;
  readonly renditions: readonly VodRendition[];
  readonly init: Buffer;
  /** Timescale of its video. */
  readonly timescale: number;
  readonly entry: Buffer;
}

type Reads = Pick<StorageDriver, 'head' | 'read'>;

/** A day of 2 s segments has a playlist of 3 MB. */
const maxPlaylistBytes = 4 * 2 ** 20;
/** 20 s at the highest bitrate of uploads; more would not fit into memory many times. */
const maxSegmentBytes = 128 * 2 ** 20;

/** Init segment of an asset's own file; recordings have one per period. */
const initName = /^(?:[0-9a-f]{12}-)?init\.mp4$/;

/**
 * @param filesId folder of the files
 * @param profiles renditions the asset was created with
 * @returns null for assets
 * without renditions on demand: audio only, several stored renditions, a discontinuous timeline, segments that are too
 * long, or nothing smaller than the source
 */
export async function readRenditionSource(
  storage: Reads,
  filesId: string,
  profiles: readonly RequestedRendition[] | null = null,
): Promise<RenditionSource | null> {
  const readAssetFile = (file: string) =>
    readWhole(storage, assetKey(filesId, `hls/${file}`), maxPlaylistBytes);
  const [master, media] = await Promise.all(
    ['index.m3u8', 'source/index.m3u8'].map((file) => readAssetFile(file)),
  );
  if (!master || !media) return null;
  const listedRenditions = readMasterPlaylist(master.toString());
  const playlist = readStoredPlaylist(media.toString());
  const [source] = listedRenditions;
  if (!source?.resolution || listedRenditions.length > 1 || !playlist || !initName.test(playlist.init))
    return null;
  const init = await readAssetFile(`source/${playlist.init}`);
  if (!init) return null;
  const { codecs } = source;
  if (!codecs[0]?.startsWith('avc') || playlist.segments.some(({ seconds }) => seconds > maxSegmentSeconds))
    return null;
  const video = videoOf(init);
  if (!video) return null;
  const codedSize = { width: video.width / 0x10000, height: video.height / 0x10000 };
  const facts = { ...codedSize, fps: source.frameRate, bitrate: source.averageBandwidth };
  const hasAudio = codecs.length > 1;
  const picture = { ...facts, hasAudio };
  const renditions = profiles ? profileLadder(profiles, picture) : vodLadder(picture);
  if (renditions.length === 0) return null;
  const turned = codedSize.width > codedSize.height !== source.resolution.width > source.resolution.height;
  const entries = renditions.map((rendition) => listedAs(rendition, source, { turned, hasAudio }));
  const { timescale, entry } = video;
  return {
    ...{ filesId, playlist, renditions, init, timescale, entry },
    master: masterPlaylist([source, ...entries]),
  };
}

/** Null for an init segment without video, or with another codec: then the stored playlist is served unchanged. */
function videoOf(init: Buffer): InitTrack | null {
  try {
    return readInit(init).find(({ handler }) => handler === 'vide') ?? null;
  } catch {
    return null;
  }
}

function listedAs(
  rendition: VodRendition,
  source: PlaylistRendition,
  { turned, hasAudio }: { readonly turned: boolean; readonly hasAudio: boolean },
): PlaylistRendition {
  const { name, width, height, fps } = rendition;
  return {
    uri: `${name}/index.m3u8`,
    ...bandwidthOf(rendition, { hasAudio }),
    codecs: [codecOf(rendition), ...source.codecs.slice(1)],
    resolution: turned ? { width: height, height: width } : { width, height },
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
  { filesId, init }: Pick<RenditionSource, 'filesId' | 'init'>,
  uri: string,
): Promise<SegmentMedia> {
  const segment = await readWhole(storage, assetKey(filesId, `hls/source/${uri}`), maxSegmentBytes);
  if (!segment) throw new Error(`Segment ${uri} of the files ${filesId} cannot be read`);
  return readSegment(segment, init);
}

/** Null if it is missing, or larger than `maxBytes`. */
async function readWhole(storage: Reads, key: string, maxBytes: number): Promise<Buffer | null> {
  const object = await storage.head(key);
  if (!object || object.bytes > maxBytes) return null;
  const stream = await storage.read(key);
  return stream && buffer(stream);
}
