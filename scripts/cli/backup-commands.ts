import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readOperatorSettings } from '@/lib/infra/env';
import { createBackup } from '../backup/create-backup';
import { backupPaths, readManifest, verifyBackup } from '../backup/manifest';
import { restoreBackup } from '../backup/restore-backup';
import { readMigrations } from '../migrate';
import { ExpectedError } from '../service/expected-error';
import { openSettings, readRunningSettings } from './open-context';

const log = (line: string) => void process.stderr.write(`${line}\n`);
/** Number of checked files after which a line of progress is printed. */
const FILES_PER_REPORT = 1_000;

export function addBackupCommands(program: Command, print: (...cells: string[]) => void): void {
  program
    .command('backup')
    .description('write database, files and secret into a new folder; the service may run')
    .requiredOption('--to <folder>', 'must not exist or be empty')
    .action(async ({ to }: { to: string }) => print(await backUp(resolve(to), createStopSignal())));
  program
    .command('restore')
    .description('fill an empty installation from a backup; the service must be stopped')
    .requiredOption('--from <folder>', 'folder of a backup')
    .option('--force', 'replace the accounts, database and secret that are there', false)
    .action(async ({ from, force }: { from: string; force: boolean }) =>
      print(await restore(resolve(from), force, createStopSignal())),
    );
}

/** Creates a signal that is aborted when the process gets SIGINT or SIGTERM. */
function createStopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stopping.abort(new ExpectedError('Stopped.')));
  return stopping.signal;
}

async function backUp(folder: string, signal: AbortSignal): Promise<string> {
  process.umask(0o077);
  const { settings, close } = await openSettings();
  try {
    const { tables, objects } = await createBackup({ settings, folder, signal, log });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return `${folder}: ${rows} rows, ${objects.count} files (${objects.bytes} bytes)`;
  } finally {
    await close();
  }
}

async function restore(folder: string, force: boolean, signal: AbortSignal): Promise<string> {
  const operatorSettings = readOperatorSettings();
  const manifest = await readManifest(folder, await readMigrations());
  if (await readRunningSettings(operatorSettings)) {
    throw new ExpectedError(`The service runs with the data in ${operatorSettings.dataDir}. Stop it first.`);
  }
  let checkedCount = 0;
  log(`Checking the backup of ${manifest.createdAt} …`);
  const onProgress = () => {
    if (++checkedCount % FILES_PER_REPORT === 0)
      log(`Checked ${checkedCount} of ${manifest.sums.lines} files …`);
  };
  await verifyBackup(folder, manifest, { signal, onProgress });
  const secret = await readFile(join(folder, backupPaths.secret), 'utf8');
  if (operatorSettings.appSecret !== undefined && operatorSettings.appSecret !== secret) {
    throw new ExpectedError(
      `APP_SECRET: expected the secret of the backup, which is in ${join(folder, backupPaths.secret)}, or none.`,
    );
  }
  const { settings, close } = await openSettings();
  try {
    await restoreBackup({ settings, folder, manifest, force, signal, log });
  } finally {
    await close();
  }
  return `Restored ${manifest.objects.count} files and the database. Start the service with npm start.`;
}
