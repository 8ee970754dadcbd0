import { readFileSync } from 'node:fs';
import { cpus, freemem } from 'node:os';
import { cpuHeadroomRatio, type CpuTimes } from '@/lib/core/nodes/cpu-headroom';

/** Measures the fraction of idle CPU time of this machine between two calls. */
export class CpuMeter {
  readonly #readTimes: () => CpuTimes;
  #previous: CpuTimes;

  constructor(readTimes: () => CpuTimes = readCpuTimes) {
    this.#readTimes = readTimes;
    this.#previous = readTimes();
  }

  /** Idle fraction since the last call, from 0 to 1; null if no time has passed. */
  idleRatio(): number | null {
    const times = this.#readTimes();
    const ratio = cpuHeadroomRatio(this.#previous, times);
    this.#previous = times;
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

/** Unit of CPU times in /proc, on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** CPU time of a running process with all its threads, in milliseconds; null without /proc or the process. */
export function processCpuMs(pid: number): number | null {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  // The program name in parentheses may contain any character, so fields are counted after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // `utime` and `stime`, fields 14 and 15 of proc_pid_stat(5). The first field here is number 3.
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isFinite(ticks) ? (ticks * 1_000) / TICKS_PER_SECOND : null;
}

/**
 * Available memory in bytes, of the machine or of its container if that has less. File caches of the kernel count as
 * available.
 */
export function freeMemoryBytes(): number {
  // Files of cgroup v2. `memory.max` is the text `max` without a limit.
  const limitBytes = Number(readSystemFile('/sys/fs/cgroup/memory.max') ?? Number.NaN);
  if (!Number.isFinite(limitBytes)) return freemem();
  const usedBytes = Number(readSystemFile('/sys/fs/cgroup/memory.current'));
  const stat = readSystemFile('/sys/fs/cgroup/memory.stat') ?? '';
  const cacheBytes = ['inactive_file', 'active_file']
    .map((name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0))
    .reduce((sum, bytes) => sum + bytes, 0);
  return Math.min(freemem(), Math.max(0, limitBytes - usedBytes + cacheBytes));
}

/** Reads a file of /proc or /sys, which never blocks; null if it cannot be read. */
function readSystemFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
