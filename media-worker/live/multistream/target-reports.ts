import type { SystemContext } from '@/lib/domain/context';
import { type TargetReport, reportTarget } from '@/lib/domain/streams';

/** Resolves after `ms`, or as soon as the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });
}

const RETRY_DELAY_MS = 1_000;
/** Reports kept during a database outage: only the newest reports of a target matter. */
const MAX_WAITING_REPORTS = 8;

type Write = (report: TargetReport) => Promise<unknown>;

/** Writes the reports of one target to the database, in order. The stream does not wait for the database. */
export class TargetReports {
  readonly #write: Write;
  readonly #log: SystemContext['log'];
  #waitingReports: TargetReport[] = [];
  #writing: Promise<void> | null = null;
  readonly #ending = new AbortController();

  constructor(ctx: SystemContext, write: Write = (report) => reportTarget(ctx, report)) {
    this.#log = ctx.log;
    this.#write = write;
  }

  add(report: TargetReport): void {
    if (this.#ending.signal.aborted) return;
    this.#waitingReports = [...this.#waitingReports, report].slice(-MAX_WAITING_REPORTS);
    this.#writing ??= this.#writeWaiting();
  }

  /** Drops waiting reports; resolves when no report is being written. The end of the publish is written elsewhere. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#waitingReports = [];
    await this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    let isFailing = false;
    for (let report = this.#waitingReports.shift(); report; report = this.#waitingReports.shift()) {
      try {
        await this.#write(report);
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          this.#log.warn({ err: error, targetId: report.targetId }, 'multistream target status not written');
        isFailing = true;
        if (this.#ending.signal.aborted) break;
        this.#waitingReports = [report, ...this.#waitingReports].slice(-MAX_WAITING_REPORTS);
        await pause(RETRY_DELAY_MS, this.#ending.signal);
      }
    }
    this.#writing = null;
  }
}
