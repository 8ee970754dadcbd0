import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { storageRoots } from '@/lib/core/storage-keys';
import type { Settings } from '@/lib/infra/env';
import { loadMachineId } from '@/lib/infra/machine-id';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { copyStorage } from '@/lib/infra/storage/copy-storage';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { migrate, readMigrations } from '../migrate';
import { areOtherMachinesRunning } from '../service/join-installation';
import { ExpectedError } from '../service/expected-error';
import { dropTables, loadTables } from './database-copy';
import { backupPaths, type Manifest } from './manifest';

interface Restore {
  readonly settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 's3'>;
  readonly folder: string;
  readonly manifest: Manifest;
  /** Whether to replace an installation that has accounts or files. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Fills the installation of `settings` from a verified backup. The service must be stopped. Files are copied first
 * and rows last, in one transaction: after a crash the command can be repeated with --force.
 * @throws ExpectedError if there is an installation and `force` is false, or if another node runs
 */
export async function restoreBackup({
  settings,
  folder,
  manifest,
  force,
  signal,
  log,
}: Restore): Promise<void> {
  const client = new Client({ connectionString: settings.databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const storage = openStorage(settings);
    if (await areOtherMachinesRunning(client, await loadMachineId(settings.dataDir))) {
      throw new ExpectedError('Another node uses this database. Stop the service on all machines first.');
    }
    const existingData = force ? null : await findInstallation(client, storage);
    if (existingData !== null) {
      throw new ExpectedError(
        `There is an installation already (${existingData}). Restore into an empty DATA_DIR and database, or replace it with --force.`,
      );
    }
    log('Restoring files …');
    await copyStorage({
      source: openLocalStorage(folder),
      target: storage,
      signal,
      deleteSource: false,
      replaceDifferent: true,
    });
    signal.throwIfAborted();
    log('Restoring the database …');
    await writeSecret(settings.dataDir, await readFile(join(folder, backupPaths.secret), 'utf8'));
    await client.query('begin');
    await dropTables(client);
    await client.query('commit');
    const names = new Set(manifest.migrations.map(({ name }) => name));
    const migrations = await readMigrations();
    // The rows fit the schema that they were read from; later migrations convert them.
    await migrate(
      settings.databaseUrl,
      migrations.filter(({ name }) => names.has(name)),
    );
    await loadTables(client, folder, manifest.tables);
    await migrate(settings.databaseUrl, migrations);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @returns a description of the existing data for the operator; null for an empty installation */
async function findInstallation(client: Client, storage: StorageDriver): Promise<string | null> {
  const { rows } = await client.query<{ count: string }>('select count(*) as "count" from "Account"');
  if (rows[0] && rows[0].count !== '0') return `${rows[0].count} accounts`;
  for (const root of storageRoots) for await (const { key } of storage.list(root)) return `the file ${key}`;
  return null;
}

async function writeSecret(dataDir: string, secret: string): Promise<void> {
  const file = join(dataDir, backupPaths.secret);
  await writeFile(`${file}.new`, secret, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
