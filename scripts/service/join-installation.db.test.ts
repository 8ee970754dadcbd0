import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings, type Settings } from '@/lib/infra/env';
import { loadMachineId } from '@/lib/infra/machine-id';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { runSql } from '../postgres/server';
import { joinInstallation } from './join-installation';

const databaseUrl = await createTestDatabase();
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const bucket = {
  S3_BUCKET: 'media',
  S3_ENDPOINT: 'http://10.0.0.1',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 'b',
};

/** A machine with a separate data folder. */
async function createMachine(environment: Readonly<Record<string, string>> = bucket): Promise<Settings> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-machine-'));
  folders.push(folder);
  return readSettings({
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    APP_SECRET: 'the secret of this installation, in 40 letters',
    ...environment,
  });
}

/** Announces one of the machine's processes. */
async function announceProcess({ dataDir }: Settings, secondsAgo = 0): Promise<void> {
  await runSql(
    databaseUrl,
    `insert into "Node" ("id", "role", "url", "machineId", "seenAt") values ('${randomUUID()}', 'live',
      'http://10.0.0.2:1', '${await loadMachineId(dataDir)}', now() - interval '${secondsAgo} seconds')`,
  );
}

test('machines with the secret and storage of the first one join it, others are rejected', async () => {
  const [first, second] = [await createMachine(), await createMachine()];
  await Promise.all([joinInstallation(first), joinInstallation(second)]);
  await announceProcess(first);
  // A machine may also join again after a crash.
  await joinInstallation(first);
  await joinInstallation(second);
  await expect(joinInstallation(await createMachine({}))).rejects.toThrow(/^S3_BUCKET: expected/);
  await expect(joinInstallation(await createMachine({ ...bucket, S3_BUCKET: 'other' }))).rejects.toThrow(
    'keep their files in http://10.0.0.1/media, this one would in http://10.0.0.1/other',
  );
  const secret = { APP_SECRET: 'the secret of another installation, 40 letters' };
  await expect(joinInstallation(await createMachine({ ...bucket, ...secret }))).rejects.toThrow(
    /^APP_SECRET: /,
  );
});

test('either all machines have TLS between nodes, or none', async () => {
  const files = { INTERNAL_TLS_CERT: 'c', INTERNAL_TLS_KEY: 'k', INTERNAL_TLS_CA: 'a' };
  await expect(joinInstallation(await createMachine({ ...bucket, ...files }))).rejects.toThrow(
    /^INTERNAL_TLS_CERT: another node has no TLS/,
  );
  await runSql(databaseUrl, `update "Node" set "url" = 'https://10.0.0.2:1'`);
  await joinInstallation(await createMachine({ ...bucket, ...files }));
  await expect(joinInstallation(await createMachine())).rejects.toThrow(/^INTERNAL_TLS_CERT: expected with/);
  await runSql(databaseUrl, `update "Node" set "url" = 'http://10.0.0.2:1'`);
});

test('a single machine may move its files', async () => {
  await runSql(databaseUrl, 'delete from "Node"');
  // A process whose last heartbeat is older than 15 s counts as stopped.
  await announceProcess(await createMachine(), 16);
  const movedMachine = await createMachine({});
  await joinInstallation(movedMachine);
  await announceProcess(movedMachine);
  await expect(joinInstallation(await createMachine())).rejects.toThrow(/keep their files in local:/);
});

test('concurrent calls of loadMachineId return the same id', async () => {
  const { dataDir } = await createMachine();
  const ids = await Promise.all(Array.from({ length: 5 }, () => loadMachineId(dataDir)));
  expect(new Set(ids).size).toBe(1);
});
