import { writeFile } from 'node:fs/promises';
import { CodecDataError } from '@/media-worker/media/cmaf/codec-config';
import { FfmpegFailed } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { MovieError, withFile } from './byte-source';
import { type MovieIndex, makeIndex } from './make-index';
import { NeedsConversion } from './needs-conversion';
import type { ReencoderOptions } from './reencode';
import { type IndexedSource, serializeIndex } from './stored-index';

/** The file to index, and facts that are certain before it is read. */
export interface IndexInput {
  /** Path on the local disk. */
  readonly input: string;
  /** Path for the index. */
  readonly output: string;
  readonly source: Omit<IndexedSource, 'bytes'>;
  readonly tracks: readonly ('video' | 'audio')[];
}

const secondsOf = ({ periods }: MovieIndex): number =>
  periods.flatMap(({ segments }) => segments).reduce((sum, { seconds }) => sum + seconds, 0);

/** Errors that the file causes, including frames around a cut that cannot be decoded. */
const fileErrors = [NeedsConversion, MovieError, CodecDataError, FfmpegFailed];

/**
 * Writes the index of an MP4.
 * @returns the playable seconds, or the reason why HLS cannot be generated from the file
 * @throws FfmpegKilled, StorageError `full`
 */
export async function writeIndex(
  { input, output, source, tracks }: IndexInput,
  options: ReencoderOptions,
): Promise<{ readonly seconds: number } | { readonly rejection: string }> {
  try {
    return await withFile(input, async (file) => {
      const movieIndex = await makeIndex(file, options);
      const missingTrack = tracks.find((track) =>
        movieIndex.periods.every((period) => period[track] === undefined),
      );
      if (missingTrack) throw new NeedsConversion(`its ${missingTrack} is of an unknown kind`);
      await writeFile(output, serializeIndex(movieIndex, { ...source, bytes: file.size }));
      return { seconds: secondsOf(movieIndex) };
    });
  } catch (error) {
    if (fileErrors.some((fault) => error instanceof fault)) return { rejection: (error as Error).message };
    throw error;
  }
}
