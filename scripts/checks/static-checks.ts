import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runStep, tool, type Step } from './step';
import { add, one, readTally, tallyOfVitest, type Tally } from './tally';

const folders = ['app', 'components', 'lib', 'media-worker', 'web', 'scripts', 'e2e', 'bench'];

/** Runs all checks that need no service, two at a time, the slow ones first. */
export async function runStaticChecks(signal: AbortSignal): Promise<Tally> {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const steps: Step[] = [
    { name: 'lint and types', args: [tool('oxlint', 'bin/oxlint')] },
    { name: 'format', args: [tool('oxfmt', 'bin/oxfmt'), '--check', '.'] },
    {
      name: 'layers',
      args: [
        tool('dependency-cruiser', 'bin/dependency-cruise.mjs'),
        '--config',
        'dependency-cruiser.config.mjs',
        ...present,
      ],
    },
    { name: 'dead code', args: [tool('knip', 'bin/knip.js')] },
  ];
  const results: Tally[] = [];
  const work = async () => {
    for (let step = steps.shift(); step; step = steps.shift())
      results.push(one(await runStep(step, signal), step.name));
  };
  const testing = async () => {
    await work();
    for (const project of ['pure', 'components'] as const) results.push(await runVitest(project, signal));
  };
  await Promise.all([work(), testing()]);
  return add(...results);
}

/** More workers than cores, because most tests wait for sockets, timers, PostgreSQL or child processes. */
const workers = 3;

/** Runs one project of vitest.config.ts. @returns the results of its tests */
export async function runVitest(
  project: 'pure' | 'components' | 'socket' | 'media' | 'db',
  signal: AbortSignal,
): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-vitest-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const run = ['run', '--project', project, `--maxWorkers=${workers}`];
  const args = [tool('vitest', 'vitest.mjs'), ...run, ...reporters];
  const name = `${project} tests`;
  const ok = await runStep({ name, args }, signal);
  const tally = readTally(report, tallyOfVitest, ok, name);
  rmSync(folder, { recursive: true, force: true });
  return tally;
}
