import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { diesWithParent } from '../postgres/child';
import { runningVariable } from './report';
import { stopwatch } from './stopwatch';
import { running, type Activity } from './watchdog';

export const root = join(import.meta.dirname, '..', '..');

export interface Step {
  readonly name: string;
  /** Arguments of node: the file of the tool, then its arguments. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Show the output while it runs, not only when it fails. */
  readonly live?: boolean;
}

/**
 * Runs one check and prints its output if it fails.
 * @returns whether it passed
 */
export async function runStep(step: Step, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const took = stopwatch();
  if (step.live) console.log(`… ${step.name}`);
  const { command, args } = diesWithParent({ command: process.execPath, args: step.args });
  const child = spawn(command, args, {
    cwd: root,
    // A new process group, so that all children can be killed.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...step.environment },
  });
  const output: Buffer[] = [];
  const activity = activityOf(step, output);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      activity.note();
      output.push(chunk);
      if (!step.live) return;
      process.stdout.write(chunk);
      if (output.length > chunksKept) output.shift();
    });
  }
  running.add(activity);
  const kill = () => killGroup(child.pid);
  signal.addEventListener('abort', kill, { once: true });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  signal.removeEventListener('abort', kill);
  running.delete(activity);
  // Remaining children would keep using ports and memory.
  killGroup(child.pid);
  const ok = code === 0;
  console.log(`${ok ? '✓' : '✗'} ${step.name} (${took()})`);
  if (!ok && !step.live && output.length) console.log(indent(Buffer.concat(output).toString()));
  return ok;
}

const linesShown = 20;
const chunksKept = 100;

/** Progress for the watchdog: output, and the file of the test reporter. */
function activityOf({ name, environment }: Step, output: readonly Buffer[]): Activity & { note(): void } {
  let last = performance.now();
  let seenAt = 0;
  const file = environment?.[runningVariable];
  return {
    name,
    note: () => void (last = performance.now()),
    lastProgress() {
      const changedAt = (file && statSync(file, { throwIfNoEntry: false })?.mtimeMs) || 0;
      if (changedAt !== seenAt) last = performance.now();
      seenAt = changedAt;
      return last;
    },
    describe() {
      const tests = file && existsSync(file) ? readFileSync(file, 'utf8') : '';
      const lines = Buffer.concat(output.slice(-chunksKept))
        .toString()
        .trimEnd()
        .split('\n')
        .slice(-linesShown);
      return indent([tests, ...lines].filter(Boolean).join('\n'));
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (!pid) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ');
}

/** Path of a file in an installed package. */
export function tool(name: string, file: string): string {
  const manifest = findManifest(name);
  return join(dirname(manifest), file);
}

function findManifest(name: string): string {
  const require = createRequire(import.meta.url);
  const folders = require.resolve.paths(name) ?? [];
  for (const folder of folders) {
    const manifest = join(folder, name, 'package.json');
    try {
      return require.resolve(manifest);
    } catch {
      // Try the next parent folder.
    }
  }
  throw new Error(`${name} is not installed`);
}
