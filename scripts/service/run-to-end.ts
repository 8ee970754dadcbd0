import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { killWithParent, type Command } from '../postgres/child';
import { ExpectedError } from './expected-error';

/**
 * Runs a command and passes on its output line by line.
 * @throws ExpectedError if it fails, the reason of `signal` if aborted
 */
export async function runToEnd(
  run: Command,
  log: (line: string) => void,
  signal: AbortSignal,
  environment: Record<string, string> = {},
): Promise<void> {
  const { command, args } = killWithParent(run);
  // A new process group, so that Ctrl-C only reaches this process, which then stops the child.
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => line.trim() && log(`  ${line}`));
  }
  const kill = () => child.kill('SIGTERM');
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    const result = await new Promise<number | string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, killedBy) => resolve(code ?? killedBy ?? 'ended'));
    });
    signal.throwIfAborted();
    if (result !== 0) throw new ExpectedError(`${[run.command, ...run.args].join(' ')} failed (${result})`);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
