import { backoffDelay } from '@/lib/core/backoff';
import type { SystemContext } from '@/lib/domain/context';
import { loadMachineId } from '@/lib/infra/machine-id';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { findIngests, isDraining } from '@/lib/domain/nodes';
import { listTestPatterns, readTestPattern, type TestPattern } from '@/lib/domain/streams';
import { drawTextTestPlan, planTestPattern } from '@/media-worker/media/ffmpeg/live-args';
import { deleteOptionFile, rtmpSecrets, writeOptionFile } from '@/media-worker/media/ffmpeg/push-args';
import { runFfmpeg, type FfmpegResult, type FfmpegRun } from '@/media-worker/media/ffmpeg/run';
import { testPatternQuery } from '@/media-worker/media/packets/publish';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';
import type { JobHandler } from '@/media-worker/kit/process/workers';

export type RunFfmpeg = typeof runFfmpeg;

/** Number of concurrent jobs, which publish test patterns until they are stopped. It is at least the number of listed streams. */
const CONCURRENCY = 20;
/** Interval of reading the row of a running test pattern, which can change without a notification or expire. */
const CHECK_INTERVAL_MS = 2_000;
const restartBackoff = { firstDelay: 1_000, maxDelay: 30_000 };
/** The backoff is reset after this long without a failure. */
const BACKOFF_RESET_MS = 60_000;

/**
 * Delay before the next start.
 * @param failureCount consecutive failures, 1 or more
 */
export const restartDelayMs = (failureCount: number): number => backoffDelay(failureCount, restartBackoff);

/**
 * Creates the handler of the queue `patterns`. A stream has one job in the whole installation, and therefore one
 * encoder.
 */
export function createTestPatternHandler(
  ctx: SystemContext,
  queues: JobQueues,
  patterns: TestPatterns,
): JobHandler<'patterns'> {
  return {
    concurrency: CONCURRENCY,
    isLowPriority: true,
    run: ({ streamId }, signal) => patterns.publish(streamId, signal),
    afterwards: ({ streamId }) => createTestPatternJobs(ctx, queues).addFor([streamId]),
  };
}

/** Adds one job for each stream that requests the test pattern. */
export function createTestPatternJobs(ctx: SystemContext, queues: JobQueues): AddJobs {
  const addJobs = async (patterns: readonly TestPattern[]) => {
    for (const { streamId } of patterns) await queues.enqueue('patterns', { streamId }, { jobId: streamId });
  };
  return {
    addFor: async (ids) =>
      addJobs((await listTestPatterns(ctx)).filter(({ streamId }) => ids.includes(streamId))),
    addAll: async () => {
      const patterns = await listTestPatterns(ctx);
      await addJobs(patterns);
      if (patterns.length > 0) await queues.wake('patterns');
    },
  };
}

/** Publishes the built-in test pattern to streams for as long as their rows request it. */
export class TestPatterns {
  readonly #ctx: SystemContext;
  readonly #run: RunFfmpeg;
  readonly #runningEncoders = new Set<FfmpegRun>();
  /** Functions that read the row of a stream immediately, by stream id. */
  readonly #refreshByStream = new Map<string, () => void>();
  /** Resolves to whether ffmpeg can draw text; null until the test has started. */
  #drawTextTrial: Promise<boolean> | null = null;

  constructor(ctx: SystemContext, run: RunFfmpeg = runFfmpeg) {
    this.#ctx = ctx;
    this.#run = run;
  }

  /** Reads the row of a stream, because it has changed. */
  refresh(streamId: string): void {
    this.#refreshByStream.get(streamId)?.();
  }

