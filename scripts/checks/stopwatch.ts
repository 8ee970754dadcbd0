import { readFileSync } from 'node:fs';

/**
 * Starts to measure one step of a run.
 * @returns a function to call when the process of the step has ended; it returns text such as "59.2 s, 81 s of the
 * processor"
 */
export function stopwatch(): () => string {
  const startedAt = performance.now();
  return () => {
    const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    const processorSeconds = readProcessorSeconds();
    return processorSeconds === null
      ? seconds
      : `${seconds}, ${processorSeconds.toFixed(0)} s of the processor`;
  };
}

let reportedSeconds = 0;

/** CPU time of the children that ended since the last call, with their own children; null if unknown. */
function readProcessorSeconds(): number | null {
  let totalSeconds: number;
  try {
    totalSeconds = endedChildrenSeconds(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return null;
  }
  const newSeconds = totalSeconds - reportedSeconds;
  reportedSeconds = totalSeconds;
  return newSeconds;
}

/** @param stat content of /proc/[pid]/stat; `cutime` and `cstime` in hundredths of a second, see proc_pid_stat(5) */
export function endedChildrenSeconds(stat: string): number {
  // The second field is a name in parentheses, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/**
 * Wall and CPU time of this process and its ended children so far. Most CPU time of browsers is missing, because Playwright
 * kills them without waiting for them.
 */
export function timeUsed(): string {
  const wall = `wall ${minutesOf(process.uptime())}`;
  let children: number;
  try {
    children = endedChildrenSeconds(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return wall;
  }
  const { user, system } = process.cpuUsage();
  return `${wall}, CPU ${minutesOf(children + (user + system) / 1e6)}`;
}

const minutesOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
