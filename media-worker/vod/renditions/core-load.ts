import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** CPU time in milliseconds, summed over all cores. */
interface CpuTimes {
  readonly freeMs: number;
  readonly totalMs: number;
}

/** The CPU counters of Linux tick 100 times a second, so a shorter interval is too imprecise. */
const MIN_SAMPLE_INTERVAL_MS = 300;

/**
 * Reads the CPU times. The time of low-priority processes counts as free, because an encoder has the same low
 * priority and shares the cores with them.
 */
const readCpuTimes = (): CpuTimes =>
  cpus().reduce(
    ({ freeMs, totalMs }, { times: { idle, nice, user, sys, irq } }) => ({
      freeMs: freeMs + idle + nice,
      totalMs: totalMs + idle + nice + user + sys + irq,
    }),
    { freeMs: 0, totalMs: 0 },
  );

/** Measures how many cores are busy with work of normal priority. */
export class CoreLoad {
  readonly #read: () => CpuTimes;
  readonly #cores = cpus().length;
  #lastTimes: CpuTimes;
  #sampledAt: number;

  constructor(readTimes = readCpuTimes) {
    this.#read = readTimes;
    this.#lastTimes = readTimes();
    this.#sampledAt = performance.now();
  }

  /**
   * Average number of busy cores since the previous call, or since construction. Waits until the interval is at least
   * `MIN_SAMPLE_INTERVAL_MS`.
   */
  async measureBusyCores(): Promise<number> {
    const waitMs = this.#sampledAt + MIN_SAMPLE_INTERVAL_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const times = this.#read();
    const totalMs = times.totalMs - this.#lastTimes.totalMs;
    const freeMs = times.freeMs - this.#lastTimes.freeMs;
    this.#lastTimes = times;
    this.#sampledAt = performance.now();
    return totalMs > 0 ? this.#cores * Math.max(0, 1 - freeMs / totalMs) : 0;
  }
}

export interface Machine {
  readonly cores: number;
  /** Number of cores busy with other work. */
  readonly busyCores: () => Promise<number>;
}

export const createMachine = (): Machine => {
  const coreLoad = new CoreLoad();
  return { cores: availableParallelism(), busyCores: () => coreLoad.measureBusyCores() };
};
