import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterDeath, initialRestartState } from '@/lib/core/restart-backoff';
import type { Command } from '../postgres/child';

export interface ChildSpec {
  readonly name: string;
  readonly command: Command;
  readonly environment?: Readonly<Record<string, string>>;
  /** Done before every start, such as clearing what the last run left behind. */
  beforeStart?(): Promise<void>;
  /** Lines of its output that say nothing to an operator. */
  readonly noise?: RegExp;
  /** The signal that asks it to end. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
}

export interface Supervised {
  readonly name: string;
  /** Process id, undefined while it is down. */
  pid(): number | undefined;
  /** Asks it to end, kills it after `graceMs`; it does not come back. May be called twice. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** Starts a process and starts it again whenever it ends, until it is stopped. */
export function supervise(spec: ChildSpec, say: (line: string) => void): Supervised {
  let child: ChildProcess | undefined;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let state = initialRestartState;
  let ended: Promise<void> = Promise.resolve();

  const start = () => {
    timer = undefined;
    const begun = performance.now();
    ended = (spec.beforeStart?.() ?? Promise.resolve())
      .then(() => (stopping ? undefined : run()))
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((reason) => {
        child = undefined;
        if (stopping) return;
        const after = afterDeath(state, performance.now() - begun);
        state = after.state;
        const when = after.delayMs ? `in ${after.delayMs / 1000} s` : 'now';
        say(`${spec.name} ended (${reason ?? 'unknown'}); starting it again ${when}`);
        timer = setTimeout(start, after.delayMs);
      });
  };

  const tell = (line: string) => {
    if (!spec.noise?.test(line)) say(`${spec.name.padEnd(8)} | ${line}`);
  };

  const run = () =>
    new Promise<string>((resolve) => {
      // A group of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops all in order.
      child = spawn(spec.command.command, spec.command.args, {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...spec.environment },
      });
      for (const input of [child.stdout, child.stderr]) {
        if (input) createInterface({ input }).on('line', tell);
      }
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? '?'}`));
    });

  start();
  return {
    name: spec.name,
    pid: () => child?.pid,
    kill: () => child?.kill('SIGKILL'),
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      child?.kill(spec.stopSignal);
      const patience = setTimeout(() => {
        say(`${spec.name} does not end within ${graceMs / 1000} s: killed`);
        child?.kill('SIGKILL');
      }, graceMs);
      await ended;
      clearTimeout(patience);
    },
  };
}
