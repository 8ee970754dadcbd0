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

/** Whether the process exited or was killed. */
export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;
