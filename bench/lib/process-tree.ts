import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Values of a process from /proc (Linux). */

interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** Start time in clock ticks since boot. Start time and pid identify a process uniquely. */
  readonly startTicks: number;
  /** User and system time of the process and its ended children, in clock ticks. */
  readonly cpuTicks: number;
}

let ticksPerSecond: number | undefined;
const readTickRate = () =>
  (ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function readStat(pid: number): ProcessStat | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The name is in parentheses and may contain spaces. Field 3 (state) follows the name, see proc_pid_stat(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    parentPid: field(4),
    startTicks: field(22),
    cpuTicks: field(14) + field(15) + field(16) + field(17),
  };
}

/** Finds the running processes with the given pids and all their descendants. */
export function processTree(roots: readonly number[]): number[] {
  const processStats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const pids = new Set(roots.filter((pid) => processStats.some((process) => process.pid === pid)));
  for (let sizeBefore = -1; sizeBefore !== pids.size;) {
    sizeBefore = pids.size;
    for (const { pid, parentPid: parent } of processStats) if (pids.has(parent)) pids.add(pid);
  }
  return [...pids];
}

/**
 * CPU time of processes and their descendants since their start, in seconds. Ended children are included.
 * @throws Error if one of the processes has ended
 */
export function cpuSeconds(roots: readonly number[]): number {
  const tree = processTree(roots);
  if (!roots.every((pid) => tree.includes(pid))) throw new Error('a measured process has ended');
  const ticks = tree.reduce((sum, pid) => sum + (readStat(pid)?.cpuTicks ?? 0), 0);
  return ticks / readTickRate();
}

/** CPU time of the ended children of this process, in seconds. */
export function endedChildrenSeconds(): number {
  // Without the first two fields, indexes 13 and 14 are fields 16 and 17, `cutime` and `cstime`; see proc_pid_stat(5).
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / readTickRate();
}

/** Proportional set size (PSS) of processes and their descendants, in MB. */
export function memoryMegabytes(roots: readonly number[]): number {
  return processTree(roots).reduce((sum, pid) => sum + ownMemoryMegabytes(pid), 0);
}

/** Proportional set size of one process, in MB. */
export function ownMemoryMegabytes(pid: number): number {
  const line = /^Pss:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup') ?? '');
  return Number(line?.[1] ?? 0) / 1024;
}

/** Command line of a process with its arguments separated by spaces. It is empty for an ended process. */
export function commandLine(pid: number): string {
  return (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim();
}

/**
 * Records the processes of a tree.
 * @returns a function that lists the recorded processes that are still running; reused pids are left out
 */
export function recordTree(roots: readonly number[]): () => number[] {
  const stats = processTree(roots).flatMap((pid) => readStat(pid) ?? []);
  return () =>
    stats.filter(({ pid, startTicks }) => readStat(pid)?.startTicks === startTicks).map(({ pid }) => pid);
}
