import { faultOf } from '@/lib/core/media/program-end';
import { StorageError } from '@/lib/infra/storage';
import { roomOnDisk } from '@/lib/infra/storage/disk-space';
import type { FfmpegPlan } from './plan';
import { runFfmpeg, type FfmpegProgress } from './run';

export interface FfmpegJob {
  readonly signal: AbortSignal;
  /** Seconds that the output lasts: what the longest possible run follows from. */
  readonly duration: number;
  readonly onProgress?: (progress: FfmpegProgress) => void;
  /** Without a sign of life for so long it is killed. */
  readonly stallMs?: number;
}

/** ffmpeg ran to its end and could not do it with this media. Whether that is the file's fault, the caller knows. */
export class FfmpegFailed extends Error {
  override readonly name = 'FfmpegFailed';
}

/** ffmpeg was killed, stalled, or was refused memory, disk or a start: that says nothing about the file. */
export class FfmpegKilled extends Error {
  override readonly name = 'FfmpegKilled';
  readonly userMessage = 'ffmpeg was stopped or could not start';
}

const exited = /exited with code (\d+)/;
const sandbox = { memory: 4_000_000_000, fileSize: 2 ** 42 };

/**
 * Runs ffmpeg on a file that somebody else made, in a sandbox, after everything live, and never for ever: without
 * progress for a minute, or after twice the media's length and ten minutes, it is killed.
 * The output has still to be checked.
 * @throws FfmpegFailed, FfmpegKilled, or the signal's reason
 */
export async function runFfmpegJob(
  plan: FfmpegPlan,
  { signal, duration, onProgress, stallMs = 60_000 }: FfmpegJob,
): Promise<void> {
  const ending = new AbortController();
  const limit = setTimeout(
    () => ending.abort(new FfmpegKilled('it took too long for the length of the media')),
    duration * 2_000 + 600_000,
  );
  let seen = -1;
  const stalled = () => ending.abort(new FfmpegKilled('it stopped making progress'));
  let watchdog = setTimeout(stalled, stallMs);
  const run = runFfmpeg(plan, {
    nice: 10,
    sandbox,
    signal: AbortSignal.any([signal, ending.signal]),
    onProgress(progress) {
      if (progress.seconds <= seen) return;
      seen = progress.seconds;
      clearTimeout(watchdog);
      watchdog = setTimeout(stalled, stallMs);
      onProgress?.(progress);
    },
  });
  const result = await run.done.finally(() => {
    clearTimeout(limit);
    clearTimeout(watchdog);
  });
  signal.throwIfAborted();
  if (ending.signal.aborted) throw ending.signal.reason;
  if (result.ok) return;
  const code = Number(exited.exec(result.reason)?.[1] ?? Number.NaN);
  const fault = faultOf({ code: Number.isNaN(code) ? null : code, said: (result.said ?? []).join('\n') });
  throw fault === null ? new FfmpegFailed(result.reason) : new FfmpegKilled(result.reason);
}

/**
 * What is wrong with an output that ffmpeg wrote without an error. On a full disk it ends with success and leaves empty
 * files: then it is not the media's fault.
 * @param folder where the output was written
 */
export async function badOutput(folder: string, reason: string): Promise<Error> {
  return (await roomOnDisk(folder)) > 0 ? new FfmpegFailed(reason) : new StorageError('full', reason);
}
