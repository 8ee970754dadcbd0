import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CodecConfigError } from '@/media-worker/media/cmaf/codec-config';
import { FfmpegFailed } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { type ByteSource, MovieError, withFile } from './byte-source';
import { indexedInit, indexedMaster, indexedPlaylist, initFile, segmentFile } from './indexed-hls';
import { makeIndex } from './make-index';
import { NeedsConversion } from './needs-conversion';
import { openSegment } from './open-segment';
import type { EncodingPlace } from './reencode';
import { indexBytes, readIndexHead } from './stored-index';

export interface HlsFolders {
  /** Gets `index.m3u8`. */
  readonly folder: string;
  /** In it: gets the media playlist, the init segment and the segments. */
  readonly media: string;
  /** Frames a second, if known. */
  readonly frameRate: number | undefined;
  /** Tracks that have to be found. */
  readonly tracks: readonly ('video' | 'audio')[];
}

export interface WritingPlace extends EncodingPlace {
  /** Seconds that are written. */
  readonly onProgress?: ((seconds: number) => void) | undefined;
}

/** Frames around a cut that cannot be decoded are a fault of the file. */
const faultsOfTheFile = [NeedsConversion, MovieError, CodecConfigError, FfmpegFailed];

/**
 * Writes HLS of an MP4 as its index describes it.
 * @returns the seconds it plays, or the reason why the file has to be converted first
 * @throws FfmpegKilled, StorageError `full`
 */
export async function writeIndexedHls(
  input: string,
  hls: HlsFolders,
  place: WritingPlace,
): Promise<{ readonly seconds: number } | { readonly refused: string }> {
  const indexPath = `${hls.folder}.index`;
  try {
    return await withFile(input, async (file) => {
      const made = await makeIndex(file, place);
      const missing = hls.tracks.find((track) => made[track] === undefined);
      if (missing) throw new NeedsConversion(`its ${missing} is of an unknown kind`);
      await writeFile(indexPath, indexBytes(made, ''));
      return { seconds: await withFile(indexPath, (index) => writeSegments({ file, index }, hls, place)) };
    });
  } catch (error) {
    if (faultsOfTheFile.some((fault) => error instanceof fault)) return { refused: (error as Error).message };
    throw error;
  } finally {
    await rm(indexPath, { force: true });
  }
}

async function writeSegments(
  sources: { readonly file: ByteSource; readonly index: ByteSource },
  { folder, media, frameRate }: HlsFolders,
  { signal, onProgress }: WritingPlace,
): Promise<number> {
  const head = await readIndexHead(sources.index);
  let seconds = 0;
  for (const [number, segment] of head.segments.entries()) {
    const opened = await openSegment({ ...sources, head }, number);
    if (opened)
      await pipeline(Readable.from(opened.body()), createWriteStream(join(media, segmentFile(number))), {
        signal,
      });
    seconds += segment.seconds;
    onProgress?.(seconds);
  }
  await writeFile(join(media, initFile), indexedInit(head));
  await writeFile(join(media, 'index.m3u8'), indexedPlaylist(head));
  await writeFile(join(folder, 'index.m3u8'), indexedMaster(head, frameRate));
  return seconds;
}
