import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { defined } from '@/lib/core/defined';

interface ChildOptions {
  /** Its output is appended to this file. */
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Starts a process that is terminated when this one dies. It has its own process group, so that Ctrl-C does not reach it
 * and it can be stopped in order.
 */
export function startChild(command: string, args: readonly string[], options: ChildOptions): ChildProcess {
  const log = openSync(options.logFile, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', command, ...args], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...options.env },
    ...defined({ cwd: options.cwd }),
  });
  closeSync(log);
  // A process that cannot be started is detected later, because it does not respond.
  child.on('error', () => undefined);
  return child;
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Polls until `test` returns a value other than undefined, null or false. Ignores errors. @returns null after the timeout */
export async function until<T>(
  seconds: number,
  test: () => Promise<T> | T,
  everyMs = 250,
): Promise<NonNullable<T> | null> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await attempt(test);
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

async function attempt<T>(test: () => Promise<T> | T): Promise<T | null> {
  try {
    return await test();
  } catch {
    return null;
  }
}
