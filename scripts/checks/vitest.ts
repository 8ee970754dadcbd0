import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportPathVariable, runningTestsVariable } from './report';
import { root, runStep, packageFile } from './step';
import { readTally, type Tally } from './tally';

export type Project = 'pure' | 'components' | 'replaced' | 'socket' | 'media' | 'db';

interface VitestRun {
  readonly name: string;
  readonly projects: readonly Project[];
  /** Whether the files of `npm run test:full` are also run. */
  readonly full?: boolean;
  /** Part of the files to run, such as 1/4. */
  readonly shard?: string;
  readonly workers?: number;
  /** Additional arguments, such as files to run. */
  readonly extraArgs?: readonly string[];
}

/** Arguments that switch off the timeouts of tests, because scripts/checks/watchdog.ts limits the whole run. */
const noTimeouts = ['--testTimeout=0', '--hookTimeout=0'];

/**
 * Runs projects of vitest.config.ts.
 * @returns the results of their tests
 */
export async function runVitest(run: VitestRun, signal: AbortSignal): Promise<Tally> {
  const { name, projects, full = false, shard, workers = 1, extraArgs = [] } = run;
  const folder = mkdtempSync(join(tmpdir(), 'headwater-vitest-'));
  const report = join(folder, 'report.json');
  const environment = {
    [reportPathVariable]: report,
    [runningTestsVariable]: join(folder, 'running'),
    FULL: full ? '1' : '',
  };
  const args = [
    ...[packageFile('vitest', 'vitest.mjs'), 'run', `--maxWorkers=${workers}`, ...noTimeouts],
    ...projects.map((project) => `--project=${project}`),
    ...['--reporter=dot', `--reporter=${join(root, 'scripts', 'checks', 'vitest-reporter.ts')}`],
    ...(full ? [] : ['--exclude=**/*.full.*']),
    ...(shard ? [`--shard=${shard}`] : []),
    ...extraArgs,
  ];
  const ok = await runStep({ name, args, environment }, signal);
  const tally = readTally(report, 'vitest', ok, name);
  rmSync(folder, { recursive: true, force: true });
  return tally;
}
