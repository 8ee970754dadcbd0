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

const retryMs = 1_000;
/** Reports kept during a database outage: only the newest reports of a target matter. */
const maxWaiting = 8;

type Write = (report: TargetReport) => Promise<unknown>;

/** Writes the reports of one target to the database in order. Only reports wait for PostgreSQL, never the stream. */
export class TargetReports {
  readonly #write: Write;
  readonly #log: SystemContext['log'];
  #waiting: TargetReport[] = [];
  #writing: Promise<void> | null = null;
  readonly #ending = new AbortController();

  constructor(ctx: SystemContext, write: Write = (report) => reportTarget(ctx, report)) {
    this.#log = ctx.log;
    this.#write = write;
  }

  add(report: TargetReport): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting = [...this.#waiting, report].slice(-maxWaiting);
    this.#writing ??= this.#work();
  }

  /** Resolves when all reports are written or abandoned. The end of the publish is written elsewhere. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#waiting = [];
    await this.#writing;
  }

  async #work(): Promise<void> {
    let failing = false;
    for (let report = this.#waiting.shift(); report; report = this.#waiting.shift()) {
      try {
        await this.#write(report);
        failing = false;
      } catch (error) {
        if (!failing)
          this.#log.warn({ err: error, targetId: report.targetId }, 'multistream target status not written');
        failing = true;
        if (this.#ending.signal.aborted) break;
        this.#waiting = [report, ...this.#waiting].slice(-maxWaiting);
        await pause(retryMs, this.#ending.signal);
      }
    }
    this.#writing = null;
  }
}
