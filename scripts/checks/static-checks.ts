import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './plan';
import { root, runStep, packageFile, type Step } from './step';
import { singleTally } from './tally';
import { runVitest, type Project } from './vitest';

const folders = ['app', 'components', 'lib', 'media-worker', 'web', 'scripts', 'e2e', 'bench'];

/**
 * All checks that need no service, slow ones first, and these projects of vitest.config.ts.
 * @param workers number of processes for the tests of a project
 */
export function staticChecks(signal: AbortSignal, projects: readonly Project[], workers = 1): Part[] {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const layers = [
    ...[
      packageFile('dependency-cruiser', 'bin/dependency-cruise.mjs'),
      '--config',
      'dependency-cruiser.config.mjs',
    ],
    ...present,
  ];
  const steps: Step[] = [
    { name: 'lint and types', args: [packageFile('oxlint', 'bin/oxlint')] },
    { name: 'layers', args: layers },
    { name: 'dead code', args: [packageFile('knip', 'bin/knip.js'), '--cache'] },
    { name: 'format', args: [packageFile('oxfmt', 'bin/oxfmt'), '--check', '.'] },
  ];
  return [
    ...steps.map((step): Part => ({
      name: step.name,
      after: [],
      run: async () => singleTally(await runStep(step, signal), step.name),
    })),
    ...projects.map((project): Part => ({
      name: `${project} tests`,
      after: [],
      run: () => runVitest({ name: `${project} tests`, projects: [project], workers }, signal),
    })),
  ];
}
