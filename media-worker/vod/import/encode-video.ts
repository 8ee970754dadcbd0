import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EncodeChunk,
  planChunks,
  encodersToRun,
  maxEncoders,
  threadsPerEncoderFor,
} from '@/lib/core/renditions/encode-plan';
import type { VideoEnd } from '@/lib/core/media/media-probe';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { flush } from '@/lib/infra/storage/local-files';
import { FfmpegFailed, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import {
  type ForeignSource,
  formatChunkList,
  planChunk,
  DEFAULT_GOP_SECONDS,
  planJoin,
  planTranscode,
} from '@/media-worker/media/ffmpeg/transcode-args';
import { readOutline } from './accept-file';
import { type Machine, createMachine } from '@/media-worker/vod/renditions/core-load';

export interface Encoding {
  readonly input: string;
  readonly output: string;
  /** Folder of the chunks. Complete chunks in this folder are not encoded again. */
  readonly folder: string;
  readonly rendition: RenditionSpec;
  /** Duration of the file, seconds. */
  readonly duration: number;
  /** Start of the file's timeline, in seconds. */
  readonly startsAt: number;
  /** End of the last frame; null if it is not known. */
  readonly videoEnd: VideoEnd | null;
  /** Frames per second of the rendition. */
  readonly fps: number;
  /** Whether the file is encoded without chunks, because its frames have no times before they are decoded. */
  readonly onePass?: boolean;
  /** Pixels decoded and encoded per second of video. */
  readonly pixelsPerSecond: number;
  /** Tracks and conversion of the file; absent if the input is the MP4 of an asset. */
  readonly source?: ForeignSource;
}

interface EncodeOptions {
  readonly signal: AbortSignal;
  /** Progress from 0 to 1. */
  readonly onFraction: (share: number) => void;
  /**
   * Called after a chunk was encoded while others remain. If it rejects, no further chunk starts, and the encoding
   * fails with that error after the running chunks have finished.
   */
  readonly betweenChunks?: () => Promise<void>;
}

/** Latest start of a file that is encoded in chunks, seconds: chunk times count from zero. */
const MAX_START_SECONDS = 1;

/** Fraction of the progress for joining the chunks, if the audio is encoded in that step. */
const JOIN_FRACTION = 0.1;

/**
 * Encodes the video track of a file, and copies or encodes its audio. A long file is encoded in chunks: as many in
 * parallel as the machine has spare cores, and a later run reuses the finished ones. The caller must check the
 * output.
 * @throws FfmpegFailed, the reason of the signal, or the error of `betweenChunks`
 */
export async function encodeVideo(
  encoding: Encoding,
  { signal, onFraction, betweenChunks }: EncodeOptions,
  machine: Machine = createMachine(),
): Promise<void> {
  const { rendition, duration, fps, startsAt, onePass, pixelsPerSecond } = encoding;
  const gop = rendition.gopFrames === null ? DEFAULT_GOP_SECONDS : rendition.gopFrames / Math.max(fps, 1);
  const chunks = planChunks(duration, gop, maxEncoders(machine.cores), pixelsPerSecond);
  if (onePass || chunks.length === 1 || Math.abs(startsAt) > MAX_START_SECONDS) {
    const onProgress = ({ seconds }: { readonly seconds: number }) =>
      onFraction(seconds / Math.max(duration, 1));
    await runFfmpegJob(planTranscode(encoding), { signal, duration, onProgress });
    return;
  }
  await mkdir(encoding.folder, { recursive: true });
  const fractionOfJoin = (encoding.source?.audioArgs ?? []).length > 0 ? JOIN_FRACTION : 0;
  const onChunks = (share: number) => onFraction(share * (1 - fractionOfJoin));
  const options = { signal, onFraction: onChunks, ...(betweenChunks ? { betweenChunks } : {}) };
  await encodeChunks(encoding, chunks, options, machine);
  await joinChunks(encoding, chunks, {
    signal,
    onFraction: (share) => onFraction(1 - fractionOfJoin + fractionOfJoin * share),
  });
}

async function encodeChunks(
  encoding: Encoding,
  chunks: readonly EncodeChunk[],
  { signal, onFraction, betweenChunks }: EncodeOptions,
  { cores, busyCores: busy }: Machine,
): Promise<void> {
  const controller = new AbortController();
  const endSignal = AbortSignal.any([signal, controller.signal]);
  const seconds = chunks.map(() => 0);
  const waitingChunks = chunks.entries();
  const runningChunks = new Set<Promise<void>>();
  let next = waitingChunks.next();
  // Number of chunks that this run has encoded. Chunks of an earlier run do not count, so that each run encodes at
  // least one.
  let encodedChunks = 0;
  while (!next.done || runningChunks.size > 0) {
    if (encodedChunks > 0 && !next.done && !endSignal.aborted) {
      await betweenChunks?.().catch(async (error: unknown) => {
        await Promise.all(runningChunks);
        controller.abort(error);
      });
    }
    // After the last chunk has started the load is not measured, because all chunks may end during the
    // measurement.
    const encoders = next.done ? 0 : encodersToRun({ cores, busy: await busy() });
    for (; !next.done && runningChunks.size < encoders && !endSignal.aborted; next = waitingChunks.next()) {
      const [index, chunk] = next.value;
      const onSeconds = (chunkSeconds: number) => {
        seconds[index] = chunkSeconds;
        onFraction(seconds.reduce((sum, value) => sum + value, 0) / encoding.duration);
      };
      const job = encodeChunk(encoding, chunk, {
        signal: endSignal,
        threads: encoders === 1 ? null : threadsPerEncoderFor(cores),
        onSeconds,
      })
        .then((isMade) => {
          if (isMade) encodedChunks += 1;
        })
        .catch((error: unknown) => controller.abort(error))
        .finally(() => runningChunks.delete(job));
      runningChunks.add(job);
    }
    if (endSignal.aborted) await Promise.all(runningChunks);
    endSignal.throwIfAborted();
    await Promise.race(runningChunks);
  }
  // The chunk that ended last may have failed.
  endSignal.throwIfAborted();
}

interface ChunkJob {
  readonly signal: AbortSignal;
  readonly threads: number | null;
  readonly onSeconds: (chunkSeconds: number) => void;
}

const durationOfChunk = ({ start, end }: EncodeChunk, duration: number) => (end ?? duration) - start;
const chunkFileName = ({ start, end }: EncodeChunk) => `chunk-${start}-${end ?? 'end'}.mp4`;

/**
 * Encodes one chunk, unless an earlier run has encoded it. The file gets its final name only after a flush, because
 * an empty file after a crash would look like a chunk without frames.
 * @returns false if an earlier run has encoded the chunk
 */
async function encodeChunk(
  encoding: Encoding,
  chunk: EncodeChunk,
  { signal, threads, onSeconds }: ChunkJob,
): Promise<boolean> {
  const { folder, duration } = encoding;
  const path = join(folder, chunkFileName(chunk));
  const length = durationOfChunk(chunk, duration);
  const statsBefore = await stat(path).catch(() => null);
  const isEncoded = statsBefore !== null && statsBefore.size > 0;
  if (!isEncoded) {
    const output = `${path}.part`;
    await runFfmpegJob(planChunk({ ...encoding, output }, chunk, threads), {
      signal,
      duration: length,
      onProgress: ({ seconds }) => onSeconds(Math.min(length, Math.max(0, seconds - chunk.start))),
    });
    await flush(output);
    await rename(output, path);
  }
  onSeconds(length);
  return !isEncoded;
}

async function joinChunks(
  encoding: Encoding,
  chunks: readonly EncodeChunk[],
  { signal, onFraction }: Pick<EncodeOptions, 'signal' | 'onFraction'>,
) {
  const { folder, duration, startsAt, videoEnd } = encoding;
  const files: { name: string; start: number }[] = [];
  for (const chunk of chunks) {
    const name = chunkFileName(chunk);
    // A chunk without frames cannot be joined.
    if (await hasMedia(join(folder, name))) files.push({ name, start: chunk.start });
  }
  if (files.length === 0) throw new FfmpegFailed('no frame of the video could be encoded');
  const list = join(folder, 'chunks.ffconcat');
  await writeFile(list, formatChunkList(files));
  const onProgress = ({ seconds }: { readonly seconds: number }) =>
    onFraction(Math.min(1, seconds / duration));
  // Chunks keep the times of the file.
  const end = videoEnd && { ...videoEnd, seconds: startsAt + videoEnd.seconds };
  await runFfmpegJob(planJoin(list, { ...encoding, videoEnd: end }), { signal, duration, onProgress });
  onFraction(1);
}

async function hasMedia(path: string): Promise<boolean> {
  const { boxes } = await readOutline(path);
  return boxes.some(({ type, size }) => type === 'mdat' && size > 16);
}
