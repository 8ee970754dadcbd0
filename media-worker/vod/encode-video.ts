import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import {
  type EncodeChunk,
  chunksOf,
  encodersNow,
  maxEncoders,
  threadsOf,
} from '@/lib/core/renditions/encode-plan';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { flush } from '@/lib/infra/storage/local-files';
import { FfmpegFailed, runFfmpegJob } from '@/media-worker/ffmpeg/run-ffmpeg-job';
import { chunkList, chunkPlan, joinPlan, transcodePlan, defaultGopSeconds } from '../ffmpeg/transcode-args';
import { readOutline } from './accept-file';

interface Times {
  /** Milliseconds of all cores together. */
  readonly free: number;
  readonly all: number;
}

/** A shorter look says nothing: the clocks of the cores tick a hundred times a second. */
const shortestMs = 300;

/** What has low priority gives way to an encoder as an encoder does to everything else: for it that core is free. */
const timesNow = (): Times =>
  cpus().reduce(
    ({ free, all }, { times: { idle, nice, user, sys, irq } }) => ({
      free: free + idle + nice,
      all: all + idle + nice + user + sys + irq,
    }),
    { free: 0, all: 0 },
  );

/** Measures how many cores are busy with what matters more than an encoding. */
export class CoreLoad {
  readonly #read: () => Times;
  readonly #cores = cpus().length;
  #before: Times;
  #at: number;

  constructor(read = timesNow) {
    this.#read = read;
    this.#before = read();
    this.#at = performance.now();
  }

  /** On average since it was asked before, or since it began; waits until that is long enough to say something. */
  async lately(): Promise<number> {
    const waitMs = this.#at + shortestMs - performance.now();
    if (waitMs > 0) await after(waitMs);
    const now = this.#read();
    const all = now.all - this.#before.all;
    const free = now.free - this.#before.free;
    this.#before = now;
    this.#at = performance.now();
    return all > 0 ? this.#cores * Math.max(0, 1 - free / all) : 0;
  }
}

export interface Encoding {
  readonly input: string;
  readonly output: string;
  /** A folder for the pieces; those that are there already are not made again. */
  readonly folder: string;
  readonly rendition: RenditionSpec;
  /** Seconds. */
  readonly duration: number;
  /** Where the timeline of the file begins, in seconds. */
  readonly startsAt: number;
  /** Frames per second of the rendition. */
  readonly fps: number;
  /** That are read and written for a second of the video. */
  readonly pixelsPerSecond: number;
}

interface Watching {
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly onShare: (share: number) => void;
  /**
   * Asked when a piece was encoded and more are left. When it rejects, no other piece is begun and the encoding ends with
   * that error as soon as those that run are done.
   */
  readonly betweenPieces?: () => Promise<void>;
}

/** What an encoding asks of the machine. */
export interface Machine {
  readonly cores: number;
  /** How many of them others keep busy. */
  readonly busy: () => Promise<number>;
}

const thisMachine = (): Machine => {
  const busy = new CoreLoad();
  return { cores: availableParallelism(), busy: () => busy.lately() };
};
/** Seconds. Pieces are counted from zero; a file that begins later than this is not cut. */
const latestStart = 1;

/**
 * Encodes the picture of a file anew; its sound is copied once, as a whole. A long one in pieces: as many at once as the
 * machine has cores to spare, and what one run has finished the next does not repeat. The output has still to be
 * checked.
 * @throws FfmpegFailed, the signal's reason, or what `betweenPieces` rejects with
 */
export async function encodeVideo(
  encoding: Encoding,
  { signal, onShare, betweenPieces }: Watching,
  machine: Machine = thisMachine(),
): Promise<void> {
  const { rendition, duration, fps, startsAt, pixelsPerSecond } = encoding;
  const gop = rendition.gopFrames === null ? defaultGopSeconds : rendition.gopFrames / Math.max(fps, 1);
  const chunks = chunksOf(duration, gop, maxEncoders(machine.cores), pixelsPerSecond);
  if (chunks.length === 1 || Math.abs(startsAt) > latestStart) {
    const onProgress = ({ seconds }: { readonly seconds: number }) =>
      onShare(seconds / Math.max(duration, 1));
    await runFfmpegJob(transcodePlan(encoding), { signal, duration, onProgress });
    return;
  }
  await mkdir(encoding.folder, { recursive: true });
  const watching = { signal, onShare, ...(betweenPieces ? { betweenPieces } : {}) };
  await encodeChunks(encoding, chunks, watching, machine);
  await joinChunks(encoding, chunks, signal);
}

