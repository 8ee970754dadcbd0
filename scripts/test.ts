import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './checks/chromium';
import { EndToEnd } from './checks/end-to-end';
import { runPlan, type Part } from './checks/plan';
import { runStaticChecks, runVitest } from './checks/static-checks';
import { root, runStep } from './checks/step';
import { stopwatch } from './checks/stopwatch';
import { add, none, one, summary, type Tally } from './checks/tally';
import { generateClient } from './generate';
import { buildStaleParts } from './service/build';
import { ensureFfmpeg } from './service/ffmpeg';

const say = (line: string) => console.log(line);

/** `npm test`: sets up everything and runs all checks. A failed check does not stop the others. */
export default async function test(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const folder = await mkdtemp(join(tmpdir(), 'headwater-'));
  // Temporary files of tests are removed together with this folder.
  process.env.TMPDIR = folder;
  let tally: Tally = one(false, 'setting up');
  try {
    await generateClient(say);
    tally = await runPlan(planOf(folder, stopping.signal));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  if (stopping.signal.aborted) tally = add(tally, one(false, 'stopped by a signal'));
  say(summary(tally));
  process.exit(tally.failures.length ? 1 : 0);
}

/** Two nodes on loopback; `npm run test:cluster` has all of it. */
async function runShortCluster(signal: AbortSignal): Promise<Tally> {
  const name = 'two nodes';
  const args = ['--import', 'tsx', join(root, 'e2e', 'cluster', 'run.ts'), '--short'];
  return one(await runStep({ name, args }, signal), name);
}

/**
 * End-to-end tests against the service, and in parallel all checks that need no service, because both wait much of the
 * time.
 */
function planOf(folder: string, signal: AbortSignal): Part[] {
  const service = new EndToEnd(folder, signal);
  let chromium = '';
  const programs = async () => {
    const took = stopwatch();
    await ensureFfmpeg(say, signal);
    chromium = await ensureChromium(say, signal);
    say(`✓ programs (${took()})`);
    return none;
  };
  const build = async () => {
    const took = stopwatch();
    await buildStaleParts(say, signal);
    say(`✓ build (${took()})`);
    return none;
  };
  const parallel = ['api', 'media', 'watching', 'dashboard'];
  return [
    { name: 'programs', after: [], run: programs },
    { name: 'build', after: [], run: build },
    { name: 'service', after: ['programs', 'build'], run: () => service.start() },
    {
      name: 'end to end',
      after: ['service'],
      run: () => service.test('end-to-end tests', parallel, chromium),
    },

    { name: 'static checks', after: [], run: () => runStaticChecks(signal) },
    { name: 'db', after: ['programs', 'static checks'], run: () => runVitest('db', signal) },
    { name: 'socket', after: ['db'], run: () => runVitest('socket', signal) },
    { name: 'media', after: ['socket'], run: () => runVitest('media', signal) },

    { name: 'cluster', after: ['end to end', 'media'], run: () => runShortCluster(signal) },

    // These tests kill parts of the service or measure response times.
    {
      name: 'alone',
      after: ['cluster'],
      run: () => service.test('end-to-end tests that run alone', ['alone'], chromium),
    },
    { name: 'end of the service', after: ['alone'], run: () => service.stop() },
  ];
}
