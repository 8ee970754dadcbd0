import { join } from 'node:path';
import { runStep, tool } from './step';
import { stopwatch } from './stopwatch';
import { one, readTally, tallyOfPlaywright, type Tally } from './tally';
import { startTestService, type TestService } from './test-service';

/** Runs the service and the tests of playwright.config.ts against it. */
export class EndToEnd {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  #service: TestService | undefined;
  readonly #took = stopwatch();

  /** @param folder folder for the service's data and the reports */
  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** @throws Error if the service does not become healthy */
  async start(): Promise<Tally> {
    console.log('… starting the service');
    this.#service = await startTestService(this.#folder, this.#signal);
    return one(true, 'the service starts');
  }

  /** @param projects projects of playwright.config.ts, run without their dependencies */
  async test(name: string, projects: readonly string[], chromium: string): Promise<Tally> {
    if (!this.#service) return one(false, name);
    const report = join(this.#folder, `playwright-${projects.join('-')}.json`);
    const environment = {
      ...this.#service.environment,
      PLAYWRIGHT_JSON: report,
      CHROMIUM_PATH: chromium,
    };
    const selection = projects.map((project) => `--project=${project}`);
    const args = [tool('@playwright/test', 'cli.js'), 'test', '--no-deps', ...selection];
    const ok = await runStep({ name, args, environment, live: true }, this.#signal);
    if (!ok) console.log(`The end of the service's output:\n${this.#service.log()}`);
    return readTally(report, tallyOfPlaywright, ok, name);
  }

  async stop(): Promise<Tally> {
    const stopped = (await this.#service?.stop()) ?? true;
    console.log(`${stopped ? '✓' : '✗'} the service stops cleanly (${this.#took()})`);
    return one(stopped, 'the service stops cleanly');
  }
}
