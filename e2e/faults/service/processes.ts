import { readdirSync, readFileSync } from 'node:fs';

/** A process in /proc of Linux. */
export interface Process {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  /** State letter: R, S, D, T, Z …, see proc_pid_stat(5). */
  readonly state: string;
  /** Start time in clock ticks since boot. Start time and pid identify a process uniquely. */
  readonly startTicks: number;
  readonly args: readonly string[];
}

export type Role = 'web' | 'live' | 'origin' | 'jobs';
const roles: readonly string[] = ['web', 'live', 'origin', 'jobs'] satisfies Role[];

/** A supervisor and its descendants, by function. */
export interface ServiceProcesses {
  readonly supervisor: Process | undefined;
  readonly roles: Partial<Record<Role, Process>>;
  readonly postmaster: Process | undefined;
  /** Child processes of PostgreSQL: backends and background processes. */
  readonly postgres: readonly Process[];
  readonly ffmpeg: readonly Process[];
  /** All processes, the supervisor first. */
  readonly all: readonly Process[];
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

function readProcess(pid: number): Process | undefined {
  const stat = readProc(pid, 'stat');
  const nameEnd = stat.lastIndexOf(')');
  if (nameEnd < 0) return undefined;
  // Field 3 follows the name, which is in parentheses and may contain spaces.
  const fields = stat.slice(nameEnd + 2).split(' ');
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    state: fields[0] ?? '?',
    parentPid: Number(fields[1]),
    startTicks: Number(fields[19]),
    args: readProc(pid, 'cmdline').split('\0').filter(Boolean),
  };
}

export function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Whether a process is still running and its pid was not reused. */
export function isRunning(process: Process): boolean {
  const currentProcess = readProcess(process.pid);
  return (
    currentProcess !== undefined &&
    currentProcess.startTicks === process.startTicks &&
    currentProcess.state !== 'Z'
  );
}

/**
 * Sends a signal to a process.
 * @returns false if the process does not run any more
 */
export function sendSignal(target: Process, name: NodeJS.Signals): boolean {
  if (!isRunning(target)) return false;
  try {
    return process.kill(target.pid, name);
  } catch {
    return false;
  }
}

/** Reads the environment variables of a process as `NAME=value`. The list has one empty text if the process is not readable. */
export const readEnvironment = (pid: number): string[] => readProc(pid, 'environ').split('\0');

/** Finds the processes of the service whose supervisor has this pid. Without a running supervisor there are none. */
export function findServiceProcesses(supervisorPid: number | undefined): ServiceProcesses {
  const processes = listProcesses();
  const supervisor = processes.find(({ pid }) => pid === supervisorPid);
  const all = supervisor ? withDescendants(supervisor, processes) : [];
  const byRole: Partial<Record<Role, Process>> = {};
  for (const child of all) {
    const role = roleOf(child.args);
    if (role) byRole[role] = child;
  }
  const postmaster = all.find(
    ({ args, parentPid: parent }) =>
      parent === supervisorPid && args.some((arg) => arg.endsWith('/postgres')),
  );
  return {
    supervisor,
    roles: byRole,
    postmaster,
    postgres: all.filter(({ parentPid: parent }) => parent === postmaster?.pid),
    ffmpeg: all.filter(({ name }) => /^ff(mpeg|probe)$/.test(name)),
    all,
  };
}

function withDescendants(root: Process, processes: readonly Process[]): Process[] {
  const tree = [root];
  // `tree` grows during the loop, level by level.
  for (const { pid } of tree) tree.push(...processes.filter(({ parentPid: parent }) => parent === pid));
  return tree;
}

function roleOf(args: readonly string[]): Role | undefined {
  if (args.some((arg) => arg.endsWith('web.js'))) return 'web';
  const lastArg = args.at(-1) ?? '';
  const isWorker = args.some((arg) => arg.endsWith('media-worker.js'));
  return isWorker && roles.includes(lastArg) ? (lastArg as Role) : undefined;
}
