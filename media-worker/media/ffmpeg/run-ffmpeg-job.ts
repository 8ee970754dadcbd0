import { systemFaultOf } from '@/lib/core/media/process-exit';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import type { FfmpegPlan } from './plan';
import { runFfmpeg, type FfmpegProgress } from './run';

export interface FfmpegJob {
  readonly signal: AbortSignal;
  /** Duration of the output in seconds, which sets the timeout. */
  readonly durationSeconds: number;
  readonly onProgress?: (progress: FfmpegProgress) => void;
  /** Time without progress after which ffmpeg is stopped, ms. */
  readonly stallTimeoutMs?: number;
  /** Niceness of the process; work that a user waits for has a lower number. */
  readonly nice?: number;
}

/** ffmpeg ran to its end and reported an error for this media. The caller decides whether the file is invalid. */
export class FfmpegFailed extends Error {
  override readonly name = 'FfmpegFailed';
}

/**
 * ffmpeg was killed, stalled, or did not get memory, disk or a process, which does not mean that the file is
 * invalid.
 */
export class FfmpegKilled extends Error {
  override readonly name = 'FfmpegKilled';
  readonly userMessage = 'ffmpeg was stopped or could not start';
}

const exitPattern = /exited with code (\d+)/;
/** Bytes. The size of 4 TiB is no practical limit: outputs may be as large as the disk. */
const sandboxLimits = { memory: 4_000_000_000, fileSize: 2 ** 42 };

/**
 * Runs ffmpeg on an untrusted file, in a sandbox, with lower priority than live work. It is stopped after
 * `stallTimeoutMs` without progress (a minute by default), or after twice the duration of the output plus ten
 * minutes. The caller must check the output.
 * @throws FfmpegFailed, FfmpegKilled, or the signal's reason
 */
export async function runFfmpegJob(
  plan: FfmpegPlan,
  { signal, durationSeconds, onProgress, stallTimeoutMs = 60_000, nice = 10 }: FfmpegJob,
): Promise<void> {
  const controller = new AbortController();
  const durationTimer = setTimeout(
    () => controller.abort(new FfmpegKilled('it took too long for the length of the media')),
    durationSeconds * 2_000 + 600_000,
  );
  let lastSeconds = -1;
  const onStall = () => controller.abort(new FfmpegKilled('it stopped making progress'));
  let stallTimer = setTimeout(onStall, stallTimeoutMs);
  const job = runFfmpeg(plan, {
    nice,
    sandbox: sandboxLimits,
    signal: AbortSignal.any([signal, controller.signal]),
    onProgress(progress) {
      if (progress.seconds <= lastSeconds) return;
      lastSeconds = progress.seconds;
      clearTimeout(stallTimer);
      stallTimer = setTimeout(onStall, stallTimeoutMs);
      onProgress?.(progress);
    },
  });
  const result = await job.whenDone.finally(() => {
    clearTimeout(durationTimer);
    clearTimeout(stallTimer);
  });
  signal.throwIfAborted();
  if (controller.signal.aborted) throw controller.signal.reason;
  if (result.ok) return;
  const exitCode = Number(exitPattern.exec(result.reason)?.[1] ?? Number.NaN);
  const fault = systemFaultOf({
    code: Number.isNaN(exitCode) ? null : exitCode,
    stderr: (result.output ?? []).join('\n'),
  });
  throw fault === null ? new FfmpegFailed(result.reason) : new FfmpegKilled(result.reason);
}

/**
 * The error for an invalid output that ffmpeg wrote without an error. On a full disk ffmpeg succeeds and leaves empty
 * files, which is not the media's fault.
 * @param folder where the output was written
 */
export async function createOutputError(folder: string, reason: string): Promise<Error> {
  return (await freeDiskSpace(folder)) > 0 ? new FfmpegFailed(reason) : new StorageError('full', reason);
}
