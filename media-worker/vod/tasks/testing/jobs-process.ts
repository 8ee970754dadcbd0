import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { Settings } from '@/lib/infra/env';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** A role of the media worker in its own process, as scripts/testing/database.ts built it. */
export function startWorkerProcess(
  role: 'jobs' | 'live' | 'origin' | 'rtc',
  env: Readonly<NodeJS.ProcessEnv>,
): ChildProcess {
  const args = ['--enable-source-maps', join(root, '.build', 'media-worker.js'), role];
  return spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
}

/**
 * Processes of the jobs role, as the service runs it, which a test may kill.
 * @param searchPath PATH on which they find ffmpeg; the test's own PATH by default
 */
export function createJobsProcesses(
  { databaseUrl, redisUrl, dataDir, appSecret, egressAllowCidrs }: Settings,
  searchPath: string | undefined,
) {
  const processes: ChildProcess[] = [];
  const env = {
    PATH: searchPath,
    NODE_ENV: 'test' as const,
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    EGRESS_ALLOW_CIDRS: egressAllowCidrs.join(','),
    ...omitUndefined({ REDIS_URL: redisUrl }),
  } as const;
  return {
    start(): ChildProcess {
      const jobs = startWorkerProcess('jobs', env);
      processes.push(jobs);
      return jobs;
    },
    /** Stops the remaining processes. */
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

/**
 * Polls until `read` returns a value. A test that needs a short state must hold it with FfmpegGate, or polling
 * misses it.
 * @throws Error after 400 seconds
 */
export async function pollForValue<T>(
  read: () => Promise<T | undefined> | T | undefined,
  pauseMs = 50,
): Promise<T> {
  const deadline = performance.now() + 400_000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error('The value did not appear in time');
    await sleep(pauseMs);
  }
}

export interface FfmpegGate {
  /** A PATH whose programs pass through the gate. */
  readonly path: string;
  /** Stops programs whose command matches before they start; null lets all pass. */
  hold(pattern: RegExp | null): void;
  /** Process ids of stopped programs whose command contains all of these words. */
  heldProcesses(...args: readonly string[]): number[];
  /** Releases stopped programs, and lets later ones pass. */
  open(): void;
}

/**
 * Stops ffmpeg and ffprobe right before they start, so that a test can act in the middle of short work. Every script
 * that starts them begins with `env` (media-worker/media/ffmpeg/wrapper.ts).
 * @param folder for the files of the gate
 * @param searchPath PATH on which the process finds its programs
 */
export function createFfmpegGate(folder: string, searchPath: string): FfmpegGate {
  // One file per stopped process, because tests look often and reading every command of the machine is slow.
  const stoppedFolder = join(folder, 'stopped');
  mkdirSync(stoppedFolder, { recursive: true });
  const patternPath = join(folder, 'pattern');
  const envProgram = searchPath
    .split(delimiter)
    .map((directory) => join(directory, 'env'))
    .find(existsSync);
  const script = `#!/bin/sh
[ -f '${patternPath}' ] && printf '%s' "$*" | grep -qEf '${patternPath}' && : > '${stoppedFolder}'/$$ && kill -STOP $$
exec '${envProgram ?? '/usr/bin/env'}' "$@"
`;
  writeFileSync(join(folder, 'env'), script, { mode: 0o700 });
  const hold = (program: RegExp | null) => {
    if (program) writeFileSync(patternPath, program.source);
    else rmSync(patternPath, { force: true });
  };
  const heldProcesses = (...args: readonly string[]) =>
    readdirSync(stoppedFolder)
      .filter((pid) => isStopped(pid))
      .filter((pid) => commandContains(pid, [join(folder, 'env'), ...args]))
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

/** Returns the process ids whose command contains all of these words. */
export function processesWith(...args: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandContains(pid, args))
    .map(Number);
}

function commandContains(pid: string, args: readonly string[]): boolean {
  const command = commandOf(pid);
  return args.every((word) => command.includes(word));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // the process has ended
    return '';
  }
}
