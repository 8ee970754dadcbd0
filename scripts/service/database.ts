import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettings, type OperatorSettings, type Settings } from '@/lib/infra/env';
import { migrate } from '../migrate';
import { clusterUrl, openCluster, type Cluster } from '../postgres/cluster';
import {
  probePostgres,
  clearStaleServer,
  databaseExists,
  stopFrozenServer,
  postgresCommand,
  runSql,
  waitForPostgres,
} from '../postgres/server';
import type { LivenessLimits } from '@/lib/infra/liveness';
import type { ChildSpec } from './child-process';
import { ExpectedError } from './expected-error';
import { readOrCreate } from './read-or-create';

const databaseName = 'headwater';

/** Adds the database URL and the application secret, which is generated in DATA_DIR on the first start. */
export async function completeSettings(settings: OperatorSettings, databaseUrl: string): Promise<Settings> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const appSecret =
    settings.appSecret ??
    (await readOrCreate(join(settings.dataDir, 'app-secret'), () => randomBytes(32).toString('hex')));
  return readSettings({ ...settings.environment, DATABASE_URL: databaseUrl, APP_SECRET: appSecret });
}

/**
 * Limits of the probes. A restart of PostgreSQL interrupts the whole service and replays the write-ahead log, so the timeout
 * is long enough for a stalled disk or heavy swapping.
 */
const liveness: LivenessLimits = {
  silenceTimeoutMs: 60_000,
  startTimeoutMs: 120_000,
  probeIntervalMs: 5_000,
};

/**
 * The embedded PostgreSQL as a supervised process.
 * @param extraProcesses number of processes of the service beyond one of each role, for which it needs more connections
 */
export function postgresChild(cluster: Cluster, extraProcesses: number): ChildSpec {
  return {
    name: 'postgres',
    command: postgresCommand(cluster, extraProcesses),
    beforeStart: () => clearStaleServer(cluster),
    // Left out of the output: messages of the level LOG, which report no problem, such as checkpoints, starts and stops; and
    // rejections of probes during a start. Warnings and errors are shown.
    noise: /^LOG: |database system is (starting up|shutting down|not yet accepting)/,
    // PostgreSQL's fast shutdown. SIGTERM would wait until the last connection is closed.
    stopSignal: 'SIGINT',
    liveness: {
      ...liveness,
      probe: () => probePostgres(clusterUrl(cluster, 'postgres')),
      stop: stopFrozenServer,
    },
  };
}

/** Opens the cluster of the service in DATA_DIR, whose data survives a crash. */
export function openDataCluster(dataDir: string): Promise<Cluster> {
  return openCluster(dataDir, { durable: true });
}

/**
 * Waits for the embedded server and migrates its database.
 * @returns the database URL
 */
export async function prepareEmbeddedDatabase(
  cluster: Cluster,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const adminUrl = clusterUrl(cluster, 'postgres');
  // After a crash, the server first replays its write-ahead log.
  await waitForPostgres(adminUrl, 120_000, () => !signal.aborted);
  const url = clusterUrl(cluster, databaseName);
  if (!(await databaseExists(adminUrl, databaseName))) {
    log('Creating the database …');
    // Created under another name and renamed, so that a killed first start leaves no incomplete database.
    await runSql(adminUrl, `drop database if exists ${databaseName}_new`);
    await runSql(adminUrl, `create database ${databaseName}_new`);
    await migrate(clusterUrl(cluster, `${databaseName}_new`));
    await runSql(adminUrl, `alter database ${databaseName}_new rename to ${databaseName}`);
    return url;
  }
  await migrateAndReport(url, log);
  return url;
}

/**
 * Migrates the database of an external server.
 * @throws ExpectedError if it does not respond
 */
export async function prepareExternalDatabase(url: string, log: (line: string) => void): Promise<void> {
  try {
    await waitForPostgres(url, 15_000);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExpectedError(`DATABASE_URL: ${reason}`, { cause: error });
  }
  await migrateAndReport(url, log);
}

async function migrateAndReport(url: string, log: (line: string) => void): Promise<void> {
  const appliedMigrations = await migrate(url);
  if (appliedMigrations.length) log(`Applied migrations: ${appliedMigrations.join(', ')}`);
}
