import type { Logger } from '@/lib/infra/logger';

interface PeriodicTask {
  /** Runs the work immediately, or right after the current run. */
  runNow(): void;
  /** Starts no further run; resolves when the current run has finished. */
  close(): Promise<void>;
}

/**
 * A longer interval. While `when` returns true and the work does not fail, the work runs only every `ms`
 * milliseconds. `when` is checked at every normal interval.
 */
interface Slowdown {
  readonly ms: number;
  readonly when: () => boolean;
}

/**
 * Runs `work` immediately, and then `intervalMs` milliseconds after each run. A failure and its recovery are logged once
 * each, so that a database outage does not fill the disk with messages.
 */
export function runPeriodically(
  intervalMs: number,
  name: string,
  log: Logger,
  work: () => Promise<void>,
  slowdown?: Slowdown,
): PeriodicTask {
  let timer: NodeJS.Timeout | undefined;
  let currentRun: Promise<void> | null = null;
  let isRunPending = false;
  let isClosed = false;
  let isFailing = false;
  /** Time since the last run. */
  let idleMs = 0;

  const runOnce = async (): Promise<void> => {
    try {
      await work();
      if (isFailing) log.info({ work: name }, 'recovered');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error, work: name }, 'failed; retrying');
      isFailing = true;
    }
  };

  const start = (): void => {
    clearTimeout(timer);
    if (isClosed) return;
    idleMs = 0;
    currentRun = runOnce().then(() => {
      currentRun = null;
      if (isRunPending) {
        isRunPending = false;
        start();
      } else if (!isClosed) timer = setTimeout(tick, intervalMs);
    });
  };

  const tick = (): void => {
    idleMs += intervalMs;
    if (isFailing || !slowdown?.when() || idleMs >= slowdown.ms) start();
    else timer = setTimeout(tick, intervalMs);
  };

  timer = setTimeout(start, 0);
  return {
    runNow() {
      if (currentRun) isRunPending = true;
      else start();
    },
    async close() {
      isClosed = true;
      isRunPending = false;
      clearTimeout(timer);
      await currentRun;
    },
  };
}
