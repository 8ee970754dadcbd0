import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { type RestartPolicy, planRestart, initialRestartState } from '@/lib/core/renditions/restart-backoff';
import {
  applyLoadSample,
  retryRendition,
  resetLoad,
  initialLoadState,
} from '@/lib/core/renditions/transcode-load';
import { type TranscodePlan, planTranscode } from '@/lib/core/renditions/transcode-plan';
import type { Clock } from '@/lib/infra/clock';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import type {
  SessionFeature,
  FeatureHost,
  StartFeature,
} from '@/media-worker/media/packaging/session-feature';
import type { TimedPeriod } from '@/media-worker/media/packaging/rendition';
import type { FfmpegResult } from '@/media-worker/media/ffmpeg/run';
import { createRenditionDemand, type RenditionSettings } from './rendition-demand';
import type { TranscodeBudget } from './transcode-budget';
import { TranscodeJob } from './transcode-job';
import { TranscodedRenditions } from './transcoded-renditions';

interface TranscoderOptions {
  readonly clock: Clock;
  readonly budget: TranscodeBudget;
}

/** Backoff after crashes of ffmpeg. The first restart is immediate. */
const CRASH_RESTART_POLICY: RestartPolicy = {
  healthyAfterMs: 60_000,
  immediateRestarts: 1,
  firstDelayMs: 500,
  maxDelayMs: 30_000,
};
/** Backoff for encoders that change their configuration every second. */
const UNSTABLE_RESTART_POLICY: RestartPolicy = {
  healthyAfterMs: 3_000,
  immediateRestarts: 3,
  firstDelayMs: 500,
  maxDelayMs: 4_000,
};
const MAX_HAND_OVER_LAG_MS = 1_500;
/**
 * An encoder that reconnects within this time gets the same renditions, even if other streams have used the budget
 * meanwhile.
 */
const PROTECTED_MS = 15_000;
/** Interval at which the encoder is checked. */
const CHECK_INTERVAL_MS = 1_000;
/** Failures are reset after a job has run this long. */
const STABLE_AFTER_MS = 5_000;

const noProtection = { renditions: [], until: -Infinity };

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

interface RunningJob {
  readonly transcode: TranscodeJob;
  readonly renditions: readonly RenditionSpec[];
}

/** Creates the feature that makes the renditions of the profiles of a stream. */
export const startTranscoder =
  (options: TranscoderOptions): StartFeature =>
  (host) =>
    new Transcoder(host, options);

/**
 * Keeps one ffmpeg running per period of the source while there are renditions to make. Every event ends in
 * `#reconcile`, which compares the running job with the plan.
 */
class Transcoder implements SessionFeature {
  readonly #host: FeatureHost;
  readonly #clock: Clock;
  readonly #budget: TranscodeBudget;
  readonly #renditions: TranscodedRenditions;
  readonly #checkTimer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #settings: RenditionSettings = { profiles: [] };
  #period: TimedPeriod | null = null;
  #job: RunningJob | null = null;
  /**
   * Renditions that other streams must not displace, and the time until which they are protected without a job (monotonic
   * milliseconds).
   */
  #protected: { readonly renditions: readonly RenditionSpec[]; readonly until: number } = noProtection;
  /** The previous job, which is handing its renditions over to `#job`. */
  #previousJob: TranscodeJob | null = null;
  #load = initialLoadState;
  #crashes = initialRestartState;
  #periodChanges = initialRestartState;
  #startAtMs = -Infinity;
  #failure: string | null = null;
  #issues: readonly string[] = [];
  #closed = false;

