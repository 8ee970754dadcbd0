import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorSettings, Settings } from '@/lib/infra/env';
import { migrate } from '../migrate';
import { clusterUrl, kept, openCluster, type Cluster } from '../postgres/cluster';
import {
  askPostgres,
  clearStaleServer,
  databaseExists,
  endFrozenServer,
  postgresCommand,
  runSql,
  waitForPostgres,
} from '../postgres/server';
import type { ChildSpec } from './child-process';
import { ExpectedError } from './run-to-end';

const name = 'headwater';

/** Settings with a secret, which is made and kept in DATA_DIR on the first start, and the database's address. */
export async function completeSettings(settings: OperatorSettings, databaseUrl: string): Promise<Settings> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const appSecret =
    settings.appSecret ??
    (await kept(join(settings.dataDir, 'app-secret'), () => randomBytes(32).toString('hex')));
  return { ...settings, databaseUrl, appSecret };
}

/**
 * A restart interrupts everything and replays the log, so PostgreSQL gets a minute: a disk that stalls or a machine that
 * swaps passes, and everybody else can wait for it.
 */
const liveness = { silentMs: 60_000, startingMs: 120_000, everyMs: 5_000 };

/** Our own PostgreSQL, as a supervised process. */
export function postgresChild(cluster: Cluster): ChildSpec {
  return {
    name: 'postgres',
    command: postgresCommand(cluster),
    beforeStart: () => clearStaleServer(cluster),
    // Its diary of starts and stops, and its answers to our asking whether it is there yet.
    noise: /^LOG: |database system is (starting up|shutting down|not yet accepting)/,
    // PostgreSQL's "fast" shutdown; SIGTERM would wait until the last connection is closed.
    stopSignal: 'SIGINT',
    liveness: { ...liveness, ask: () => askPostgres(clusterUrl(cluster, 'postgres')), end: endFrozenServer },
  };
}

export function openDataCluster(dataDir: string): Promise<Cluster> {
  return openCluster(dataDir, { durable: true });
}

/** Waits for our own server and brings its database up to date. Returns the database's address. */
export async function prepareCluster(
  cluster: Cluster,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const admin = clusterUrl(cluster, 'postgres');
  // After a crash the server replays its log first, which can take a while.
  await waitForPostgres(admin, 120_000, () => !signal.aborted);
  const url = clusterUrl(cluster, name);
  if (!(await databaseExists(admin, name))) {
    say('Creating the database …');
    // Made beside and renamed: a first start that is killed leaves no half-made database.
    await runSql(admin, `drop database if exists ${name}_new`);
    await runSql(admin, `create database ${name}_new`);
    await migrate(clusterUrl(cluster, `${name}_new`));
    await runSql(admin, `alter database ${name}_new rename to ${name}`);
    return url;
  }
  await migrateWithWords(url, say);
  return url;
}

/** Brings an existing server's database up to date. @throws ExpectedError when it does not answer */
export async function prepareExternal(url: string, say: (line: string) => void): Promise<void> {
  try {
    await waitForPostgres(url, 15_000);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExpectedError(`DATABASE_URL: ${reason}`, { cause: error });
  }
  await migrateWithWords(url, say);
}

async function migrateWithWords(url: string, say: (line: string) => void): Promise<void> {
  const applied = await migrate(url);
  if (applied.length) say(`Applied migrations: ${applied.join(', ')}`);
}
