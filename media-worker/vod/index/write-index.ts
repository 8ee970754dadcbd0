import { writeFile } from 'node:fs/promises';
import { CodecConfigError } from '@/media-worker/media/cmaf/codec-config';
import { FfmpegFailed } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { MovieError, withFile } from './byte-source';
import { type MovieIndex, makeIndex } from './make-index';
import { NeedsConversion } from './needs-conversion';
import type { EncodingPlace } from './reencode';
import { type IndexedSource, indexBytes } from './stored-index';

/** The file to index, and facts that are certain before it is read. */
export interface IndexWork {
  /** Path on the local disk. */
  readonly input: string;
  /** Path for the index. */
  readonly output: string;
  readonly source: Omit<IndexedSource, 'bytes'>;
  readonly tracks: readonly ('video' | 'audio')[];
}

const secondsOf = ({ periods }: MovieIndex): number =>
  periods.flatMap(({ segments }) => segments).reduce((sum, { seconds }) => sum + seconds, 0);

/** Faults of the file, including frames around a cut that cannot be decoded. */
const faultsOfTheFile = [NeedsConversion, MovieError, CodecConfigError, FfmpegFailed];

/**
 * Writes the index of an MP4.
 * @returns the playable seconds, or the reason why HLS cannot be generated from the file
 * @throws FfmpegKilled, StorageError `full`
 */
export async function writeIndex(
  { input, output, source, tracks }: IndexWork,
  workplace: EncodingPlace,
): Promise<{ readonly seconds: number } | { readonly refusal: string }> {
  try {
    return await withFile(input, async (file) => {
      const movieIndex = await makeIndex(file, workplace);
      const missing = tracks.find((track) =>
        movieIndex.periods.every((period) => period[track] === undefined),
      );
      if (missing) throw new NeedsConversion(`its ${missing} is of an unknown kind`);
      await writeFile(output, indexBytes(movieIndex, { ...source, bytes: file.size }));
      return { seconds: secondsOf(movieIndex) };
    });
  } catch (error) {
    if (faultsOfTheFile.some((fault) => error instanceof fault)) return { refusal: (error as Error).message };
    throw error;
  }
}
