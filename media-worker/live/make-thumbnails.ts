import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFfmpeg } from '../ffmpeg/run';
import { thumbnailPlan } from '../ffmpeg/thumbnail-args';
import type { ThumbnailSource } from './thumbnail-source';

const timeoutMs = 10_000;
/** Thirty decoders of 1080p at the same time need a third of this. */
const sandbox = { memory: 2_000_000_000, fileSize: 1_048_576, cpuSeconds: 30 };
const mostBytes = 524_288;

/**
 * One JPEG each, in their order, by one ffmpeg without network and within limits; null where that one could not be
 * made. Rejects when there is no room for the files.
 */
export async function makeThumbnails(sources: readonly ThumbnailSource[]): Promise<(Buffer | null)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-thumbnails-'));
  try {
    const jobs = sources.map(({ width, height }, index) => ({
      input: join(folder, `${index}.mp4`),
      output: join(folder, `${index}.jpg`),
      width,
      height,
    }));
    await Promise.all(
      jobs.map(({ input }, index) => writeFile(input, Buffer.concat([...(sources[index]?.bytes ?? [])]))),
    );
    // How it ended says nothing about each of them: the files do.
    await runFfmpeg(thumbnailPlan(jobs), { sandbox, signal: AbortSignal.timeout(timeoutMs) }).done;
    return await Promise.all(jobs.map(({ output }) => readPicture(output)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null when it is missing, or not a whole JPEG. */
async function readPicture(path: string): Promise<Buffer | null> {
  const bytes = await readFile(path).catch(() => null);
  if (!bytes || bytes.length > mostBytes || bytes.length < 4) return null;
  return bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9 ? bytes : null;
}