async function encodeChunks(
  encoding: Encoding,
  chunks: readonly EncodeChunk[],
  { signal, onShare, betweenPieces }: Watching,
  { cores, busy }: Machine,
): Promise<void> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const seconds = chunks.map(() => 0);
  const waiting = chunks.entries();
  const running = new Set<Promise<void>>();
  let next = waiting.next();
  // Pieces of an earlier run do not count: each run gets at least one piece further.
  let encoded = 0;
  while (!next.done || running.size > 0) {
    if (encoded > 0 && !next.done && !ending.aborted) {
      await betweenPieces?.().catch(async (error: unknown) => {
        await Promise.all(running);
        failing.abort(error);
      });
    }
    const encoders = encodersNow({ cores, busy: await busy() });
    for (; !next.done && running.size < encoders && !ending.aborted; next = waiting.next()) {
      const [index, chunk] = next.value;
      const onSeconds = (done: number) => {
        seconds[index] = done;
        onShare(seconds.reduce((sum, one) => sum + one, 0) / encoding.duration);
      };
      const run = encodeChunk(encoding, chunk, {
        signal: ending,
        threads: encoders === 1 ? null : threadsOf(cores),
        onSeconds,
      })
        .then((made) => {
          if (made) encoded += 1;
        })
        .catch((error: unknown) => failing.abort(error))
        .finally(() => running.delete(run));
      running.add(run);
    }
    if (ending.aborted) {
      await Promise.all(running);
      throw ending.reason;
    }
    await Promise.race(running);
  }
}

interface ChunkJob {
  readonly signal: AbortSignal;
  readonly threads: number | null;
  readonly onSeconds: (done: number) => void;
}

const lengthOf = ({ start, end }: EncodeChunk, duration: number) => (end ?? duration) - start;
const nameOf = ({ start, end }: EncodeChunk) => `chunk-${start}-${end ?? 'end'}.mp4`;

/**
 * A piece has its name when it is complete, and on the disk: one without bytes would be taken for one without frames.
 * @returns false when an earlier run had made it
 */
async function encodeChunk(
  { input, folder, rendition, duration }: Encoding,
  chunk: EncodeChunk,
  { signal, threads, onSeconds }: ChunkJob,
): Promise<boolean> {
  const path = join(folder, nameOf(chunk));
  const length = lengthOf(chunk, duration);
  const before = await stat(path).catch(() => null);
  const isMade = before !== null && before.size > 0;
  if (!isMade) {
    const output = `${path}.part`;
    await runFfmpegJob(chunkPlan({ input, output, rendition }, chunk, threads), {
      signal,
      duration: length,
      onProgress: ({ seconds }) => onSeconds(Math.min(length, Math.max(0, seconds - chunk.start))),
    });
    await flush(output);
    await rename(output, path);
  }
  onSeconds(length);
  return !isMade;
}

async function joinChunks(encoding: Encoding, chunks: readonly EncodeChunk[], signal: AbortSignal) {
  const { folder, duration } = encoding;
  const files: { name: string; start: number }[] = [];
  for (const chunk of chunks) {
    const name = nameOf(chunk);
    // Where no frame begins for a minute, there is nothing to join.
    if (await hasMedia(join(folder, name))) files.push({ name, start: chunk.start });
  }
  if (files.length === 0) throw new FfmpegFailed('no frame of the video could be encoded');
  const list = join(folder, 'chunks.ffconcat');
  await writeFile(list, chunkList(files));
  await runFfmpegJob(joinPlan(list, encoding), { signal, duration });
}

async function hasMedia(path: string): Promise<boolean> {
  const { boxes } = await readOutline(path);
  return boxes.some(({ type, size }) => type === 'mdat' && size > 16);
}
