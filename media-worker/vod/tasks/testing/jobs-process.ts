import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '@/lib/infra/env';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** A role of the media worker in a process of its own, as scripts/testing/database.ts built it. */
export function workerProcess(
  role: 'jobs' | 'live' | 'origin' | 'rtc',
  env: Readonly<NodeJS.ProcessEnv>,
): ChildProcess {
  const args = ['--enable-source-maps', join(root, '.build', 'media-worker.js'), role];
  return spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
}

/**
 * The jobs role as the service runs it: in processes of its own, which a test may kill.
 * @param searchPath where it finds ffmpeg: the test's own PATH
 */
export function jobsProcesses(
  { databaseUrl, redisUrl, dataDir, appSecret, egressAllowCidrs }: Settings,
  searchPath: string | undefined,
) {
  const processes: ChildProcess[] = [];
  const env = {
    ...{ PATH: searchPath, NODE_ENV: 'test' as const, LOG_LEVEL: 'error' },
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, APP_SECRET: appSecret },
    EGRESS_ALLOW_CIDRS: egressAllowCidrs.join(','),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  } as const;
  return {
    start(): ChildProcess {
      const jobs = workerProcess('jobs', env);
      processes.push(jobs);
      return jobs;
    },
    /** Stops remaining processes. */
    async end(): Promise<void> {
      for (const process of processes) await killAndWait(process);
    },
  };
}

/** Kills a process as `kill -9` does. */
export async function killAndWait(process: ChildProcess): Promise<void> {
  if (process.exitCode === null && process.signalCode === null && process.kill('SIGKILL')) {
    await once(process, 'exit');
  }
}

/** Polls for a value, with `pauseMs` in between; the value must not pass on its own (FfmpegGate). */
export async function soon<T>(look: () => Promise<T | undefined> | T | undefined, pauseMs = 50): Promise<T> {
  const giveUp = performance.now() + 400_000;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > giveUp) throw new Error('it never came');
    await sleep(pauseMs);
  }
}

export interface FfmpegGate {
  /** A search path that leads through the gate. */
  readonly path: string;
  /** Stops programs whose command matches before they begin; null: none. */
  hold(pattern: RegExp | null): void;
  /** Process ids of stopped programs whose command contains all of these words. */
  heldProcesses(...args: readonly string[]): number[];
  /** Releases stopped programs, and lets later ones pass. */
  open(): void;
}

/**
 * Stops ffmpeg and ffprobe right before they begin, so that a test can act in the middle of the work however short it
 * is. Every script that starts them begins with `env` (media-worker/media/ffmpeg/wrapper.ts).
 * @param folder for its files
 * @param searchPath where the process finds its programs: the PATH of the test
 */
export function ffmpegGate(folder: string, searchPath: string): FfmpegGate {
  // One file per stopped process, because tests look often and reading every command of the machine is slow.
  const stopFile = join(folder, 'stopped');
  mkdirSync(stopFile, { recursive: true });
  const pattern = join(folder, 'pattern');
  const env = searchPath
    .split(delimiter)
    .map((directory) => join(directory, 'env'))
    .find(existsSync);
  const script = `#!/bin/sh
[ -f '${pattern}' ] && printf '%s' "$*" | grep -qEf '${pattern}' && : > '${stopFile}'/$$ && kill -STOP $$
exec '${env ?? '/usr/bin/env'}' "$@"
`;
  writeFileSync(join(folder, 'env'), script, { mode: 0o700 });
  const hold = (program: RegExp | null) => {
    if (program) writeFileSync(pattern, program.source);
    else rmSync(pattern, { force: true });
  };
  const heldProcesses = (...args: readonly string[]) =>
    readdirSync(stopFile)
      .filter((pid) => isStopped(pid))
      .filter((pid) => commandHolds(pid, [join(folder, 'env'), ...args]))
      .map(Number);
  return {
    path: `${folder}${delimiter}${searchPath}`,
    hold,
    heldProcesses,
    open() {
      hold(null);
      for (const pid of heldProcesses()) process.kill(pid, 'SIGCONT');
    },
  };
}

function isStopped(pid: string): boolean {
  try {
    return / T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, ''));
  } catch {
    return false;
  }
}

/** Processes whose command contains all of these words. */
export function processesWith(...args: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandHolds(pid, args))
    .map(Number);
}

function commandHolds(pid: string, args: readonly string[]): boolean {
  const command = commandOf(pid);
  return args.every((word) => command.includes(word));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}