  /**
   * Publishes the test pattern, and restarts its encoder when it ends. Resolves when the row no longer requests the
   * test pattern, or `signal` aborts.
   */
  async publish(streamId: string, signal: AbortSignal): Promise<void> {
    let failureCount = 0;
    for (;;) {
      const pattern = signal.aborted ? null : await readTestPattern(this.#ctx, streamId);
      if (!pattern) return;
      const startedAtMs = this.#ctx.clock.monotonic();
      const result = await this.#encode(pattern, signal);
      const reason = result.ok ? undefined : result.reason;
      this.#ctx.log.info({ streamId, reason }, 'test pattern ended');
      failureCount = this.#ctx.clock.monotonic() - startedAtMs >= BACKOFF_RESET_MS ? 1 : failureCount + 1;
      await this.#whileRequested(pattern, signal, (stop) => {
        const timer = setTimeout(stop, restartDelayMs(failureCount));
        return () => {
          clearTimeout(timer);
          stop();
        };
      });
    }
  }

  /** Tests early whether ffmpeg can draw text, because the first test pattern would wait for the result. */
  prepare(): void {
    void this.#canDrawClock();
  }

  #canDrawClock(): Promise<boolean> {
    this.#drawTextTrial ??= this.#run(drawTextTestPlan).whenDone.then(({ ok }) => ok);
    return this.#drawTextTrial;
  }

  /** Stops the encoders of this process. */
  async close(): Promise<void> {
    await Promise.all([...this.#runningEncoders].map((run) => run.stop()));
  }

  async #encode(pattern: TestPattern, signal: AbortSignal): Promise<FfmpegResult> {
    const { streamId, streamKey } = pattern;
    const drawsClock = await this.#canDrawClock();
    const { url, serverUrl, app } = await findIngest(this.#ctx);
    const secretsFile = await writeOptionFile(
      rtmpSecrets({ serverUrl, app, key: streamKey + testPatternQuery }),
    );
    let isSecretsFileKept = true;
    const deleteSecretsFile = () => {
      if (isSecretsFileKept) void deleteOptionFile(secretsFile).catch(() => undefined);
      isSecretsFileKept = false;
    };
    const run = this.#run(planTestPattern({ url, secretsFile, drawsClock }), {
      secrets: [streamKey],
      // ffmpeg has read the file when it publishes.
      onProgress: deleteSecretsFile,
    });
    this.#runningEncoders.add(run);
    this.#ctx.log.info({ streamId }, 'test pattern started');
    await this.#whileRequested(pattern, signal, (stop) => {
      void run.whenDone.then(stop);
      return () => void run.stop();
    });
    this.#runningEncoders.delete(run);
    deleteSecretsFile();
    return run.whenDone;
  }

  /**
   * Runs an action until it ends, and stops it when the row no longer requests this test pattern, or `signal` aborts.
   * @param start receives a function to call when the action ends, and returns a function that stops the action
   */
  async #whileRequested(
    { streamId, previewPlaybackId }: TestPattern,
    signal: AbortSignal,
    start: (stop: () => void) => () => void,
  ): Promise<void> {
    let stop = (): void => undefined;
    const whenEnded = new Promise<void>((resolve) => (stop = start(resolve)));
    const checkTimer = runPeriodically(CHECK_INTERVAL_MS, 'test pattern', this.#ctx.log, async () => {
      const pattern = await readTestPattern(this.#ctx, streamId);
      if (pattern?.previewPlaybackId !== previewPlaybackId) stop();
    });
    this.#refreshByStream.set(streamId, () => checkTimer.runNow());
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    await whenEnded;
    signal.removeEventListener('abort', stop);
    this.#refreshByStream.delete(streamId);
    await checkTimer.close();
  }
}

/**
 * Finds the ingest for test patterns: that of this machine, or, while this machine drains or has no ingest, the one
 * that is announced first to encoders.
 */
async function findIngest(ctx: SystemContext) {
  const { roles, rtmpPort, rtmpUrl, dataDir } = ctx.settings;
  const ownIngest = roles.includes('live') ? `rtmp://127.0.0.1:${rtmpPort}/live` : null;
  const usesOwnIngest = ownIngest !== null && !(await isDraining(ctx, await loadMachineId(dataDir)));
  const ingestUrl = usesOwnIngest ? ownIngest : ((await findIngests(ctx))[0]?.url ?? ownIngest ?? rtmpUrl);
  const { protocol, host, pathname } = new URL(ingestUrl);
  const app = pathname.slice(1);
  const url = `${protocol}//${host}/`;
  return { url, serverUrl: url + app, app };
}
