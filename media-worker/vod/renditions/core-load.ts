import { availableParallelism, cpus } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';

/** CPU time in milliseconds, summed over all cores. */
interface CpuTimes {
  readonly free: number;
  readonly totalMs: number;
}

/** The CPU counters of Linux tick 100 times a second, so a shorter interval is too imprecise. */
const minSampleMs = 300;

/**
 * CPU times, with low-priority processes as free time: an encoder has the same priority and shares the core with
 * them.
 */
const readCpuTimes = (): CpuTimes =>
  cpus().reduce(
    ({ free, totalMs }, { times: { idle, nice, user, sys, irq } }) => ({
      free: free + idle + nice,
      totalMs: totalMs + idle + nice + user + sys + irq,
    }),
    { free: 0, totalMs: 0 },
  );

/** Measures how many cores are busy with work of normal priority. */
export class CoreLoad {
  readonly #read: () => CpuTimes;
  readonly #cores = cpus().length;
  #last: CpuTimes;
  #sampledAt: number;

  constructor(readTimes = readCpuTimes) {
    this.#read = readTimes;
    this.#last = readTimes();
    this.#sampledAt = performance.now();
  }

  /**
   * Average number since the previous call, or since construction. Waits until the interval is at least
   * `minSampleMs`.
   */
  async busyCores(): Promise<number> {
    const waitMs = this.#sampledAt + minSampleMs - performance.now();
    if (waitMs > 0) await after(waitMs);
    const now = this.#read();
    const totalMs = now.totalMs - this.#last.totalMs;
    const free = now.free - this.#last.free;
    this.#last = now;
    this.#sampledAt = performance.now();
    return totalMs > 0 ? this.#cores * Math.max(0, 1 - free / totalMs) : 0;
  }
}

export interface Machine {
  readonly cores: number;
  /** Number of cores busy with other work. */
  readonly busy: () => Promise<number>;
}

export const thisMachine = (): Machine => {
  const busy = new CoreLoad();
  return { cores: availableParallelism(), busy: () => busy.busyCores() };
};
