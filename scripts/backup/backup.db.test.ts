import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { getStream } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { readMigrations } from '../migrate';
import { ExpectedError } from '../service/expected-error';
import { createBackup } from './create-backup';
import { backupPaths, readManifest, verifyBackup } from './manifest';
import { restoreBackup } from './restore-backup';

/** Backs up and restores. Writes during a backup, buckets and `--force`: backup.full.db.test.ts. */
const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage } = fixtures;
const workFolder = await mkdtemp(join(tmpdir(), 'headwater-backup-'));
const target = {
  databaseUrl: await createTestDatabase(),
  dataDir: join(workFolder, 'restored'),
  s3: undefined,
};
const restoredDb = createLiveFixtures(target.databaseUrl);
const folder = join(workFolder, 'backup');
const runOptions = { signal: new AbortController().signal, log: () => undefined };
afterAll(() => rm(workFolder, { recursive: true, force: true }));

const readText = async (driver: StorageDriver, key: string) =>
  Buffer.concat((await (await driver.read(key))?.toArray()) ?? []).toString();

test('a database with an unfinished migration is not backed up', async () => {
  const name = '20990101000000_unfinished';
  await db.$executeRaw`
    insert into _prisma_migrations (id, checksum, migration_name) values (gen_random_uuid(), repeat('0', 64), ${name})`;
  const unfinishedFolder = join(workFolder, 'unfinished');
  const backup = createBackup({ settings: ctx.settings, folder: unfinishedFolder, ...runOptions });
  await expect(backup).rejects.toThrow(ExpectedError);
  await expect(backup).rejects.toThrow(`Migration ${name} was started before and did not finish.`);
  expect(await readdir(unfinishedFolder)).not.toContain(backupPaths.manifest);
  await db.$executeRaw`delete from _prisma_migrations where migration_name = ${name}`;
});

test('a restored backup has the same rows and files; a damaged backup is rejected', async () => {
  const owner = await fixtures.createTeamContext();
  const stream = await fixtures.createStream(owner.actor.teamId);
  const { assetId } = await fixtures.createUpload(owner);
  const key = `asset/${assetId}/source.mp4`;
  await storage.put(key, Buffer.from('bytes of a video'));
  const manifest = await createBackup({ settings: ctx.settings, folder, ...runOptions });
  expect(await readManifest(folder, await readMigrations())).toEqual(manifest);

  const verifyOptions = { signal: runOptions.signal, onProgress: () => undefined };
  const object = join(folder, 'objects', key);
  await writeFile(object, 'changed');
  await expect(verifyBackup(folder, manifest, verifyOptions)).rejects.toThrow(
    `is damaged: objects/${key} differs from the original.`,
  );
  await writeFile(object, 'bytes of a video');
  await verifyBackup(folder, manifest, verifyOptions);

  await restoreBackup({ settings: target, folder, manifest, force: false, ...runOptions });
  expect(await readText(openStorage(target), key)).toBe('bytes of a video');
  expect(await readFile(join(target.dataDir, backupPaths.secret), 'utf8')).toBe(ctx.settings.appSecret);
  expect(await restoredDb.db.account.findMany()).toEqual(await db.account.findMany());
  const otherTeam = { ...restoredDb.ctx, actor: owner.actor };
  expect((await getStream(otherTeam, stream.id)).streamKey).toBe(stream.streamKey);
  await expect(
    restoreBackup({ settings: target, folder, manifest, force: false, ...runOptions }),
  ).rejects.toThrow('There is an installation already (1 accounts)');
});
