import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '../../bench/lib/scope';
import { hasProgram } from '../../scripts/postgres/child';
import { buildStaleParts } from '../../scripts/service/build';
import { Cluster } from './cluster';
import { readOptions, type ClusterOptions, type QueuesIn } from './options';
import { loopback, namespacesMissing, openNamespaces, type Site } from './places';
import { clocks } from './scenarios/clocks';
import { edge } from './scenarios/edge';
import { startTogether } from './scenarios/first-start';
import { idempotency } from './scenarios/idempotency';
import { jobs } from './scenarios/jobs';
import { onePublisher } from './scenarios/one-publisher';
import { rollingRestart } from './scenarios/rolling-restart';
import { Checks, type Scenario } from './scenarios/scenario';
import { standby } from './scenarios/standby';
import { takeover } from './scenarios/takeover';

/**
 * npm run test:cluster -- [options]
 *
 * Runs two complete nodes with a database, a storage and, if installed, Redis, each in its own network namespace, and takes
 * parts of the cluster away. Prints one line per scenario. The exit code is 1 if a scenario is BAD.
 */
const scenarios: readonly Scenario[] = [
  onePublisher,
  takeover,
  standby,
  jobs,
  idempotency,
  rollingRestart,
  clocks,
  edge,
];
const shortScenarios: readonly Scenario[] = [onePublisher];

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const say = (line: string) => console.log(line);

class Run {
  #bad = 0;
  readonly #stopping = new AbortController();
  readonly #scope = new Scope();

  constructor(private readonly options: ClusterOptions) {}

  async all(): Promise<boolean> {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        this.#stopping.abort();
        void this.#scope.close().finally(() => process.exit(1));
      });
    }
    await buildStaleParts(say, this.#stopping.signal);
    const missing = this.options.short ? 'the short form runs on loopback' : await namespacesMissing();
    if (missing !== null) say(`--   ${missing}: nodes share this address, and are killed instead of cut off`);
    for (const queues of this.options.queues) {
      if (queues === 'redis' && !hasProgram('redis-server')) say('--   redis: redis-server is not installed');
      else await this.#onQueues(queues, missing === null);
    }
    await this.#scope.close();
    return this.#bad === 0;
  }

  async #onQueues(queues: QueuesIn, separate: boolean): Promise<void> {
    const scope = new Scope();
    this.#scope.defer(() => scope.close());
    const directory = await mkdtemp(join(tmpdir(), `headwater-cluster-${queues}-`));
    const badBefore = this.#bad;
    scope.defer(async () => {
      if (this.options.keep || this.#bad > badBefore) say(`     logs and data: ${directory}`);
      else await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    });
    try {
      const { tls } = this.options;
      const site = separate ? await openNamespaces(scope) : loopback;
      const cluster = await Cluster.make({ site, directory, scope, redis: queues === 'redis', tls });
      const hasStarted = await this.#judge(queues, 'first-start', (checks) => startTogether(cluster, checks));
      if (!hasStarted) return;
      await cluster.openAccount();
      for (const scenario of this.#chosen()) await this.#runOne(queues, scenario, cluster, site);
    } catch (error) {
      this.#report(queues, 'the cluster', { ok: false, text: messageOf(error) });
    } finally {
      await scope.close();
    }
  }

  #chosen(): readonly Scenario[] {
    const { only, short } = this.options;
    if (only.length > 0) return scenarios.filter(({ name }) => only.includes(name));
    return short ? shortScenarios : scenarios;
  }

  async #runOne(queues: QueuesIn, scenario: Scenario, cluster: Cluster, site: Site): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const reason = scenario.skipReason(site);
    if (reason !== null) {
      say(`--   ${queues}  ${scenario.name}: skipped, ${reason}`);
      return;
    }
    await this.#judge(queues, scenario.name, async (checks) => {
      await cluster.heal();
      await scenario.run(cluster, checks);
    });
  }

  async #judge(queues: QueuesIn, name: string, work: (checks: Checks) => Promise<void>): Promise<boolean> {
    const checks = new Checks();
    await work(checks).catch((error: unknown) => checks.add(false, messageOf(error)));
    this.#report(queues, name, checks);
    return checks.ok;
  }

  #report(queues: QueuesIn, name: string, { ok, text }: Pick<Checks, 'ok' | 'text'>): void {
    // Processes that end because of Ctrl-C are not logged.
    if (this.#stopping.signal.aborted) return;
    say(`${ok ? 'ok ' : 'BAD'}  ${queues}  ${name}: ${text}`);
    if (!ok) this.#bad += 1;
  }
}

const options = readOptions(
  process.argv.slice(2),
  scenarios.map(({ name }) => name),
);
if (!(await new Run(options).all())) process.exitCode = 1;
