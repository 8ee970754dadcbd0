import { readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './checks/chromium';
import { affectedTests, listChangedFiles } from './checks/changed';
import { EndToEnd } from './checks/end-to-end';
import { readImports } from './checks/import-graph';
import { runPlan, type Part } from './checks/plan';
import { runFailedAgain } from './checks/run-again';
import { staticChecks } from './checks/static-checks';
import { root, runStep } from './checks/step';
import { stopwatch, timeUsed } from './checks/stopwatch';
import {
  addTallies,
  withVerdict,
  emptyTally,
  singleTally,
  passedAlone,
  formatSummary,
  type Rerun,
  type Tally,
} from './checks/tally';
import { runVitest, type Project } from './checks/vitest';
import { installTestPackages } from './checks/test-packages';
import { Watchdog } from './checks/watchdog';
import { generateClient } from './generate';
import { buildStaleParts } from './service/build';
import { ensureFfmpeg } from './service/ffmpeg';
import { createTestFolder } from './testing/memory-folder';
import { startTestServer, testServerVariable, type TestServer } from './testing/test-server';

const log = (line: string) => console.log(line);
const MS_PER_MINUTE = 60_000;

/**
 * Number of concurrent busy workers: two on two cores. With three, the build, the browser tests and the media tests, which
 * wait for each other, take longer, and so does the whole run.
 */
const busyWorkers = Math.max(2, Math.min(4, availableParallelism()));

interface TestOptions {
  /** Whether to include files with `.full.` in their name, and to count skipped or unstable tests as failures. */
  readonly full: boolean;
  /** Commit since which changes are tested; null for all tests. */
  readonly changedSince: string | null;
}

function parseOptions(args: readonly string[]): TestOptions {
  const changedFlag = args.indexOf('--changed');
  return {
    full: args.includes('--full'),
    changedSince: changedFlag === -1 ? null : (args[changedFlag + 1] ?? 'HEAD'),
  };
}

/**
 * `npm test`: sets up everything and runs the tests that every change must pass. `npm run test:full` adds the files
 * with `.full.` in their name; with `--changed [commit]`, it runs only those affected by changes since that commit. A
 * failed check does not stop the others.
 */
export default async function test(args: readonly string[] = []): Promise<void> {
  const options = parseOptions(args);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const folder = createTestFolder('headwater-');
  // Temporary files of tests are removed with this folder. Tests share the sample videos in it.
  process.env.TMPDIR = join(folder, 'tmp');
  await mkdir(process.env.TMPDIR);
  const run = new TestRun(folder, options, stopping);
  let tally: Tally = singleTally(false, 'setting up');
  try {
    tally = await run.runAll();
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
  } finally {
    await run.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  if (stopping.signal.aborted && !run.isStuck)
    tally = addTallies(tally, singleTally(false, 'stopped by a signal'));
  const finalTally = withVerdict(tally, options.full);
  log(formatSummary(finalTally, timeUsed()));
  process.exit(finalTally.failures.length ? 1 : 0);
}

class TestRun {
  /** Whether the watchdog ended the run. */
  isStuck = false;
  readonly #options: TestOptions;
  readonly #stopping: AbortController;
  readonly #service: EndToEnd;
  readonly #folder: string;
  #database: TestServer | undefined;

  constructor(folder: string, options: TestOptions, stopping: AbortController) {
    this.#folder = folder;
    this.#options = options;
    this.#stopping = stopping;
    this.#service = new EndToEnd(folder, stopping.signal);
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }

  async runAll(): Promise<Tally> {
    await generateClient(log);
    const watchdogResult = { tally: emptyTally };
    const watchdog = new Watchdog({
      // A test of the full suite may encode, or wait for a dead process's lock, for minutes.
      limitMs: (this.#options.full ? 20 : 5) * MS_PER_MINUTE,
      now: () => performance.now(),
      onStuck: (report) => {
        this.isStuck = true;
        log(`No step has made progress for minutes. Running:\n${report}`);
        watchdogResult.tally = singleTally(false, 'the run is stuck', report);
        this.#stopping.abort();
      },
    });
    const watchdogTimer = setInterval(() => watchdog.check(), 5_000);
    try {
      const parts = this.#options.changedSince === null ? this.#allParts() : this.#changedParts();
      const tally = await runPlan(parts, busyWorkers);
      const tallyAfterReruns = this.#signal.aborted
        ? tally
        : await runFailedAgain(tally, (failedTests) => this.#runAlone(failedTests));
      return addTallies(tallyAfterReruns, watchdogResult.tally, await this.#service.stop());
    } finally {
      clearInterval(watchdogTimer);
    }
  }

  async close(): Promise<void> {
    await this.#database?.stop();
  }

  async #runAlone({ runner, selection }: Rerun): Promise<boolean> {
    const extraArgs = [...selection];
    const { full } = this.#options;
    const tally =
      runner === 'vitest'
        ? await runVitest(
            { name: 'failed test again, alone', projects: [], full: true, extraArgs },
            this.#signal,
          )
        : await this.#service.test({ name: 'failed test again, alone', projects: [], full, extraArgs });
    return passedAlone(tally);
  }

  /** Programs, build, database and service, which later parts need. */
  #preparations(): Part[] {
    const timedStep = (name: string, prepare: () => Promise<void>) => async () => {
      const readStopwatch = stopwatch();
      await prepare();
      log(`✓ ${name} (${readStopwatch()})`);
      return emptyTally;
    };
    const programs = timedStep('programs', async () => {
      await ensureFfmpeg(log, this.#signal);
      this.#service.chromium = await ensureChromium(log, this.#signal);
      if (this.#options.full) await installTestPackages(log, this.#signal);
    });
    const database = timedStep('database', async () => {
      this.#database = await startTestServer(this.#folder);
      process.env[testServerVariable] = this.#database.url;
    });
    return [
      { name: 'programs', after: [], workers: 0, run: programs },
      { name: 'build', after: [], run: timedStep('build', () => buildStaleParts(log, this.#signal)) },
      { name: 'database', after: [], workers: 0, run: database },
      { name: 'service', after: ['programs', 'build'], workers: 0, run: () => this.#service.start() },
    ];
  }

  #allParts(): Part[] {
    const { full } = this.#options;
    const vitest = (project: Project, workers: number, shards: number): Part[] =>
      Array.from({ length: shards }, (_, index) => {
        const name = `${project} tests ${index + 1} of ${shards}`;
        const shard = `${index + 1}/${shards}`;
        return {
          name,
          after: ['programs', 'build', 'database'],
          // A browser and encoders together need more than two cores.
          ...(project === 'media' ? { conflictsWith: 'end to end' } : {}),
          run: () => runVitest({ name, projects: [project], full, shard, workers }, this.#signal),
        };
      });
    const projects = ['api', 'media', 'dashboard'];
    const browser: Part = {
      name: 'end to end',
      after: ['service'],
      // The short tests mostly wait for the service, so they leave time for two other parts.
      workers: full ? 1 : 0,
      run: async () => {
        const tally = await this.#service.test({ name: 'end-to-end tests', projects, full });
        // The service is needed again to repeat failed tests, and for tests that run alone.
        return full || tally.failures.length > 0 ? tally : addTallies(tally, await this.#service.stop());
      },
    };
    const ordinary = [
      ...this.#preparations(),
      browser,
      ...staticChecks(this.#signal, ['pure', 'components', 'replaced']),
      // Many of these tests wait for PostgreSQL, sockets or timers: two of them count as one busy worker.
      ...vitest('db', 2, full ? 8 : 3),
      ...vitest('socket', 2, 1),
      ...vitest('media', 1, 2),
    ];
    return full ? [...ordinary, ...this.#lastParts(ordinary.map(({ name }) => name))] : ordinary;
  }

  /**
   * Tests that play for minutes, kill parts of the service, need several nodes, or measure response times. They run last and
   * alone.
   * @param after names of all other parts
   */
  #lastParts(after: readonly string[]): Part[] {
    const browser = (name: string, projects: readonly string[]): Omit<Part, 'after'> => ({
      name,
      workers: busyWorkers,
      run: () => this.#service.test({ name: `end-to-end tests: ${name}`, projects, full: true }),
    });
    return [
      { ...browser('watching', ['watching']), after },
      {
        name: 'two nodes',
        after: [...after, 'watching'],
        workers: busyWorkers,
        run: () => this.#shortCluster(),
      },
      { ...browser('alone', ['alone']), after: [...after, 'watching', 'two nodes'] },
    ];
  }

  /** Two nodes on loopback; `npm run test:cluster` runs the complete test. */
  async #shortCluster(): Promise<Tally> {
    const name = 'two nodes';
    const args = ['--import', 'tsx', join(root, 'e2e', 'cluster', 'run.ts'), '--short'];
    return singleTally(await runStep({ name, args, live: true }, this.#signal), name);
  }

  #changedParts(): Part[] {
    const folders = ['app', 'components', 'lib', 'media-worker', 'web', 'scripts', 'e2e'];
    const tests = folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
          (path) => `${folder}/${path}`,
        ),
      )
      .filter((path) => /\.full\..*(spec|test)\.ts$/.test(path));
    const changedPaths = listChangedFiles(this.#options.changedSince ?? 'HEAD');
    const chosenTests = affectedTests(readImports(folders), tests, changedPaths);
    log(`${chosenTests.length} of ${tests.length} files of the full suite are affected by the change:`);
    for (const file of chosenTests) log(`  ${file}`);
    const specs = chosenTests.filter((file) => file.endsWith('.spec.ts'));
    const preparations = this.#preparations().filter(
      ({ name }) => specs.length > 0 || ['programs', 'build', 'database'].includes(name),
    );
    const parts: Part[] = (['db', 'socket', 'media'] as const).flatMap((project) => {
      const projectFiles = chosenTests.filter((file) => file.endsWith(`.${project}.test.ts`));
      const name = `${project} tests`;
      const run = () =>
        runVitest(
          { name, projects: [project], full: true, workers: 2, extraArgs: projectFiles },
          this.#signal,
        );
      return projectFiles.length > 0
        ? [{ name, after: ['programs', 'build', 'database'], workers: busyWorkers, run }]
        : [];
    });
    const browser = (name: string, projects: readonly string[], after: readonly string[]): Part => ({
      name,
      after: ['service', ...after],
      workers: busyWorkers,
      run: () =>
        this.#service.test({ name, projects, full: true, extraArgs: [...specs, '--pass-with-no-tests'] }),
    });
    if (specs.length > 0)
      parts.push(
        browser('end to end', ['api', 'media', 'dashboard'], []),
        browser('watching', ['watching'], ['end to end']),
        browser('alone', ['alone'], ['watching']),
      );
    return chosenTests.length > 0 ? [...preparations, ...parts] : [];
  }
}
