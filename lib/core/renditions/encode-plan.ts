import type { FileSpec } from '@/lib/core/media/video-spec';
import { type RenditionSpec, type RequestedRendition, type SourceFormat, ladderOf } from './ladder';

/** Larger than any asset, because the ladder leaves out profiles that would upscale. */
const enlargedArea = 64;

type Video = Pick<FileSpec, 'tracks' | 'duration'>;

/** Size and frame rate of a file; null if it is audio-only. */
export function sourceFormatOf({
  tracks,
}: Pick<FileSpec, 'tracks'>): (SourceFormat & { fps: number }) | null {
  const track = tracks.find(({ type }) => type === 'video');
  return track && 'width' in track ? { width: track.width, height: track.height, fps: track.fps } : null;
}

/**
 * The rendition of a transcode task. It has the size of the profile, even above that of the source, because the request
 * names the size. Null for a file without video.
 */
export function renditionOf(
  profile: RequestedRendition,
  spec: Pick<FileSpec, 'tracks'>,
): RenditionSpec | null {
  const video = sourceFormatOf(spec);
  if (!video) return null;
  const source = { ...video, width: video.width * enlargedArea, height: video.height * enlargedArea };
  return ladderOf([profile], source).renditions[0] ?? null;
}

/** Pixels that an encoder reads and writes per second of the file. */
export function pixelsPerSecond(rendition: RenditionSpec, spec: Pick<FileSpec, 'tracks'>): number {
  const video = sourceFormatOf(spec);
  if (!video) return 0;
  const pixelsPerFrame = rendition.width * rendition.height * (rendition.fps ?? video.fps);
  return video.width * video.height * video.fps + pixelsPerFrame;
}

/** Pixels that a transcode task reads and writes: the unit for fairness between teams. */
export function encodeCost(profile: RequestedRendition, spec: Video): number {
  const rendition = renditionOf(profile, spec);
  return rendition ? pixelsPerSecond(rendition, spec) * spec.duration : 0;
}

/** A piece of a video that is encoded separately, in seconds of the video. */
export interface EncodeChunk {
  readonly start: number;
  /** Exclusive; null is the end of the video. */
  readonly end: number | null;
}

/**
 * Chunks are short enough that a dead worker loses little, and long enough that the overhead is small: each chunk
 * decodes two to four seconds of the previous one.
 */
const chunkSecondsParallel = 120;
const chunkSecondsAlone = 300;
/** Minimum duration of a video that is split: shorter ones gain nothing. */
const minSplitSeconds = 60;
/**
 * Maximum pixels that a chunk reads and writes: a minute of 1080p to 1080p at 30 frames per second. Large pictures get
 * shorter chunks, because other teams are served between two chunks.
 */
const pixelsPerChunk = 60 * 2 * 1920 * 1080 * 30;
/** A shorter chunk would decode more of the previous chunk than of itself. */
const minChunkSeconds = 4;
/** Threads that keep one encoder busy; more have diminishing returns. */
const threadsPerEncoder = 2;

/** Maximum number of encoders for a number of cores. On two cores, two encoders with one thread each waste the least. */
export function maxEncoders(cores: number): number {
  return cores <= threadsPerEncoder ? Math.max(1, cores) : Math.ceil(cores / threadsPerEncoder);
}

/**
 * Where a video is split for encoding. The result depends only on the video and the number of encoders, so a run after a
 * crash splits at the same positions. Splits are at whole seconds, where every time base is exact, and at keyframes of the
 * rendition if those are whole seconds apart. Chunks have equal lengths, so that encoders finish together.
 * @param duration in seconds
 * @param gopSeconds between keyframes of the rendition
 * @param pixelsPerSecond read and written per second of the video
 */
export function chunksOf(
  duration: number,
  gopSeconds: number,
  encoders: number,
  pixelsPerSecond: number,
): EncodeChunk[] {
  const usual = encoders > 1 ? chunkSecondsParallel : chunkSecondsAlone;
  const target = Math.max(minChunkSeconds, Math.min(usual, pixelsPerChunk / Math.max(pixelsPerSecond, 1)));
  const step = Number.isInteger(gopSeconds) && gopSeconds > 0 ? gopSeconds : 1;
  const rounds = Math.ceil(duration / (encoders * target));
  const length = Math.ceil(duration / Math.max(1, rounds * encoders) / step) * step;
  if (duration < Math.min(minSplitSeconds, 2 * target)) return [{ start: 0, end: null }];
  const count = Math.max(1, Math.ceil(duration / length));
  return Array.from({ length: count }, (_, index) => ({
    start: index * length,
    end: index === count - 1 ? null : (index + 1) * length,
  }));
}

interface MachineLoad {
  readonly cores: number;
  /** Cores recently used by work with priority over encoders. */
  readonly busy: number;
}

/** How many encoders may run now: one per idle core, at least one with low priority. */
export function encodersNow({ cores, busy }: MachineLoad): number {
  return Math.max(1, Math.min(maxEncoders(cores), Math.round((cores - busy) / threadsOf(cores))));
}

/** Threads of each encoder if several run. */
export function threadsOf(cores: number): number {
  return Math.max(1, Math.floor(cores / maxEncoders(cores)));
}
