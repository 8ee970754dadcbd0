import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchBody, waitFor } from './network';
import { recordTree } from './process-tree';
import type { Scope } from './scope';

/** A running program and its descendants. */
export interface StartedProcess {
  readonly pid: number;
  /** Start time, from performance.now(). */
  readonly startedAt: number;
  readonly isRunning: () => boolean;
  /** The last 8,000 characters of the output of the process, for error messages. */
  readonly output: () => string;
  /** Sends SIGTERM, waits up to `graceMs`, and then kills the process and its descendants. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** Options of `startProcess`. */
interface StartOptions {
  /** Stops the program when it closes. */
  readonly scope: Scope;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Time between SIGTERM and SIGKILL, ms; 5,000 by default. */
  readonly graceMs?: number;
}

const OUTPUT_LIMIT = 8_000;

/** Starts a program. The program is stopped when its scope closes, and gets SIGTERM when this process dies. */
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
  const appendOutput = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_LIMIT));
  child.stdout.on('data', appendOutput);
  child.stderr.on('data', appendOutput);
  child.on('error', (error) => (output += error.message));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} did not start (setpriv of util-linux is needed)`);
  const stop = (graceMs = options.graceMs ?? 5_000) => stopTree(child, pid, graceMs);
  options.scope.defer(() => stop());
  return { pid, startedAt, isRunning: () => isChildRunning(child), output: () => output, stop };
}

/**
 * Waits until `url` responds with 200.
 * @throws Error with the output of the program if the program ends, or after the timeout
 */
export async function waitUntilHealthy(
  server: StartedProcess,
  url: string,
  timeoutMs: number,
): Promise<void> {
  try {
    await waitFor(
      url,
      () => {
        if (!server.isRunning()) throw new Error('it ended');
        return fetchBody(url);
      },
      { timeoutMs },
    );
  } catch (error) {
    throw new Error(`not healthy: ${String(error)}\n${server.output()}`);
  }
}

const isChildRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

/** Stops a program with SIGTERM, and kills its descendants that still run after `graceMs`. */
async function stopTree(child: ChildProcess, pid: number, graceMs: number): Promise<void> {
  const survivors = recordTree([pid]);
  if (isChildRunning(child)) child.kill('SIGTERM');
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