  constructor(host: FeatureHost, { clock, budget }: TranscoderOptions) {
    this.#host = host;
    this.#clock = clock;
    this.#budget = budget;
    this.#renditions = new TranscodedRenditions(host, clock);
    this.#checkTimer = setInterval(() => this.#checkEncoder(), CHECK_INTERVAL_MS);
    this.#unsubscribe = host.renditions.source.onPeriod((period) => {
      this.#period = period;
      this.#reconcile();
    });
  }

  follow({ settings }: AuthorizedPublish): void {
    if (!isSame(settings.profiles, this.#settings.profiles)) this.#load = initialLoadState;
    this.#settings = settings;
    this.#reconcile();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#checkTimer);
    this.#unsubscribe();
    const job = this.#job?.transcode;
    // After the end of the source, the job writes the remaining frames and then ends.
    if (job && !job.period.bus.ended) job.abort();
    if (job?.period.bus.ended === false) this.#previousJob?.abort();
    await Promise.all([job?.whenDone, this.#previousJob?.whenDone]);
    this.#budget.reserve(this, 0);
  }

  finishSoon(): void {
    this.#job?.transcode.finishSoon();
    this.#previousJob?.finishSoon();
  }

  #reconcile(): void {
    if (this.#closed) return;
    const plan = this.#plan();
    this.#report(plan);
    this.#renditions.removeExcept(plan?.renditions ?? this.#settings.profiles);
    if (this.#job) this.#updateJob(this.#job, plan);
    else if (plan && plan.renditions.length > 0 && this.#clock.monotonic() >= this.#startAtMs)
      this.#start(plan);
  }

  /** The plan for the current period; null without a source. */
  #plan(): TranscodePlan | null {
    const period = this.#period;
    if (!period || period.bus.ended) return null;
    return planTranscode({
      ...createRenditionDemand(this.#settings, this.#host.renditions, period.tracks.video),
      droppedRenditionCount: this.#load.droppedRenditionCount,
      freeCores: this.#budget.freeCoresFor(this, this.#clock.monotonic()),
      running: this.#clock.monotonic() < this.#protected.until ? this.#protected.renditions : [],
    });
  }

  #updateJob(job: RunningJob, plan: TranscodePlan | null): void {
    const { transcode, renditions } = job;
    // The job of an ended period finishes all of its frames.
    if (!plan || transcode.period.bus.ended || isSame(plan.renditions, renditions)) return;
    const unchangedRenditions = plan.renditions.filter((rendition) =>
      renditions.some((runningRendition) => isSame(rendition, runningRendition)),
    );
    // A job that lags behind would delay its successor.
    if (
      unchangedRenditions.length === 0 ||
      !transcode.isDelivering ||
      transcode.lagMs > MAX_HAND_OVER_LAG_MS
    ) {
      transcode.abort();
      return;
    }
    this.#previousJob?.abort();
    this.#previousJob = transcode;
    const names = unchangedRenditions.map(({ name }) => name);
    this.#start(plan, names);
    transcode.handOver(names);
  }

  /** @param seamless renditions that a running job hands over */
  #start(plan: TranscodePlan, seamless: readonly string[] = []): void {
    const period = this.#period;
    if (!period) return;
    if (seamless.length === 0) this.#previousJob?.abort();
    this.#load = resetLoad(this.#load);
    this.#budget.reserve(this, plan.cost);
    const { audio } = period.tracks;
    const renditions = plan.renditions.map((rendition) =>
      this.#renditions.createJobRendition(rendition, audio, seamless.includes(rendition.name)),
    );
    const transcode = new TranscodeJob(period, renditions, this.#clock.monotonic());
    this.#job = { transcode, renditions: plan.renditions };
    this.#protected = { renditions: plan.renditions, until: Infinity };
    this.#host.log.info({ renditions: plan.renditions.map(({ name }) => name) }, 'transcoder started');
    void transcode.whenDone.then((result) => this.#onDone(transcode, result));
  }

  #onDone(transcode: TranscodeJob, result: FfmpegResult): void {
    if (transcode === this.#previousJob) this.#previousJob = null;
    if (transcode !== this.#job?.transcode) return;
    this.#job = null;
    this.#budget.reserve(this, 0);
    const now = this.#clock.monotonic();
    this.#protected = { ...this.#protected, until: now + PROTECTED_MS };
    const ranMs = now - transcode.startedAtMs;
    if (transcode.isAborted) this.#startAtMs = now;
    else if (transcode.period.bus.ended) {
      const { state, delayMs } = planRestart(this.#periodChanges, ranMs, UNSTABLE_RESTART_POLICY);
      this.#periodChanges = state;
      this.#startAtMs = now + delayMs;
    } else this.#onCrash(result, now, ranMs);
    this.#reconcile();
  }

  #onCrash(result: FfmpegResult, now: number, ranMs: number): void {
    const { state, delayMs } = planRestart(this.#crashes, ranMs, CRASH_RESTART_POLICY);
    this.#crashes = state;
    this.#startAtMs = now + delayMs;
    this.#failure = result.ok ? 'ffmpeg ended' : result.reason;
    this.#host.log.warn({ reason: this.#failure, delayMs }, 'transcoder exited; restarting');
  }

  #checkEncoder(): void {
    const now = this.#clock.monotonic();
    const job = this.#job?.transcode;
    // The load is not measured while a job stops, because a frozen ffmpeg takes long to stop.
    if (job && !job.isAborted) {
      const loadBefore = this.#load;
      this.#load = applyLoadSample(loadBefore, { now, lagMs: job.lagMs, droppedFrames: job.droppedFrames });
      if (this.#load.droppedRenditionCount > loadBefore.droppedRenditionCount)
        this.#budget.reportStrain(this, now);
      const keepsUp = this.#load.lagSince === null;
      this.#budget.measure(this, { now, cpuMs: job.cpuMs, keepsUp });
      if (job.isDelivering && now - job.startedAtMs >= STABLE_AFTER_MS) this.#failure = null;
    }
    this.#load = retryRendition(this.#load, now);
    this.#reconcile();
  }

  #report(plan: TranscodePlan | null): void {
    if (!plan) return;
    const failureIssues =
      this.#failure === null ? [] : [`transcoding failed and is restarting: ${this.#failure}`];
    const issues = [...plan.issues, ...(plan.renditions.length > 0 ? failureIssues : [])];
    if (isSame(issues, this.#issues)) return;
    this.#issues = issues;
    this.#host.report(issues);
  }
}
