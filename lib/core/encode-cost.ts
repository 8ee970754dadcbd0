import { ladderOf, type Rung, type SourcePicture, type WantedRung } from './ladder';
import type { FileSpec } from './video-spec';

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
export function renditionOf(profile: WantedRung, spec: Pick<FileSpec, 'tracks'>): Rung | null {
  const picture = pictureOf(spec);
  if (!picture) return null;
  const source = { ...picture, width: picture.width * enlarged, height: picture.height * enlarged };
  return ladderOf([profile], source).rungs[0] ?? null;
}

/** Pixels that an encoder reads and writes for each second of the file. */
export function pixelsPerSecond(rung: Rung, spec: Pick<FileSpec, 'tracks'>): number {
  const picture = pictureOf(spec);
  if (!picture) return 0;
  const written = rung.width * rung.height * (rung.fps ?? picture.fps);
  return picture.width * picture.height * picture.fps + written;
}

/** Pixels that a transcode task has to read and write; what accounts are compared by. */
export function encodeCost(profile: WantedRung, spec: Video): number {
  const rung = renditionOf(profile, spec);
  return rung ? pixelsPerSecond(rung, spec) * spec.duration : 0;
}
