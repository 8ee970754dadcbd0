import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  superviseProcess,
  type ProcessSupervisor,
  type SupervisedSpec,
} from '@/lib/infra/supervised-process';
import type { Command } from '../postgres/child';
import type { Output } from './output';

export interface ChildSpec extends Omit<SupervisedSpec, 'start'> {
  readonly command: Command;
  readonly environment?: Readonly<Record<string, string>>;
  /** Output lines that are not shown to the operator. */
  readonly noise?: RegExp;
}

/** Starts a process, and restarts it whenever it exits or does not respond, until it is stopped. */
export function supervise(spec: ChildSpec, output: Output): ProcessSupervisor {
  return superviseProcess({ ...spec, start: () => start(spec, output) }, (line) => output.log(line, 'warn'));
}

function start({ name, command, environment, liveness, noise }: ChildSpec, output: Output): ChildProcess {
  // A new process group, so that Ctrl-C only reaches the supervisor, which stops all processes in order.
  const child = spawn(command.command, command.args, {
    detached: true,
    stdio: liveness.probe ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    const input = child[stream];
    const print = (line: string) => {
      if (!noise?.test(line)) output.print(name, line, stream);
    };
    if (input) createInterface({ input }).on('line', print);
  }
  return child;
}
