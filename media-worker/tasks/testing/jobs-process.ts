import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '@/lib/infra/env';

const root = join(import.meta.dirname, '..', '..', '..');

/** A role of the media worker in a process of its own, as scripts/testing/database.ts built it. */
export function workerProcess(role: 'jobs' | 'live', env: Readonly<NodeJS.ProcessEnv>): ChildProcess {
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
    /** What is left of them. */
    async end(): Promise<void> {
      for (const process of processes) await killed(process);
    },
  };
}

/** As `kill -9` does it. */
export async function killed(process: ChildProcess): Promise<void> {
  if (process.exitCode === null && process.signalCode === null && process.kill('SIGKILL')) {
    await once(process, 'exit');
  }
}

/** Looks until there is something: an ffmpeg process is there for a tenth of a second at least. `pauseMs` between looks. */
export async function soon<T>(look: () => Promise<T | undefined> | T | undefined, pauseMs = 10): Promise<T> {
  const giveUp = performance.now() + 100_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > giveUp) throw new Error('it never came');
    await sleep(pauseMs);
  }
}

/** The processes whose command holds all these words. */
export function processesWith(...words: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const command = commandOf(pid);
      return words.every((word) => command.includes(word));
    })
    .map(Number);
}

/** The same, once they are ffmpeg: no wrapper around it any more, so bound to the life of the process that wanted it. */
export function ffmpegsWith(...words: readonly string[]): number[] {
  return processesWith(...words).filter((pid) => commandOf(String(pid)).startsWith('ffmpeg\0'));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // It is gone already.
    return '';
  }
}
