import type { FileSpec } from '@/lib/core/media/video-spec';
import { type RenditionSpec, type RequestedRendition, type SourcePicture, ladderOf } from './ladder';

/** Larger than any asset: the ladder of live streams leaves out what would be enlarged. */
const enlarged = 64;

type Video = Pick<FileSpec, 'tracks' | 'duration'>;

/** The picture of a file; null for sound alone. */
export function pictureOf({ tracks }: Pick<FileSpec, 'tracks'>): (SourcePicture & { fps: number }) | null {
  const track = tracks.find(({ type }) => type === 'video');
  return track && 'width' in track ? { width: track.width, height: track.height, fps: track.fps } : null;
}

/**
 * The rendition of a file that a transcode task asks for. Its size is what the profile says, which may be larger than
 * the source: whoever asks for a transcode names the size. Null for a file without a picture.
 */
export function renditionOf(
  profile: RequestedRendition,
  spec: Pick<FileSpec, 'tracks'>,
): RenditionSpec | null {
  const picture = pictureOf(spec);
  if (!picture) return null;
  const source = { ...picture, width: picture.width * enlarged, height: picture.height * enlarged };
  return ladderOf([profile], source).renditions[0] ?? null;
}

/** Pixels that an encoder reads and writes for each second of the file. */
export function pixelsPerSecond(rendition: RenditionSpec, spec: Pick<FileSpec, 'tracks'>): number {
  const picture = pictureOf(spec);
  if (!picture) return 0;
  const written = rendition.width * rendition.height * (rendition.fps ?? picture.fps);
  return picture.width * picture.height * picture.fps + written;
}

/** Pixels that a transcode task has to read and write; what accounts are compared by. */
export function encodeCost(profile: RequestedRendition, spec: Video): number {
  const rendition = renditionOf(profile, spec);
  return rendition ? pixelsPerSecond(rendition, spec) * spec.duration : 0;
}

/** A piece of a video that is encoded separately, in seconds of its timeline. */
export interface EncodeChunk {
  readonly start: number;
  /** Exclusive; null is the end of the video. */
  readonly end: number | null;
}

/**
 * Short enough that a worker that dies loses little, long enough that beginning anew costs next to nothing: each piece
 * decodes two to four seconds that belong to the one before.
 */
const secondsBesideOthers = 120;
const secondsAlone = 300;
/** What is shorter is not cut: done before a cut has paid. */
const shortest = 60;
/**
 * Pixels that a piece reads and writes at most: a minute of 1080p to 1080p at 30 frames a second. Large pictures are cut
 * in shorter pieces, because between two of them other accounts get their turn.
 */
const pixelsOfPiece = 60 * 2 * 1920 * 1080 * 30;
/** Seconds; a shorter piece would decode more of its neighbour than of itself. */
const shortestPiece = 4;
/** Threads that keep one encoder busy; more of them help it less and less. */
const threadsOfOne = 2;

/** Most encoders for a number of cores. On two cores, two with one thread each waste least. */
export function mostEncoders(cores: number): number {
  return cores <= threadsOfOne ? Math.max(1, cores) : Math.ceil(cores / threadsOfOne);
}

/**
 * Where a video is cut to be encoded. It follows from the video and the number of encoders alone, so a run that goes on
 * after a crash cuts in the same places. Cuts are at whole seconds, where every time base is exact, and at keyframes of
 * the rendition where those are whole seconds apart; pieces are of one length, so that encoders end together.
 * @param duration seconds
 * @param gopSeconds between keyframes of the rendition
 * @param pixelsPerSecond that are read and written for a second of the video
 */
export function chunksOf(
  duration: number,
  gopSeconds: number,
  encoders: number,
  pixelsPerSecond: number,
): EncodeChunk[] {
  const usual = encoders > 1 ? secondsBesideOthers : secondsAlone;
  const target = Math.max(shortestPiece, Math.min(usual, pixelsOfPiece / Math.max(pixelsPerSecond, 1)));
  const step = Number.isInteger(gopSeconds) && gopSeconds > 0 ? gopSeconds : 1;
  const rounds = Math.ceil(duration / (encoders * target));
  const length = Math.ceil(duration / Math.max(1, rounds * encoders) / step) * step;
  if (duration < Math.min(shortest, 2 * target)) return [{ start: 0, end: null }];
  const count = Math.max(1, Math.ceil(duration / length));
  return Array.from({ length: count }, (_, index) => ({
    start: index * length,
    end: index === count - 1 ? null : (index + 1) * length,
  }));
}

interface MachineLoad {
  readonly cores: number;
  /** Cores that were busy lately with what an encoder has to wait for: everything but work of low priority. */
  readonly busy: number;
}

/** How many encoders may run now: those that find cores to spare, and always one, which runs with low priority. */
export function encodersNow({ cores, busy }: MachineLoad): number {
  return Math.max(1, Math.min(mostEncoders(cores), Math.round((cores - busy) / threadsOf(cores))));
}

/** Threads of each of several encoders. */
export function threadsOf(cores: number): number {
  return Math.max(1, Math.floor(cores / mostEncoders(cores)));
}
