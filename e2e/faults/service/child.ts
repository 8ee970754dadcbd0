import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { omitUndefined } from '@/lib/core/omit-undefined';

interface ChildOptions {
  /** File to which the output of the process is appended. */
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Starts a process that gets SIGTERM when this process dies. The new process has its own process group, so Ctrl-C does not
 * reach it and this process can stop it in the right order.
 */
export function startChild(command: string, args: readonly string[], options: ChildOptions): ChildProcess {
  const log = openSync(options.logFile, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', command, ...args], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...options.env },
    ...omitUndefined({ cwd: options.cwd }),
  });
  closeSync(log);
  // Callers notice a process that cannot be started, because it does not respond.
  child.on('error', () => undefined);
  return child;
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/**
 * Polls until `check` returns a value other than undefined, null or false, and ignores its errors.
 * @returns that value, or null after the timeout
 */
export async function until<T>(
  seconds: number,
  check: () => Promise<T> | T,
  intervalMs = 250,
): Promise<NonNullable<T> | null> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await ignoreErrors(check);
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

async function ignoreErrors<T>(check: () => Promise<T> | T): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}
