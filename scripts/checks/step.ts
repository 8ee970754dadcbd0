import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { killWithParent } from '../postgres/child';
import { runningTestsVariable } from './report';
import { stopwatch } from './stopwatch';
import { runningActivities, type Activity } from './watchdog';

export const root = join(import.meta.dirname, '..', '..');

export interface Step {
  readonly name: string;
  /** Arguments of node: the file of the tool, then its arguments. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the output is printed while the step runs, instead of only after a failure. */
  readonly live?: boolean;
}

/**
 * Runs one check as a child process, and prints its output if it fails.
 * @returns whether it passed
 */
export async function runStep(step: Step, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const elapsed = stopwatch();
  if (step.live) console.log(`… ${step.name}`);
  const { command, args } = killWithParent({ command: process.execPath, args: step.args });
  const child = spawn(command, args, {
    cwd: root,
    // A new process group, so that all children can be killed.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...step.environment },
  });
  const output: Buffer[] = [];
  const activity = createActivity(step, output);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      activity.note();
      output.push(chunk);
      if (!step.live) return;
      process.stdout.write(chunk);
      if (output.length > MAX_KEPT_CHUNKS) output.shift();
    });
  }
  runningActivities.add(activity);
  const kill = () => killGroup(child.pid);
  signal.addEventListener('abort', kill, { once: true });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  signal.removeEventListener('abort', kill);
  runningActivities.delete(activity);
  // Remaining children would keep using ports and memory.
  killGroup(child.pid);
  const ok = code === 0;
  console.log(`${ok ? '✓' : '✗'} ${step.name} (${elapsed()})`);
  if (!ok && !step.live && output.length) console.log(indent(Buffer.concat(output).toString()));
  return ok;
}

/** Number of last lines of output in the report of the watchdog. */
const MAX_DESCRIBED_LINES = 20;
/** Number of last chunks of output that are kept of a step whose output is printed while it runs. */
const MAX_KEPT_CHUNKS = 100;

/** Creates the step's progress for the watchdog: output, and changes of the test reporter's file count as progress. */
function createActivity({ name, environment }: Step, output: readonly Buffer[]): Activity & { note(): void } {
  let progressAt = performance.now();
  let reportChangedAt = 0;
  const runningTestsPath = environment?.[runningTestsVariable];
  return {
    name,
    note: () => void (progressAt = performance.now()),
    lastProgress() {
      const changedAt =
        (runningTestsPath && statSync(runningTestsPath, { throwIfNoEntry: false })?.mtimeMs) || 0;
      if (changedAt !== reportChangedAt) progressAt = performance.now();
      reportChangedAt = changedAt;
      return progressAt;
    },
    describe() {
      const runningTests =
        runningTestsPath && existsSync(runningTestsPath) ? readFileSync(runningTestsPath, 'utf8') : '';
      const lines = Buffer.concat(output.slice(-MAX_KEPT_CHUNKS))
        .toString()
        .trimEnd()
        .split('\n')
        .slice(-MAX_DESCRIBED_LINES);
      return indent([runningTests, ...lines].filter(Boolean).join('\n'));
    },
  };
}

/**
 * Kills all processes of a process group.
 * @param pid id of its first process, which is also the id of the group
 */
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

/**
 * Path of a file in an installed package.
 * @throws Error if the package is not installed
 */
export function packageFile(name: string, file: string): string {
  const manifestPath = findManifestPath(name);
  return join(dirname(manifestPath), file);
}

function findManifestPath(name: string): string {
  const require = createRequire(import.meta.url);
  const folders = require.resolve.paths(name) ?? [];
  for (const folder of folders) {
    const manifestPath = join(folder, name, 'package.json');
    try {
      return require.resolve(manifestPath);
    } catch {
      // Try the next parent folder.
    }
  }
  throw new Error(`${name} is not installed`);
}
