import { type FileHandle, open } from 'node:fs/promises';
import { readLead } from '@/media-worker/media/cmaf/read-lead';
import { readOutline } from './accept-file';

/** An index of an hour of video takes about two megabytes. */
const maxIndexBytes = 64 * 1024 ** 2;

/** Seconds of video before the first frame that the edit list shows. */
export const leadOf = (path: string): Promise<number> => withIndexOf(path, 'r', readLead);

/** Reads the index of an MP4. @param use gets the `moov` box and its position in the file */
export async function withIndexOf<T>(
  path: string,
  flags: 'r' | 'r+',
  use: (moov: Buffer, file: FileHandle, start: number) => T | Promise<T>,
): Promise<T> {
  const { boxes } = await readOutline(path);
  const moov = boxes.find(({ type }) => type === 'moov');
  if (!moov || moov.size > maxIndexBytes) throw new Error('The file has no index of a usual size');
  const file = await open(path, flags);
  try {
    const index = Buffer.alloc(moov.size);
    await file.read(index, 0, moov.size, moov.start);
    return await use(index, file, moov.start);
  } finally {
    await file.close();
  }
}
