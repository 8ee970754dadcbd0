import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteSource, withFile } from '@/media-worker/vod/index/byte-source';
import {
  buildIndexedInit,
  buildIndexedMaster,
  buildIndexedPlaylist,
  initFileName,
  segmentFileName,
} from '@/media-worker/vod/index/indexed-hls';
import { openSegment } from '@/media-worker/vod/index/open-segment';
import { readIndexHead } from '@/media-worker/vod/index/stored-index';
import { writeIndex } from '@/media-worker/vod/index/write-index';

/**
 * Writes all HLS files of an MP4 to a folder: `index.m3u8` and `source/`.
 * @returns the path of the index
 * @throws Error if the file is rejected
 */
export async function writeIndexedHls(
  input: string,
  folder: string,
  { frameRate, dataDir }: { readonly frameRate: number | undefined; readonly dataDir: string },
): Promise<string> {
  const mediaFolder = join(folder, 'source');
  await rm(folder, { recursive: true, force: true });
  await mkdir(mediaFolder, { recursive: true });
  const output = `${folder}.index`;
  const source = { file: 'source.mp4', contentHash: '', frameRate };
  const work = { input, output, source, tracks: [] };
  const writeResult = await writeIndex(work, { dataDir, threads: 1, signal: new AbortController().signal });
  if ('rejection' in writeResult) throw new Error(writeResult.rejection);
  await withFile(input, (file) =>
    withFile(output, (index) => writeSegments({ file, index }, { folder, media: mediaFolder })),
  );
  return output;
}

async function writeSegments(
  sources: { readonly file: ByteSource; readonly index: ByteSource },
  { folder, media }: { readonly folder: string; readonly media: string },
): Promise<void> {
  const head = await readIndexHead(sources.index);
  for (const number of head.segments.keys()) {
    const segment = await openSegment({ ...sources, head }, number);
    if (segment)
      await pipeline(Readable.from(segment.body()), createWriteStream(join(media, segmentFileName(number))));
  }
  for (const [index, period] of head.periods.entries())
    await writeFile(join(media, initFileName('', index)), buildIndexedInit(period));
  await writeFile(join(media, 'index.m3u8'), buildIndexedPlaylist(head));
  await writeFile(join(folder, 'index.m3u8'), buildIndexedMaster(head));
}
