import { join } from 'node:path';
import { findFirefox } from './firefox';
import { reportPathVariable, runningTestsVariable } from './report';
import { root, runStep, packageFile } from './step';
import { stopwatch } from './stopwatch';
import { emptyTally, singleTally, readTally, type Tally } from './tally';
import { startTestService, type TestService } from './test-service';

interface BrowserRun {
  readonly name: string;
  /** Projects of playwright.config.ts, run without their dependencies. */
  readonly projects: readonly string[];
  /** Whether the files of `npm run test:full`, and every view of every page, are also run. */
  readonly full?: boolean;
  /** Additional arguments, such as files to run. */
  readonly extraArgs?: readonly string[];
}

/** Runs the service and the tests of playwright.config.ts against it. */
export class EndToEnd {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  #service: TestService | undefined;
  #runs = 0;
  readonly #elapsed = stopwatch();
  /** Path of Chromium; empty for Playwright's own browser. */
  chromium = '';

  /**
   * @param folder folder for the reports and the log
   * @param data folder for the service's data
   */
  constructor(
    folder: string,
    signal: AbortSignal,
    readonly data = join(folder, 'data'),
  ) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** @throws Error if the service does not become healthy */
  async start(): Promise<Tally> {
    console.log('… starting the service');
    this.#service = await startTestService(this.#folder, this.#signal, { dataDir: this.data });
    return singleTally(true, 'the service starts');
  }

  async test({ name, projects, full = false, extraArgs = [] }: BrowserRun): Promise<Tally> {
    if (!this.#service) return singleTally(false, name, 'the service does not run');
    const runName = `run-${++this.#runs}`;
    const report = join(this.#folder, `playwright-${runName}.json`);
    const environment = {
      ...this.#service.environment,
      [reportPathVariable]: report,
      [runningTestsVariable]: `${report}.running`,
      CHROMIUM_PATH: this.chromium,
      FIREFOX_PATH: findFirefox(),
      FULL: full ? '1' : '',
    };
    // Tests have no timeout here, because scripts/checks/watchdog.ts limits the whole run.
    const args = [
      ...[packageFile('@playwright/test', 'cli.js'), 'test', '--no-deps', '--timeout=0'],
      // Playwright empties the folder at the start, so each run has its own, and the screenshots of all runs remain.
      `--output=${join(root, 'test-results', runName)}`,
      `--reporter=list,${join(root, 'scripts', 'checks', 'playwright-reporter.ts')}`,
      ...projects.map((project) => `--project=${project}`),
      ...(full ? [] : [String.raw`--grep-invert=\.full\.spec\.ts`]),
      ...extraArgs,
    ];
    const ok = await runStep({ name, args, environment, live: true }, this.#signal);
    if (!ok) console.log(`The end of the service's output:\n${this.#service.log()}`);
    return readTally(report, 'playwright', ok, name);
  }

  async stop(): Promise<Tally> {
    if (!this.#service) return emptyTally;
    const hasStopped = await this.#service.stop();
    this.#service = undefined;
    console.log(`${hasStopped ? '✓' : '✗'} the service stops cleanly (${this.#elapsed()})`);
    return singleTally(hasStopped, 'the service stops cleanly');
  }
}
