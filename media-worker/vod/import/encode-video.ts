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
  readonly chunkFolder: string;
  readonly rendition: RenditionSpec;
  /** Duration of the file. */
  readonly durationSeconds: number;
  /** Start of the file's timeline, in seconds. */
  readonly startSeconds: number;
  /** End of the last frame; null if it is not known. */
  readonly videoEnd: VideoEnd | null;
  /** Frames per second of the rendition. */
  readonly fps: number;
  /** Whether the file is encoded without chunks, because its frames have no timestamps until they are decoded. */
  readonly isOnePass?: boolean;
  /** Pixels decoded and encoded per second of video. */
  readonly pixelsPerSecond: number;
  /** Tracks and conversion of the file; absent if the input is the MP4 of an asset. */
  readonly source?: ForeignSource;
}

interface EncodeOptions {
  readonly signal: AbortSignal;
  /** Progress from 0 to 1. */
  readonly onFraction: (fraction: number) => void;
  /**
   * Called after a chunk was encoded while others remain. If it rejects, no further chunk starts, and the encoding
   * fails with that error after the running chunks have finished.
   */
  readonly betweenChunks?: () => Promise<void>;
}

/** Latest start of a timeline that is encoded in chunks: the times of chunks count from zero. */
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
  const { rendition, durationSeconds, fps, startSeconds, isOnePass, pixelsPerSecond } = encoding;
  const gopSeconds =
    rendition.gopFrames === null ? DEFAULT_GOP_SECONDS : rendition.gopFrames / Math.max(fps, 1);
  const chunks = planChunks(durationSeconds, gopSeconds, maxEncoders(machine.cores), pixelsPerSecond);
  if (isOnePass || chunks.length === 1 || Math.abs(startSeconds) > MAX_START_SECONDS) {
    const onProgress = ({ seconds }: { readonly seconds: number }) =>
      onFraction(seconds / Math.max(durationSeconds, 1));
    await runFfmpegJob(planTranscode(encoding), { signal, durationSeconds, onProgress });
    return;
  }
  await mkdir(encoding.chunkFolder, { recursive: true });
  const joinFraction = (encoding.source?.audioArgs ?? []).length > 0 ? JOIN_FRACTION : 0;
  const onChunksFraction = (fraction: number) => onFraction(fraction * (1 - joinFraction));
  const options = { signal, onFraction: onChunksFraction, ...(betweenChunks ? { betweenChunks } : {}) };
  await encodeChunks(encoding, chunks, options, machine);
  await joinChunks(encoding, chunks, {
    signal,
    onFraction: (fraction) => onFraction(1 - joinFraction + joinFraction * fraction),
  });
}

/** Encodes all chunks, in the order of the video, as many at a time as the machine has spare cores. */
async function encodeChunks(
  encoding: Encoding,
  chunks: readonly EncodeChunk[],
  { signal, onFraction, betweenChunks }: EncodeOptions,
  { cores, busyCores: measureBusyCores }: Machine,
): Promise<void> {
  const failure = new AbortController();
  const stopSignal = AbortSignal.any([signal, failure.signal]);
  const secondsOfChunks = chunks.map(() => 0);
  const waitingChunks = chunks.entries();
  const runningChunks = new Set<Promise<void>>();
  let nextChunk = waitingChunks.next();
  // Number of chunks that this run has encoded. Chunks of an earlier run do not count, so that each run encodes at
  // least one.
  let encodedChunkCount = 0;
  while (!nextChunk.done || runningChunks.size > 0) {
    if (encodedChunkCount > 0 && !nextChunk.done && !stopSignal.aborted) {
      await betweenChunks?.().catch(async (error: unknown) => {
        await Promise.all(runningChunks);
        failure.abort(error);
      });
    }
    // After the last chunk has started the load is not measured, because all chunks may end during the
    // measurement.
    const encoders = nextChunk.done ? 0 : encodersToRun({ cores, busyCores: await measureBusyCores() });
    const canStart = () => runningChunks.size < encoders && !stopSignal.aborted;
    for (; !nextChunk.done && canStart(); nextChunk = waitingChunks.next()) {
      const [index, chunk] = nextChunk.value;
      const onSeconds = (chunkSeconds: number) => {
        secondsOfChunks[index] = chunkSeconds;
        onFraction(secondsOfChunks.reduce((sum, value) => sum + value, 0) / encoding.durationSeconds);
      };
      const job = encodeChunk(encoding, chunk, {
        signal: stopSignal,
        threads: encoders === 1 ? null : threadsPerEncoderFor(cores),
        onSeconds,
      })
        .then((wasEncoded) => {
          if (wasEncoded) encodedChunkCount += 1;
        })
        .catch((error: unknown) => failure.abort(error))
        .finally(() => runningChunks.delete(job));
      runningChunks.add(job);
    }
    if (stopSignal.aborted) await Promise.all(runningChunks);
    stopSignal.throwIfAborted();
    await Promise.race(runningChunks);
  }
  // The chunk that ended last may have failed.
  stopSignal.throwIfAborted();
}

