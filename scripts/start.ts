import { readOperatorSettings, type OperatorSettings, type Settings } from '@/lib/infra/env';
import { findCountryDatabaseProblem } from '@/lib/infra/geoip/country-database';
import {
  findNodeTlsProblem,
  findPublicTlsProblem,
  findPublicTlsWarnings,
} from '@/lib/infra/tls/certificate-checks';
import { drainTimeoutMs, DRAIN_SETTLE_MS } from '@/lib/core/nodes/drain';
import { countExtraProcesses } from '@/lib/core/nodes/process-slots';
import { tryStorage } from '@/lib/infra/storage';
import { buildMediaWorker, buildStaleParts } from './service/build';
import type { ProcessSupervisor } from '@/lib/infra/supervised-process';
import { supervise, type ChildSpec } from './service/child-process';
import {
  completeSettings,
  openDataCluster,
  postgresChild,
  prepareEmbeddedDatabase,
  prepareExternalDatabase,
} from './service/database';
import { ensureFfmpeg } from './service/ffmpeg';
import { joinInstallation } from './service/join-installation';
import { waitUntilHealthy, waitUntilReady } from './service/health';
import { checkPorts, removeRunning, reserveDataDir, writeRunning } from './service/instance';
import { openOutput } from './service/output';
import { edgeChild, roleChildren } from './service/roles';
import { ExpectedError } from './service/expected-error';
import { startWarnings } from './service/start-warnings';

/** Shutdown timeout of each process, in stop order; less than 25 s in total. */
const stopTimeoutsMs: Readonly<Record<string, number>> = {
  web: 3_000,
  jobs: 9_000,
  origin: 3_000,
  edge: 3_000,
  rtc: 2_000,
  acme: 2_000,
  live: 4_000,
  postgres: 5_000,
};

/**
 * Maximum time in which the streams of the live process may end or move to other nodes before it is stopped, in
 * milliseconds; 0 if it is stopped at once.
 */
function maxDrainMs({ drainSeconds, databaseUrl }: OperatorSettings): number {
  // Only an embedded database guarantees that there is no other node.
  const ms = drainTimeoutMs(drainSeconds, databaseUrl === undefined ? 0 : 1);
  return ms === 0 ? 0 : ms + DRAIN_SETTLE_MS;
}

/** `npm start`: installs and builds what is missing, then supervises the processes of the service until a signal. */
export default async function start(): Promise<void> {
  const settings = readOperatorSettings();
  const service = new Service();
  const whenStopped = service.stopOnSignals();
  try {
    await service.run(settings);
    await whenStopped;
  } catch (error) {
    if (!service.isStopping) throw error;
  } finally {
    await service.stop();
  }
  process.exit(process.exitCode ?? 0);
}

const output = openOutput(process.stdout);
const { log } = output;

class Service {
  private readonly stopController = new AbortController();
  private readonly children: ProcessSupervisor[] = [];
  private readonly cleanups: (() => void | Promise<void>)[] = [];
  private whenStopped: Promise<void> | undefined;
  private drainMs = 0;

  get isStopping(): boolean {
    return this.stopController.signal.aborted;
  }

