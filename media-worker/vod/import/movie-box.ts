import { type FileHandle, open } from 'node:fs/promises';
import { readHiddenLead } from '@/media-worker/media/cmaf/read-lead';
import { readOutline } from './accept-file';

/** Maximum size of a `moov` box; that of an hour of video has about two megabytes. */
const MAX_MOVIE_BOX_BYTES = 64 * 1024 ** 2;

/** Seconds of video before the first frame that the edit list shows. */
export const readHiddenLeadSeconds = (path: string): Promise<number> =>
  withMovieBox(path, 'r', readHiddenLead);

/**
 * Reads the `moov` box of an MP4 and calls `use` with it.
 * @param use gets the whole box, the open file, and the position of the box in the file in bytes
 * @throws Error if the box is missing or too large
 */
export async function withMovieBox<T>(
  path: string,
  flags: 'r' | 'r+',
  use: (moov: Buffer, file: FileHandle, moovStart: number) => T | Promise<T>,
): Promise<T> {
  const { boxes } = await readOutline(path);
  const moovBox = boxes.find(({ type }) => type === 'moov');
  if (!moovBox || moovBox.size > MAX_MOVIE_BOX_BYTES)
    throw new Error('The file has no index of a usual size');
  const file = await open(path, flags);
  try {
    const moov = Buffer.alloc(moovBox.size);
    await file.read(moov, 0, moovBox.size, moovBox.start);
    return await use(moov, file, moovBox.start);
  } finally {
    await file.close();
  }
}