interface ChunkJob {
  readonly signal: AbortSignal;
  /** Threads of the encoder; null for as many as it needs, if it is the only one. */
  readonly threads: number | null;
  /** Called with the seconds of the chunk that are encoded. */
  readonly onSeconds: (chunkSeconds: number) => void;
}

const secondsOfChunk = ({ startSeconds, endSeconds }: EncodeChunk, durationSeconds: number) =>
  (endSeconds ?? durationSeconds) - startSeconds;
const chunkFileName = ({ startSeconds, endSeconds }: EncodeChunk) =>
  `chunk-${startSeconds}-${endSeconds ?? 'end'}.mp4`;

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
  const { chunkFolder, durationSeconds } = encoding;
  const path = join(chunkFolder, chunkFileName(chunk));
  const chunkSeconds = secondsOfChunk(chunk, durationSeconds);
  const statsBefore = await stat(path).catch(() => null);
  const wasEncodedBefore = statsBefore !== null && statsBefore.size > 0;
  if (!wasEncodedBefore) {
    const output = `${path}.part`;
    await runFfmpegJob(planChunk({ ...encoding, output }, chunk, threads), {
      signal,
      durationSeconds: chunkSeconds,
      onProgress: ({ seconds }) =>
        onSeconds(Math.min(chunkSeconds, Math.max(0, seconds - chunk.startSeconds))),
    });
    await flush(output);
    await rename(output, path);
  }
  onSeconds(chunkSeconds);
  return !wasEncodedBefore;
}

/** Joins the chunks to the output, and adds the audio. */
async function joinChunks(
  encoding: Encoding,
  chunks: readonly EncodeChunk[],
  { signal, onFraction }: Pick<EncodeOptions, 'signal' | 'onFraction'>,
) {
  const { chunkFolder, durationSeconds, startSeconds, videoEnd } = encoding;
  const files: { name: string; start: number }[] = [];
  for (const chunk of chunks) {
    const name = chunkFileName(chunk);
    // A chunk without frames cannot be joined.
    if (await hasFrames(join(chunkFolder, name))) files.push({ name, start: chunk.startSeconds });
  }
  if (files.length === 0) throw new FfmpegFailed('no frame of the video could be encoded');
  const listPath = join(chunkFolder, 'chunks.ffconcat');
  await writeFile(listPath, formatChunkList(files));
  const onProgress = ({ seconds }: { readonly seconds: number }) =>
    onFraction(Math.min(1, seconds / durationSeconds));
  // Chunks keep the times of the file, so the end counts from zero, not from the start of the timeline.
  const videoEndInChunks = videoEnd && { ...videoEnd, seconds: startSeconds + videoEnd.seconds };
  const plan = planJoin(listPath, { ...encoding, videoEnd: videoEndInChunks });
  await runFfmpegJob(plan, { signal, durationSeconds, onProgress });
  onFraction(1);
}

/** Whether the media data (`mdat`) of an MP4 is more than its box header of up to 16 bytes. */
async function hasFrames(path: string): Promise<boolean> {
  const { boxes } = await readOutline(path);
  return boxes.some(({ type, size }) => type === 'mdat' && size > 16);
}