  async run(settings: OperatorSettings): Promise<void> {
    const startedAt = performance.now();
    this.drainMs = maxDrainMs(settings);
    const fileProblem =
      findNodeTlsProblem(settings, new Date()) ??
      (settings.acme ? null : findPublicTlsProblem(settings)) ??
      findCountryDatabaseProblem(settings);
    if (fileProblem !== null) throw new ExpectedError(fileProblem);
    if (!settings.acme) for (const line of findPublicTlsWarnings(settings, new Date())) log(line, 'warn');
    log(`Starting Headwater with data in ${settings.dataDir}`);
    this.cleanups.push(await reserveDataDir(settings.dataDir, 'service', log));
    await checkPorts(settings);
    if (settings.acme && (await (await import('@/lib/infra/tls/acme')).writePlaceholder(settings)))
      log('A self-signed certificate is used until the first one is issued.', 'warn');
    if (settings.upstreamOrigin !== undefined) return this.runEdge(settings, settings.upstreamOrigin);
    await ensureFfmpeg(log, this.stopController.signal);
    await tryStorage(settings, this.stopController.signal);
    // Prepare the database and build in parallel.
    const [completedSettings] = await Promise.all([
      this.startDatabase(settings),
      buildStaleParts(log, this.stopController.signal),
    ]);
    this.stopController.signal.throwIfAborted();
    await joinInstallation(completedSettings);
    const { environment } = completedSettings;
    await writeRunning(settings.dataDir, { pid: process.pid, environment });
    this.cleanups.push(() => removeRunning(settings.dataDir));
    for (const line of startWarnings(completedSettings)) log(line, 'warn');
    log(`Starting ${completedSettings.roles.join(', ')} …`);
    for (const child of roleChildren(completedSettings)) this.supervise(child);
    if (completedSettings.roles.includes('web'))
      await waitUntilHealthy(settings, log, this.stopController.signal);
    else await waitUntilReady(this.children, log, this.stopController.signal);
    log(`Ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    if (completedSettings.roles.includes('web')) log(`  Dashboard  ${completedSettings.baseUrl}`);
    if (completedSettings.roles.includes('live'))
      log(`  Publish    ${completedSettings.rtmpsUrl ?? completedSettings.rtmpUrl}/<stream key>`);
    if (completedSettings.roles.includes('live') && completedSettings.srtUrl)
      log(`             ${completedSettings.srtUrl}?streamid=<stream key>`);
    log('  Press Ctrl-C to stop.');
  }

  /** An edge needs no database, no secret and no ffmpeg. */
  private async runEdge(settings: OperatorSettings, upstream: string): Promise<void> {
    await buildMediaWorker(log, this.stopController.signal);
    this.stopController.signal.throwIfAborted();
    log(`Starting edge in front of ${upstream} …`);
    this.supervise(edgeChild(settings));
    await waitUntilReady(this.children, log, this.stopController.signal);
    log(`Ready for viewers on port ${settings.mediaPort}`);
    log('  Press Ctrl-C to stop.');
  }

  private async startDatabase(settings: OperatorSettings): Promise<Settings> {
    if (settings.databaseUrl) {
      await prepareExternalDatabase(settings.databaseUrl, log);
      return completeSettings(settings, settings.databaseUrl);
    }
    log('Starting PostgreSQL …');
    const cluster = await openDataCluster(settings.dataDir);
    this.supervise(postgresChild(cluster, countExtraProcesses(settings.processes)));
    return completeSettings(
      settings,
      await prepareEmbeddedDatabase(cluster, log, this.stopController.signal),
    );
  }

  private supervise(child: ChildSpec): void {
    if (!this.isStopping) this.children.push(supervise(child, output));
  }

  /** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second signal kills all processes immediately. */
  stopOnSignals(): Promise<void> {
    // A closed standard output must not end the service.
    process.stdout.on('error', () => undefined);
    let firstSignalAt: number | undefined;
    return new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(signal, () => {
          firstSignalAt ??= performance.now();
          // One Ctrl-C arrives twice: from the terminal and from npm.
          if (performance.now() - firstSignalAt > 700) {
            for (const child of this.children) child.kill();
            process.exit(1);
          }
          if (this.isStopping) return;
          this.stopController.abort(new Error('stopped'));
          resolve();
        });
      }
    });
  }

  stop(): Promise<void> {
    this.whenStopped ??= this.stopAll();
    return this.whenStopped;
  }

  private async stopAll(): Promise<void> {
    if (!this.stopController.signal.aborted) this.stopController.abort(new Error('stopped'));
    if (this.children.length) log('Stopping …');
    // Other processes keep running while streams end or move.
    const live = this.drainMs > 0 ? this.children.find(({ name }) => name === 'live') : undefined;
    await live?.stop((stopTimeoutsMs['live'] ?? 0) + this.drainMs);
    const order = Object.keys(stopTimeoutsMs);
    const children = [...this.children].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    for (const child of children) await child.stop(stopTimeoutsMs[child.name] ?? 3_000);
    for (const cleanup of this.cleanups.reverse()) await cleanup();
    if (this.children.length) log('Stopped.');
  }
}
