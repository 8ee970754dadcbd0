import { ladderOf, type RenditionSpec, type SourcePicture, type RequestedRendition } from './ladder';
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
