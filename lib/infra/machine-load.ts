import { cpus } from 'node:os';
import { cpuHeadroomRatio, type CpuTimes } from '@/lib/core/nodes/cpu-headroom';

/** Measures between two calls how much CPU time of this machine was idle. */
export class CpuMeter {
  readonly #read: () => CpuTimes;
  #last: CpuTimes;

  constructor(read: () => CpuTimes = readCpuTimes) {
    this.#read = read;
    this.#last = read();
  }

  /** Since the last call, 0 to 1; null if no time has passed. */
  headroomRatio(): number | null {
    const now = this.#read();
    const ratio = cpuHeadroomRatio(this.#last, now);
    this.#last = now;
    return ratio;
  }
}

function readCpuTimes(): CpuTimes {
  let [idleMs, totalMs] = [0, 0];
  for (const { times } of cpus()) {
    idleMs += times.idle;
    totalMs += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idleMs, totalMs };
}
