import { setTimeout as delay } from 'node:timers/promises';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { formatPullMessage } from '@/lib/core/streams/pull/pull-finding';
import { parsePullSource } from '@/lib/core/streams/pull/pull-source';
import {
  PULL_HEALTHY_AFTER_MS,
  isPullExpired,
  pullRetryDelayMs,
  type PullReport,
} from '@/lib/core/streams/pull/pull-state';
import type { LeasedPull } from '@/lib/domain/streams';
import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { AdmitPublish, PublishEnd } from '@/media-worker/media/packets/publish';
import type { PullClients } from './open-source';
import { PullAttempt, type PullEnd, type PullLimits } from './pull-attempt';

export interface PullOptions {
  readonly lease: LeasedPull;
  readonly clients: PullClients;
  readonly admit: AdmitPublish;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when the report has changed. */
  readonly onReport: () => void;
  /** Called when no media has arrived for a day. */
  readonly onExpired: () => void;
  /** Returns a random number from 0 to 1, which spreads the retries of pulls that failed at the same time. */
  readonly random?: () => number;
  readonly limits?: Partial<PullLimits>;
}

/** Interval at which continued media is reported, so that its last time is stored. */
const MEDIA_REPORT_MS = 60_000;

/** Pulls one stream as long as this node has the lease, across failures of the source. */
export class Pull {
  readonly lease: LeasedPull;
  readonly #options: PullOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #attempt: PullAttempt | null = null;
  #report: PullReport;
  #isReportWritten = false;
  #encodesAudio = false;
  #failureCount = 0;

  /** @param previousWork work that must end before this pull starts, for example the pull that it replaces */
  constructor(options: PullOptions, previousWork: Promise<unknown> = Promise.resolve()) {
    this.#options = options;
    this.lease = options.lease;
    this.#report = this.#createReport('connecting');
    this.#running = previousWork.then(() => this.#run());
  }

  /** The report if the database does not have it yet, otherwise null. The report counts as written after this call. */
  takeReport(): PullReport | null {
    const { state, mediaAt = 0 } = this.#report;
    const unixMs = this.#unixMs();
    if (state === 'pulling' && unixMs - mediaAt >= MEDIA_REPORT_MS)
      this.#setReport({ ...this.#report, mediaAt: unixMs });
    if (this.#isReportWritten) return null;
    this.#isReportWritten = true;
    return this.#report;
  }

  /** Marks the last report as not written, because writing it failed. */
  keepReport(): void {
    this.#isReportWritten = false;
  }

  /** Ends the pull and resolves when all of its resources are released. Idempotent. */
  async stop(reason: PublishEnd): Promise<void> {
    this.#stopping.abort();
    await this.#attempt?.stop(reason);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { onExpired, random = Math.random, log, lease } = this.#options;
    while (!this.#isStopped()) {
      if (isPullExpired({ startedAt: lease.startedAt, mediaAt: this.#report.mediaAt }, this.#unixMs())) {
        onExpired();
        return;
      }
      const startedAtMs = this.#options.clock.monotonic();
      const attemptEnd = await this.#attemptOnce();
      if (this.#isStopped() || attemptEnd.kind === 'stopped') return;
      if (attemptEnd.kind === 'audio') {
        this.#encodesAudio = true;
        continue;
      }
      const isHealthy =
        this.#options.clock.monotonic() - startedAtMs >= PULL_HEALTHY_AFTER_MS &&
        this.#report.state === 'pulling';
      this.#failureCount = isHealthy ? 1 : this.#failureCount + 1;
      const error = formatPullMessage(attemptEnd.finding, this.#destination());
      log.info({ streamId: lease.streamId, outcome: attemptEnd.finding.outcome }, 'pull attempt ended');
      this.#setReport({ ...this.#createReport('waiting'), error });
      await this.#pause(pullRetryDelayMs(this.#failureCount, random()));
    }
  }

  async #attemptOnce(): Promise<PullEnd> {
    const { lease, clients, admit, clock, log, limits } = this.#options;
    const source = parsePullSource(lease.source);
    if (typeof source === 'string')
      return { kind: 'failed', finding: { outcome: 'not_readable', detail: `the URL ${source}` } };
    this.#attempt = new PullAttempt({
      source,
      clients,
      admit,
      encodesAudio: this.#encodesAudio,
      headers: lease.headers,
      streamKey: lease.streamKey,
      log: log.child({ streamId: lease.streamId }),
      now: () => clock.monotonic(),
      onFlowing: () => this.#setReport({ ...this.#createReport('pulling'), mediaAt: this.#unixMs() }),
      ...(limits && { limits }),
    });
    const { error } = this.#report;
    // The reason of the last failure is shown until media arrives.
    this.#setReport({ ...this.#createReport('connecting'), ...omitUndefined({ error }) });
    return this.#attempt.whenDone;
  }

  #destination(): { readonly host: string; readonly port: number } {
    const source = parsePullSource(this.lease.source);
    return typeof source === 'string' ? { host: 'the source', port: 0 } : source;
  }

  #createReport(state: PullReport['state']): PullReport {
    const mediaAt = (this.#report as PullReport | undefined)?.mediaAt ?? this.lease.mediaAt;
    return { state, since: this.#unixMs(), ...omitUndefined({ mediaAt }) };
  }

  #setReport(report: PullReport): void {
    const isSame = report.state === this.#report.state && report.error === this.#report.error;
    this.#report = isSame ? { ...report, since: this.#report.since } : report;
    if (isSame && report.state !== 'pulling') return;
    this.#isReportWritten = false;
    this.#options.onReport();
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** A function, because TypeScript does not see that the signal changes during an await. */
  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Current time in Unix milliseconds, as in reports. */
  #unixMs(): number {
    return this.#options.clock.now().getTime();
  }
}
