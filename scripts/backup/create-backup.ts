import { appendFile, chmod, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { preventFileDeletion } from '@/lib/domain/backup';
import type { Settings } from '@/lib/infra/env';
import { openStorage } from '@/lib/infra/storage';
import { copyStorage } from '@/lib/infra/storage/copy-storage';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { version } from '@/lib/infra/version';
import { readMigrationHistory } from '../migrate';
import { ExpectedError } from '../service/expected-error';
import { dumpTables } from './database-copy';
import { backupPaths, FORMAT, hashFile, type Manifest } from './manifest';

interface BackupOptions {
  readonly settings: Pick<Settings, 'databaseUrl' | 'appSecret' | 'dataDir' | 's3'>;
  /** Path of the backup, which must not exist or must be empty. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const FILES_PER_LOG_LINE = 1_000;

/**
 * Writes the database, files and secret to a folder. The service may be running: the database is copied before the files, and
 * no file is deleted meanwhile, so every file that a row refers to is copied.
 * @throws ExpectedError for a folder that is not empty or cannot be created, while another backup runs, or if a migration of
 * the database is unfinished
 */
export async function createBackup({ settings, folder, signal, log }: BackupOptions): Promise<Manifest> {
  await prepareFolder(folder);
  const client = new Client({ connectionString: settings.databaseUrl, connectionTimeoutMillis: 10_000 });
  const connectionLoss = new AbortController();
  client.on('error', (error) => connectionLoss.abort(error));
  await client.connect();
  const endSignal = AbortSignal.any([signal, connectionLoss.signal]);
  try {
    if (!(await preventFileDeletion(client)))
      throw new ExpectedError('Another backup is running. Try again later.');
    const addChecksum = (hash: string, path: string) =>
      appendFile(join(folder, backupPaths.sums), `${hash}  ${path}\n`);
    let checksumLines = 0;
    await writeFile(join(folder, backupPaths.secret), settings.appSecret, { mode: 0o600, flush: true });
    await addChecksum(await hashFile(join(folder, backupPaths.secret)), backupPaths.secret);
    checksumLines += 1;

    await client.query('begin isolation level repeatable read read only');
    const migrations = await readMigrationHistory(client);
    log('Copying the database …');
    const tables = await dumpTables(client, folder, endSignal);
    await client.query('commit');
    for (const { name, sha256 } of tables) await addChecksum(sha256, backupPaths.table(name));
    checksumLines += tables.length;

    const objects = { count: 0, bytes: 0 };
    await copyStorage({
      source: openStorage(settings),
      target: openLocalStorage(folder),
      deleteSource: false,
      signal: endSignal,
      async onCopied({ key, bytes, sha256 }) {
        await addChecksum(sha256, `objects/${key}`);
        objects.count += 1;
        objects.bytes += bytes;
        if (objects.count % FILES_PER_LOG_LINE === 0)
          log(`Copied ${objects.count} files (${objects.bytes} bytes) …`);
      },
    });
    // Fails if the connection was lost, because files may have been deleted since then.
    await client.query('select');
    endSignal.throwIfAborted();
    // Folder of unfinished writes of the local storage.
    await rm(join(folder, 'parts'), { recursive: true, force: true });
    const sums = {
      sha256: await flushAndHash(join(folder, backupPaths.sums)),
      lines: checksumLines + objects.count,
    };
    const manifest: Manifest = {
      format: FORMAT,
      version,
      createdAt: new Date().toISOString(),
      migrations,
      tables: tables.map(({ name, columns, rows }) => ({ name, columns, rows })),
      objects,
      sums,
    };
    await writeDurableFile(join(folder, backupPaths.manifest), JSON.stringify(manifest, null, 2));
    return manifest;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExpectedError(`--to: ${reason}. Give a folder that this user can create.`);
  });
  if ((await readdir(folder)).length > 0) {
    throw new ExpectedError(`${folder} is not empty. Give a new folder to --to.`);
  }
  await chmod(folder, 0o700);
  await mkdir(join(folder, 'database'));
}

async function flushAndHash(path: string): Promise<string> {
  await flush(path);
  return hashFile(path);
}

/** Writes a file atomically and flushes it, so that it exists completely or not at all. */
async function writeDurableFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await flush(`${path}.new`);
  await rename(`${path}.new`, path);
  await flush(dirname(path));
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
