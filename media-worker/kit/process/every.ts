import type { Logger } from '@/lib/infra/logger';

interface PeriodicTask {
  /** Runs the work as soon as possible instead of at the next interval. */
  now(): void;
  /** Starts no further run; resolves when the current run has finished. */
  close(): Promise<void>;
}

/**
 * A longer interval: while `when` holds, the work runs only every `ms` milliseconds. `when` is checked at every
 * usual interval.
 */
interface Slowdown {
  readonly ms: number;
  readonly when: () => boolean;
}

/**
 * Runs `work` every `ms` milliseconds, never twice at the same time. A failure and its recovery are logged once
 * each, so that a database outage does not fill the disk with messages.
 */
export function every(
  ms: number,
  name: string,
  log: Logger,
  work: () => Promise<void>,
  slowdown?: Slowdown,
): PeriodicTask {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let failing = false;
  let restedMs = 0;

  const runOnce = async (): Promise<void> => {
    try {
      await work();
      if (failing) log.info({ work: name }, 'recovered');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error, work: name }, 'failed; retrying');
      failing = true;
    }
  };

  const start = (): void => {
    clearTimeout(timer);
    if (closed) return;
    restedMs = 0;
    running = runOnce().then(() => {
      running = null;
      if (again) {
        again = false;
        start();
      } else if (!closed) timer = setTimeout(tick, ms);
    });
  };

  const tick = (): void => {
    restedMs += ms;
    if (failing || !slowdown?.when() || restedMs >= slowdown.ms) start();
    else timer = setTimeout(tick, ms);
  };

  timer = setTimeout(start, 0);
  return {
    now() {
      if (running) again = true;
      else start();
    },
    async close() {
      closed = true;
      again = false;
      clearTimeout(timer);
      await running;
    },
  };
}
