import { readFileSync } from 'node:fs';

/**
 * Starts to measure one step of a run.
 * @returns a function to call when the process of the step has ended. It returns text such as "59.2 s, 81 s CPU", or
 * "59.2 s" where the CPU time is unknown
 */
export function stopwatch(): () => string {
  const startedAt = performance.now();
  return () => {
    const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    const cpuSeconds = takeNewCpuSeconds();
    return cpuSeconds === null ? seconds : `${seconds}, ${cpuSeconds.toFixed(0)} s CPU`;
  };
}

/** CPU time that earlier calls of `takeNewCpuSeconds` have returned. */
let takenSeconds = 0;

/**
 * Returns the CPU time of the children that ended since the last call, with their own children; null if unknown. The next
 * call does not return it again.
 */
function takeNewCpuSeconds(): number | null {
  let totalSeconds: number;
  try {
    totalSeconds = endedChildrenSeconds(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return null;
  }
  const newSeconds = totalSeconds - takenSeconds;
  takenSeconds = totalSeconds;
  return newSeconds;
}

/**
 * CPU time of the ended children of a process, seconds.
 * @param stat content of /proc/[pid]/stat; `cutime` and `cstime` in hundredths of a second, see proc_pid_stat(5)
 */
export function endedChildrenSeconds(stat: string): number {
  // The second field is a name in parentheses, which may contain anything. The fields after it start at number 3, so 13 and 14
  // are the indexes of fields 16 and 17, `cutime` and `cstime`.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/**
 * Wall and CPU time of this process and its ended children so far: "wall 3 min 05 s, CPU 5 min 40 s", or only the wall time
 * where the other is unknown. Most CPU time of browsers is missing, because Playwright
 * kills them without waiting for them.
 */
export function timeUsed(): string {
  const wall = `wall ${formatMinutes(process.uptime())}`;
  let children: number;
  try {
    children = endedChildrenSeconds(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return wall;
  }
  const { user, system } = process.cpuUsage();
  return `${wall}, CPU ${formatMinutes(children + (user + system) / 1e6)}`;
}

const formatMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
