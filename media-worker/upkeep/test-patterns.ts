import type { SystemContext } from '@/lib/context';
import { listTestPatterns, type TestPattern } from '@/lib/streams';
import { drawTextTrial, testPatternPlan } from '../ffmpeg/live-args';
import { removeOptionFile, rtmpSecrets, writeOptionFile } from '../ffmpeg/push-args';
import { runFfmpeg, type FfmpegRun } from '../ffmpeg/run';
import { testPatternQuery } from '../media/publish';

interface Running {
  readonly run: FfmpegRun;
  readonly startedAt: number;
}

interface Waiting {
  readonly until: number;
  readonly failures: number;
}

export type RunFfmpeg = typeof runFfmpeg;

const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** After this long without a failure the backoff is reset. */
const healthyMs = 60_000;

/** Publishes the built-in test card to exactly the streams whose rows request it. */
export class TestPatterns {
  readonly #ctx: SystemContext;
  readonly #run: RunFfmpeg;
  readonly #running = new Map<string, Running>();
  readonly #waiting = new Map<string, Waiting>();
  #clock: boolean | null = null;

  constructor(ctx: SystemContext, run: RunFfmpeg = runFfmpeg) {
    this.#ctx = ctx;
    this.#run = run;
  }

  /** Nothing runs or will be started again, so only a change of a row makes work. */
  get idle(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0;
  }

  /** Starts missing publishes and stops unwanted ones. */
  async look(): Promise<void> {
    const wanted = await listTestPatterns(this.#ctx);
    const ids = new Set(wanted.map(({ streamId }) => streamId));
    for (const [streamId, { run }] of this.#running) if (!ids.has(streamId)) void run.stop();
    for (const streamId of this.#waiting.keys()) if (!ids.has(streamId)) this.#waiting.delete(streamId);
    for (const pattern of wanted) if (this.#due(pattern.streamId)) await this.#start(pattern);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ run }) => run.stop()));
  }

  #due(streamId: string): boolean {
    if (this.#running.has(streamId)) return false;
    const waiting = this.#waiting.get(streamId);
    return !waiting || this.#ctx.clock.monotonic() >= waiting.until;
  }

  async #start({ streamId, streamKey }: TestPattern): Promise<void> {
    this.#clock ??= (await this.#run(drawTextTrial).done).ok;
    const url = `rtmp://127.0.0.1:${this.#ctx.settings.rtmpPort}/`;
    const serverUrl = `${url}live`;
    const secretsFile = await writeOptionFile(
      rtmpSecrets({ serverUrl, app: 'live', key: streamKey + testPatternQuery }),
    );
    let unread = true;
    const forget = () => {
      if (unread) void removeOptionFile(secretsFile).catch(() => undefined);
      unread = false;
    };
    const run = this.#run(testPatternPlan({ url, secretsFile, clock: this.#clock }), {
      secrets: [streamKey],
      // ffmpeg has read the file once it publishes.
      onProgress: forget,
    });
    const startedAt = this.#ctx.clock.monotonic();
    this.#running.set(streamId, { run, startedAt });
    this.#ctx.log.info({ streamId }, 'test pattern started');
    void run.done.then((result) => {
      forget();
      this.#running.delete(streamId);
      this.#backOff(streamId, startedAt);
      const reason = result.ok ? undefined : result.reason;
      this.#ctx.log.info({ streamId, reason }, 'test pattern ended');
    });
  }

  #backOff(streamId: string, startedAt: number): void {
    const now = this.#ctx.clock.monotonic();
    const before = now - startedAt >= healthyMs ? 0 : (this.#waiting.get(streamId)?.failures ?? 0);
    const wait = Math.min(maxDelayMs, firstDelayMs * 2 ** before);
    this.#waiting.set(streamId, { until: now + wait, failures: before + 1 });
  }
}
