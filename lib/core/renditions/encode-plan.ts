import type { FileSpec } from '@/lib/core/media/video-spec';
import { type RenditionSpec, type RequestedRendition, type SourceFormat, createLadder } from './ladder';

/**
 * Factor for the sides of a source that makes it larger than any profile, because the ladder leaves out profiles that are
 * larger than the source.
 */
const ENLARGEMENT_FACTOR = 64;

type Video = Pick<FileSpec, 'tracks' | 'duration'>;

/** Size and frame rate of a file; null if it is audio-only. */
export function sourceFormatOf({
  tracks,
}: Pick<FileSpec, 'tracks'>): (SourceFormat & { fps: number }) | null {
  const track = tracks.find(({ type }) => type === 'video');
  return track && 'width' in track ? { width: track.width, height: track.height, fps: track.fps } : null;
}

/**
 * The rendition of a transcode task; null for a file without video. The profile is used even if it is larger than the
 * source, because the request names its size.
 */
export function createTranscodeRendition(
  profile: RequestedRendition,
  spec: Pick<FileSpec, 'tracks'>,
): RenditionSpec | null {
  const video = sourceFormatOf(spec);
  if (!video) return null;
  const source = {
    ...video,
    width: video.width * ENLARGEMENT_FACTOR,
    height: video.height * ENLARGEMENT_FACTOR,
  };
  return createLadder([profile], source).renditions[0] ?? null;
}

/** Pixels that an encoder reads and writes per second of the file. */
export function encodedPixelsPerSecond(rendition: RenditionSpec, spec: Pick<FileSpec, 'tracks'>): number {
  const video = sourceFormatOf(spec);
  if (!video) return 0;
  const pixelsPerFrame = rendition.width * rendition.height * (rendition.fps ?? video.fps);
  return video.width * video.height * video.fps + pixelsPerFrame;
}

/** Number of pixels that a transcode task reads and writes, by which tasks of different teams are compared. */
export function encodeCost(profile: RequestedRendition, spec: Video): number {
  const rendition = createTranscodeRendition(profile, spec);
  return rendition ? encodedPixelsPerSecond(rendition, spec) * spec.duration : 0;
}

/** A chunk: a range of a video that is encoded separately. Times from the beginning of the video. */
export interface EncodeChunk {
  readonly startSeconds: number;
  /** End of the chunk, exclusive; null for the end of the video. */
  readonly endSeconds: number | null;
}

/**
 * Usual duration of a chunk in seconds, with several encoders and with one. Chunks are short enough that a dead worker loses
 * little work, and long enough that the overhead is small: each chunk also decodes two to four seconds of the previous one.
 */
const CHUNK_SECONDS_PARALLEL = 120;
const CHUNK_SECONDS_ALONE = 300;
/** Minimum duration of a video that is split, in seconds. Shorter videos are not encoded faster in chunks. */
const MIN_SPLIT_SECONDS = 60;
/**
 * Maximum number of pixels that a chunk reads and writes: those of a minute of 1080p at 30 frames per second. Large pictures
 * have shorter chunks, because tasks of other teams can run between two chunks.
 */
const PIXELS_PER_CHUNK = 60 * 2 * 1920 * 1080 * 30;
/** Minimum duration of a chunk in seconds. A shorter chunk would decode more of the previous chunk than of itself. */
const MIN_CHUNK_SECONDS = 4;
/** Number of threads that an encoder can use well. */
const THREADS_PER_ENCODER = 2;

/**
 * Maximum number of encoders for a number of cores. On two cores, two encoders with one thread each waste the
 * least time.
 */
export function maxEncoders(cores: number): number {
  return cores <= THREADS_PER_ENCODER ? Math.max(1, cores) : Math.ceil(cores / THREADS_PER_ENCODER);
}

/**
 * Splits a video into chunks for encoding. The result depends on the arguments only, so an attempt after a crash gets the
 * same chunks. Chunks start at whole seconds, where every time base is exact, and at keyframes of the rendition if those are
 * whole seconds apart. Chunks have equal durations, so that encoders finish together.
 * @param durationSeconds duration of the video
 * @param gopSeconds seconds between keyframes of the rendition
 * @param encoders maximum number of encoders that run concurrently
 * @param pixelsPerSecond number of pixels that are read and written per second of the video
 */
export function planChunks(
  durationSeconds: number,
  gopSeconds: number,
  encoders: number,
  pixelsPerSecond: number,
): EncodeChunk[] {
  const usualSeconds = encoders > 1 ? CHUNK_SECONDS_PARALLEL : CHUNK_SECONDS_ALONE;
  const targetSeconds = Math.max(
    MIN_CHUNK_SECONDS,
    Math.min(usualSeconds, PIXELS_PER_CHUNK / Math.max(pixelsPerSecond, 1)),
  );
  const stepSeconds = Number.isInteger(gopSeconds) && gopSeconds > 0 ? gopSeconds : 1;
  const chunksPerEncoder = Math.ceil(durationSeconds / (encoders * targetSeconds));
  const chunkSeconds =
    Math.ceil(durationSeconds / Math.max(1, chunksPerEncoder * encoders) / stepSeconds) * stepSeconds;
  if (durationSeconds < Math.min(MIN_SPLIT_SECONDS, 2 * targetSeconds))
    return [{ startSeconds: 0, endSeconds: null }];
  const count = Math.max(1, Math.ceil(durationSeconds / chunkSeconds));
  return Array.from({ length: count }, (_, index) => ({
    startSeconds: index * chunkSeconds,
    endSeconds: index === count - 1 ? null : (index + 1) * chunkSeconds,
  }));
}

interface MachineLoad {
  readonly cores: number;
  /** Number of cores that work with a higher priority than encoders used recently. */
  readonly busyCores: number;
}

/** How many encoders may run now: as many as fill the idle cores with their threads, but at least one. */
export function encodersToRun({ cores, busyCores }: MachineLoad): number {
  return Math.max(
    1,
    Math.min(maxEncoders(cores), Math.round((cores - busyCores) / threadsPerEncoderFor(cores))),
  );
}

/** Number of threads of each encoder if the maximum number of encoders runs. */
export function threadsPerEncoderFor(cores: number): number {
  return Math.max(1, Math.floor(cores / maxEncoders(cores)));
}
