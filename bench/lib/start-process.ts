import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchBody, waitFor } from './network';
import { rememberTree } from './process-tree';
import type { Scope } from './scope';

export interface StartedProcess {
  readonly pid: number;
  /** Start time, from performance.now(). */
  readonly startedAt: number;
  readonly running: () => boolean;
  /** The end of its output, for error messages. */
  readonly output: () => string;
  /** Sends SIGTERM, waits up to `graceMs`, then kills the process and its descendants. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

interface StartOptions {
  readonly scope: Scope;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly graceMs?: number;
}

const outputLimit = 8_000;

/** Starts a program that is stopped when its scope closes or when this process dies. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: StartOptions,
): StartedProcess {
  const startedAt = performance.now();
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', command, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-outputLimit));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.on('error', (error) => (output += error.message));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} did not start (setpriv of util-linux is needed)`);
  const stop = (graceMs = options.graceMs ?? 5_000) => stopTree(child, pid, graceMs);
  options.scope.defer(() => stop());
  return { pid, startedAt, running: () => isRunning(child), output: () => output, stop };
}

/**
 * Waits until `url` responds with 200.
 * @throws Error with the program's output if it ends or after the timeout
 */
export async function untilHealthy(server: StartedProcess, url: string, timeoutMs: number): Promise<void> {
  try {
    await waitFor(
      url,
      () => {
        if (!server.running()) throw new Error('it ended');
        return fetchBody(url);
      },
      { timeoutMs },
    );
  } catch (error) {
    throw new Error(`not healthy: ${String(error)}\n${server.output()}`);
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function stopTree(child: ChildProcess, pid: number, graceMs: number): Promise<void> {
  const survivors = rememberTree([pid]);
  if (isRunning(child)) child.kill('SIGTERM');
  const deadline = performance.now() + graceMs;
  while (survivors().length > 0 && performance.now() < deadline) await sleep(20);
  for (const survivor of survivors()) {
    try {
      process.kill(survivor, 'SIGKILL');
    } catch {
      // The process has ended since it was listed.
    }
  }
}
