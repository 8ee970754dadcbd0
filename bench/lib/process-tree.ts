import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Reads /proc (Linux). A process that ends while it is read counts as gone. */

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks since boot: together with the pid it names one process for ever. */
  readonly startTicks: number;
  /** User and system time of the process and of its children that have ended, in clock ticks. */
  readonly cpuTicks: number;
}

let ticksPerSecond: number | undefined;
const tickRate = () =>
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
  // The name is in brackets and may hold spaces; field 3 (state) follows it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    parent: field(4),
    startTicks: field(22),
    cpuTicks: field(14) + field(15) + field(16) + field(17),
  };
}

/** The processes with these pids and everything below them. */
export function processTree(roots: readonly number[]): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const found = new Set(roots.filter((pid) => parents.some((process) => process.pid === pid)));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/**
 * CPU time that the trees below these pids have used so far, in seconds, ended children included.
 * @throws Error when one of the pids is gone
 */
export function cpuSeconds(roots: readonly number[]): number {
  const tree = processTree(roots);
  if (!roots.every((pid) => tree.includes(pid))) throw new Error('a measured process has ended');
  const ticks = tree.reduce((sum, pid) => sum + (readStat(pid)?.cpuTicks ?? 0), 0);
  return ticks / tickRate();
}

/** CPU time of this process's own children that have ended, in seconds. */
export function endedChildrenSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / tickRate();
}

/** Proportional memory (PSS) of the trees below these pids, in MB: shared pages are counted once. */
export function memoryMegabytes(roots: readonly number[]): number {
  return processTree(roots).reduce((sum, pid) => sum + ownMegabytes(pid), 0);
}

/** The same of one process, without those below it. */
export function ownMegabytes(pid: number): number {
  const line = /^Pss:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup') ?? '');
  return Number(line?.[1] ?? 0) / 1024;
}

/** The command line with its arguments separated by spaces; empty for a process that is gone. */
export function commandLine(pid: number): string {
  return (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim();
}

/** Remembers which processes are below these pids, so that they can be ended later without hitting a reused pid. */
export function rememberTree(roots: readonly number[]): () => number[] {
  const known = processTree(roots).flatMap((pid) => readStat(pid) ?? []);
  return () =>
    known.filter(({ pid, startTicks }) => readStat(pid)?.startTicks === startTicks).map(({ pid }) => pid);
}
