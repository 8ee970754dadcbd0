import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '../../bench/lib/scope';
import { hasProgram } from '../../scripts/postgres/child';
import { buildStaleParts } from '../../scripts/service/build';
import { Cluster } from './cluster';
import { readOptions, type ClusterOptions, type QueueBackend } from './options';
import { loopback, findNamespaceProblem, openNamespaces, type Site } from './machines';
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

/*
 * npm run test:cluster -- [options]
 *
 * Runs two complete nodes with a database, a storage and, if installed, Redis, and stops, kills or disconnects nodes. With
 * root rights each machine has its own network namespace. Prints one line per scenario: `ok`, `BAD`, or `--` if it is
 * skipped. The exit code is 1 if a scenario is BAD.
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

const errorMessageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const print = (line: string) => console.log(line);

class ClusterTestRun {
  #badCount = 0;
  readonly #stopping = new AbortController();
  readonly #scope = new Scope();

  constructor(private readonly options: ClusterOptions) {}

  async runAll(): Promise<boolean> {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        this.#stopping.abort();
        void this.#scope.close().finally(() => process.exit(1));
      });
    }
    await buildStaleParts(print, this.#stopping.signal);
    const namespaceProblem = this.options.short
      ? 'the short form runs on loopback'
      : await findNamespaceProblem();
    if (namespaceProblem !== null)
      print(`--   ${namespaceProblem}: nodes share this address, and are killed instead of cut off`);
    for (const queue of this.options.queues) {
      if (queue === 'redis' && !hasProgram('redis-server'))
        print('--   redis: redis-server is not installed');
      else await this.#runWithQueue(queue, namespaceProblem === null);
    }
    await this.#scope.close();
    return this.#badCount === 0;
  }

  async #runWithQueue(queue: QueueBackend, hasNamespaces: boolean): Promise<void> {
    const scope = new Scope();
    this.#scope.defer(() => scope.close());
    const directory = await mkdtemp(join(tmpdir(), `headwater-cluster-${queue}-`));
    const badCountBefore = this.#badCount;
    scope.defer(async () => {
      if (this.options.keep || this.#badCount > badCountBefore) print(`     logs and data: ${directory}`);
      else await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    });
    try {
      const { tls } = this.options;
      const site = hasNamespaces ? await openNamespaces(scope) : loopback;
      const cluster = await Cluster.create({ site, directory, scope, redis: queue === 'redis', tls });
      const hasStarted = await this.#runChecks(queue, 'first-start', (checks) =>
        startTogether(cluster, checks),
      );
      if (!hasStarted) return;
      await cluster.createAccount();
      for (const scenario of this.#selectScenarios()) await this.#runScenario(queue, scenario, cluster, site);
    } catch (error) {
      this.#report(queue, 'the cluster', { ok: false, text: errorMessageOf(error) });
    } finally {
      await scope.close();
    }
  }

  #selectScenarios(): readonly Scenario[] {
    const { only, short } = this.options;
    if (only.length > 0) return scenarios.filter(({ name }) => only.includes(name));
    return short ? shortScenarios : scenarios;
  }

  async #runScenario(queue: QueueBackend, scenario: Scenario, cluster: Cluster, site: Site): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const reason = scenario.skipReason(site);
    if (reason !== null) {
      print(`--   ${queue}  ${scenario.name}: skipped, ${reason}`);
      return;
    }
    await this.#runChecks(queue, scenario.name, async (checks) => {
      await cluster.restoreNodes();
      await scenario.run(cluster, checks);
    });
  }

  async #runChecks(
    queue: QueueBackend,
    name: string,
    runScenario: (checks: Checks) => Promise<void>,
  ): Promise<boolean> {
    const checks = new Checks();
    await runScenario(checks).catch((error: unknown) => checks.add(false, errorMessageOf(error)));
    this.#report(queue, name, checks);
    return checks.ok;
  }

  #report(queue: QueueBackend, name: string, { ok, text }: Pick<Checks, 'ok' | 'text'>): void {
    // Processes that end because of Ctrl-C are not logged.
    if (this.#stopping.signal.aborted) return;
    print(`${ok ? 'ok ' : 'BAD'}  ${queue}  ${name}: ${text}`);
    if (!ok) this.#badCount += 1;
  }
}

const options = readOptions(
  process.argv.slice(2),
  scenarios.map(({ name }) => name),
);
if (!(await new ClusterTestRun(options).runAll())) process.exitCode = 1;
