import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteFiles } from '@/lib/domain/backup';
import { deleteAsset, getAsset, locateAsset, deleteBytes } from '@/lib/domain/assets';
import { assetPrefix, storageRoots } from '@/lib/core/storage-keys';
import { systemClock } from '@/lib/infra/clock';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { startS3Server } from '@/lib/infra/storage/testing/s3-server';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { getStream } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { readEvents } from '@/lib/domain/webhooks';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { migrate, readMigrations } from '../migrate';
import { createBackup } from './create-backup';
import { backupPaths, hashFile, readManifest, verifyBackup, type Manifest } from './manifest';
import { restoreBackup } from './restore-backup';

const { fixtures, owner, createReadyAsset } = await createAssetWork({ import: importAssetJob });
const { ctx, db, storage } = fixtures;
const target = { databaseUrl: await createTestDatabase(), dataDir: '', s3: undefined };
const restoredFixtures = createLiveFixtures(target.databaseUrl);
const runOptions = { signal: new AbortController().signal, log: () => undefined };
const verifyOptions = { signal: runOptions.signal, onProgress: () => undefined };
let folder = '';
let workFolder = '';

beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'headwater-backup-'));
  target.dataDir = join(workFolder, 'restored');
  folder = join(workFolder, 'backup');
});
afterAll(() => rm(workFolder, { recursive: true, force: true }));

const manifestOf = async (path = folder): Promise<Manifest> => readManifest(path, await readMigrations());

async function objectsOf(driver: StorageDriver): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const root of storageRoots)
    for await (const { key } of driver.list(root))
      hashes.set(key, Buffer.concat((await (await driver.read(key))?.toArray()) ?? []).toString('base64'));
  return hashes;
}

/** All rows of a backed-up table, without the columns that a restore adjusts. */
async function rowsOf(databaseUrl: string, { name, columns }: Manifest['tables'][number]): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const keptColumns = columns.filter((column) => !['txid', 'uploadMachineId'].includes(column));
  const columnList = keptColumns.map((column) => `"${column}"`).join(', ');
  const { rows } = await client.query<{ line: string }>(
    `select row_to_json(x)::text as line from (select ${columnList} from "${name}") x order by 1`,
  );
  await client.end();
  return rows.map(({ line }) => line);
}

/**
 * Plays an asset like a viewer.
 * @returns status and body of its master playlist, of the first media playlist, and of the first file in that
 */
async function playAsset(driver: StorageDriver, context: typeof ctx, assetId: string): Promise<string[]> {
  const nowhere = () => Promise.resolve(null);
  const reject = () => Promise.reject(new Error('not here'));
  const origin: HttpServer = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: context.log,
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    live: new LiveSource({
      nodes: new NodeFinder(nowhere, systemClock),
      proxy: new LiveProxy({ fetch: reject }),
    }),
    serveAsset: createServeAsset({
      storage: createIndexedReads(driver),
      locate: (id) => locateAsset(context, id),
    }),
    serveIpfs: reject,
    serveUploadedPicture: reject,
    uploads: { put: reject, logo: reject, slate: reject, poster: reject, tus: { handle: reject } },
    recordings: { storage: driver, sessions: { find: nowhere } },
  });
  try {
    const { playbackUrl } = await getAsset({ ...context, actor: owner.actor }, assetId);
    const responses: string[] = [];
    let path = new URL(playbackUrl ?? '').pathname;
    for (let depth = 0; depth < 3; depth += 1) {
      const url = `http://127.0.0.1:${origin.port}${path}`;
      const response = await fetch(url);
      const body = Buffer.from(await response.arrayBuffer());
      responses.push(`${response.status} ${body.toString('base64')}`);
      // The first line of a playlist that is a URL instead of a tag.
      const nextPath = /^[^#\s].*$/m.exec(body.toString())?.[0];
      if (!path.endsWith('.m3u8') || nextPath === undefined) break;
      path = new URL(nextPath, url).pathname;
    }
    return responses;
  } finally {
    await origin.close();
  }
}

const cursorOf = (txid: bigint, id: string) => Buffer.from(`${txid}.${id}`).toString('base64url');

let assetId = '';
let stream: Awaited<ReturnType<typeof fixtures.createStream>>;
let cursor = '';
/** Number of events after `cursor`. */
let unreadEventCount = 0;
let manifest: Manifest;

test('a backup made while rows and files change is complete', async () => {
  assetId = await createReadyAsset();
  const deletedAssetId = await createReadyAsset();
  const node = await fixtures.createNode();
  stream = await fixtures.createStream(owner.actor.teamId, { liveNodeId: node });
  await fixtures.createStream(owner.actor.teamId, { parentId: stream.id });
  await db.asset.update({ where: { id: deletedAssetId }, data: { uploadMachineId: node } });

  const currentCursor = (await readEvents(owner, {})).cursor;
  await createReadyAsset();
  const unread = (await readEvents(owner, { after: currentCursor })).events;
  unreadEventCount = unread.length - 1;
  // Simulates a database with many more transactions than the one that receives the backup.
  await db.$executeRaw`update "Event" set "txid" = "txid" + 1000000000`;
  const first = await db.event.findUniqueOrThrow({ where: { id: unread[0]?.id ?? '' } });
  cursor = cursorOf(first.txid, first.id);
  expect(unreadEventCount).toBeGreaterThan(0);

  const writing = new AbortController();
  let addedCount = 0;
  const writer = (async () => {
    while (!writing.signal.aborted) {
      await fixtures.createStream(owner.actor.teamId);
      await storage.put(`asset/late-${addedCount++}/a.bin`, Buffer.alloc(100, addedCount));
      // A file that no row has ever referred to.
      await deleteFiles(ctx, `asset/late-${addedCount - 2}/`);
    }
  })();
  // Assets are deleted as soon as the backup has read the rows: their files must be kept until it ends.
  let deletedAssetCount = 0;
  const log = (line: string) => {
    if (line.startsWith('Copying')) void remove();
  };
  const remove = async () => {
    await deleteAsset(owner, deletedAssetId);
    await db.asset.update({ where: { id: deletedAssetId }, data: { deletedAt: new Date(0) } });
    deletedAssetCount += await deleteBytes(ctx);
  };
  manifest = await createBackup({ settings: ctx.settings, folder, signal: runOptions.signal, log });
  writing.abort();
  await writer;
  expect(deletedAssetCount).toBe(0);
  expect(await deleteBytes(ctx)).toBe(1);

  expect(await manifestOf()).toEqual(manifest);
  await verifyBackup(folder, manifest, verifyOptions);
  const copiedObjects = await objectsOf(openLocalStorage(folder));
  for (const id of [assetId, deletedAssetId])
    // The file, its index, its metadata and its poster.
    expect([...copiedObjects.keys()].filter((key) => key.startsWith(assetPrefix(id)))).toHaveLength(4);
  expect((await stat(join(folder, backupPaths.secret))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(manifest.tables.map(({ name }) => name)).not.toContain('Node');
  expect(manifest.tables.find(({ name }) => name === 'Stream')?.columns).not.toContain('liveNodeId');
});

test('a backup needs an empty folder', async () => {
  await expect(createBackup({ settings: ctx.settings, folder, ...runOptions })).rejects.toThrow(
    'is not empty',
  );
});

test('a backup that is incomplete, damaged or newer is rejected with one message', async () => {
  const file = join(folder, backupPaths.manifest);
  const text = await readFile(file, 'utf8');
  const withManifest = async (content: object) => {
    await writeFile(file, JSON.stringify(content));
    return manifestOf().catch(String);
  };
  await expect(manifestOf(join(workFolder, 'nothing'))).rejects.toThrow('does not exist.');
  await rm(file);
  await expect(manifestOf()).rejects.toThrow('is no complete backup: it has no manifest.json');
  expect(await withManifest({ ...manifest, format: 2 })).toContain('made by a newer version of Headwater');
  const newer = { name: '99990101000000_later', checksum: '0'.repeat(64) };
  expect(await withManifest({ ...manifest, migrations: [...manifest.migrations, newer] })).toContain('newer');
  const [first, ...otherMigrations] = manifest.migrations;
  const changedMigrations = [{ name: first?.name, checksum: '0'.repeat(64) }, ...otherMigrations];
  expect(await withManifest({ ...manifest, migrations: changedMigrations })).toContain('another migration');
  expect(await withManifest({ ...manifest, tables: 'all' })).toContain(
    'is damaged: manifest.json differs from the original.',
  );
  await writeFile(file, text);

  const verify = () => verifyBackup(folder, manifest, verifyOptions).then(() => 'fine', String);
  const damage = async (path: string) => {
    const before = await readFile(join(folder, path)).catch(() => null);
    await writeFile(join(folder, path), 'changed');
    const message = await verify();
    if (before) await writeFile(join(folder, path), before);
    else await rm(join(folder, path));
    return message;
  };
  const [object = ''] = (await objectsOf(openLocalStorage(folder))).keys();
  for (const path of [
    backupPaths.sums,
    backupPaths.secret,
    backupPaths.table('Account'),
    `objects/${object}`,
    'objects/asset/new',
  ])
    expect(await damage(path)).toContain(`is damaged: ${path} differs from the original.`);
  expect(await verify()).toBe('fine');
});

test('an installation with accounts, or beside a running node, is not replaced', async () => {
  const restoreOptions = { settings: ctx.settings, folder, manifest, force: false, ...runOptions };
  await expect(restoreBackup(restoreOptions)).rejects.toThrow(
    'There is an installation already (1 accounts)',
  );
  const nodes = `insert into "Node" ("id", "role", "url", "machineId", "seenAt")
    values (gen_random_uuid(), 'live', 'http://10.0.0.2:1', gen_random_uuid(), now())`;
  await restoredFixtures.db.$executeRawUnsafe(nodes);
  const forcedRestore = { settings: target, folder, manifest, force: true, ...runOptions };
  await expect(restoreBackup(forcedRestore)).rejects.toThrow('Another node uses this database');
  await restoredFixtures.db.node.deleteMany();
});

test('rows, files, keys and playback are equal in another folder and database', async () => {
  const before = await playAsset(storage, ctx, assetId);
  expect(before.map((answer) => answer.slice(0, 4))).toEqual(['200 ', '200 ', '200 ']);
  await restoreBackup({ settings: target, folder, manifest, force: false, ...runOptions });

  const targetStorage = openStorage(target);
  expect(await objectsOf(targetStorage)).toEqual(await objectsOf(openLocalStorage(folder)));
  expect(await hashFile(join(target.dataDir, backupPaths.secret))).toBe(
    await hashFile(join(folder, backupPaths.secret)),
  );
  expect(await readFile(join(target.dataDir, backupPaths.secret), 'utf8')).toBe(ctx.settings.appSecret);
  expect((await stat(join(target.dataDir, backupPaths.secret))).mode & 0o777).toBe(0o600);
  for (const table of manifest.tables)
    expect((await rowsOf(target.databaseUrl, table)).length).toBe(table.rows);
  // Tables that nothing has written to since the backup, apart from the deletion.
  for (const table of manifest.tables.filter(({ name }) => ['Account', 'Task', 'Event'].includes(name))) {
    const source = await rowsOf(ctx.settings.databaseUrl, table);
    const expected = source.filter((row) => !row.includes('"name":"asset.deleted"'));
    expect(await rowsOf(target.databaseUrl, table)).toEqual(expected);
  }

  const restoredOwner = { ...restoredFixtures.ctx, actor: owner.actor };
  expect((await getStream(restoredOwner, stream.id)).streamKey).toBe(stream.streamKey);
  expect((await restoredFixtures.readStream(stream.id)).liveNodeId).toBeNull();
  expect(
    await playAsset(targetStorage, { ...restoredFixtures.ctx, storage: targetStorage }, assetId),
  ).toEqual(before);
  // A reader of events continues from its position.
  const { events: unread, cursor: endCursor } = await readEvents(restoredOwner, { after: cursor });
  expect(unread).toHaveLength(unreadEventCount);
  await restoredFixtures.db.$executeRaw`insert into "Event" ("id", "teamId", "name", "payload")
    values (gen_random_uuid(), ${owner.actor.teamId}::uuid, 'asset.deleted', '{}')`;
  expect((await readEvents(restoredOwner, { after: endCursor })).events).toHaveLength(1);
  // A transaction id that no transaction of the restored database has reached.
  const cursorBeforeRestore = cursorOf(1_000_000_000_000n, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  expect((await readEvents(restoredOwner, { after: cursorBeforeRestore })).events).toHaveLength(1);
});

test('--force replaces existing data with the same result', async () => {
  const targetStorage = openStorage(target);
  const [key = ''] = (await objectsOf(targetStorage)).keys();
  await targetStorage.put(key, Buffer.from('other bytes of another file'));
  await restoredFixtures.createStream(owner.actor.teamId);
  await restoreBackup({ settings: target, folder, manifest, force: true, ...runOptions });
  expect(await objectsOf(targetStorage)).toEqual(await objectsOf(openLocalStorage(folder)));
  const streams = manifest.tables.find(({ name }) => name === 'Stream');
  expect(await restoredFixtures.db.stream.count()).toBe(streams?.rows);
});

test('an installation that was destroyed after its backup is restored completely', async () => {
  const secondFolder = join(workFolder, 'again');
  const secondManifest = await createBackup({
    settings: { ...ctx.settings, ...target },
    folder: secondFolder,
    ...runOptions,
  });
  const rows = await Promise.all(secondManifest.tables.map((table) => rowsOf(target.databaseUrl, table)));
  const objects = await objectsOf(openStorage(target));

  await rm(target.dataDir, { recursive: true });
  const client = new Client({ connectionString: target.databaseUrl });
  await client.connect();
  await client.query('drop schema if exists queue cascade');
  await client.query('drop schema public cascade');
  await client.query('create schema public');
  await client.end();
  expect(await objectsOf(openStorage(target))).toEqual(new Map());

  // Migrates like the command line before a restore.
  await migrate(target.databaseUrl, await readMigrations());
  const readBack = await readManifest(secondFolder, await readMigrations());
  await verifyBackup(secondFolder, readBack, verifyOptions);
  await restoreBackup({
    settings: target,
    folder: secondFolder,
    manifest: readBack,
    force: false,
    ...runOptions,
  });
  expect(await Promise.all(secondManifest.tables.map((table) => rowsOf(target.databaseUrl, table)))).toEqual(
    rows,
  );
  expect(await objectsOf(openStorage(target))).toEqual(objects);
  expect(objects.size).toBe(manifest.objects.count);
  const targetContext = { ...restoredFixtures.ctx, storage: openStorage(target) };
  expect(await playAsset(targetContext.storage, targetContext, assetId)).toEqual(
    await playAsset(storage, ctx, assetId),
  );
});

test('a backup of a disk is restored to a bucket, and a backup of the bucket has the same files', async () => {
  const s3 = await startS3Server();
  try {
    const settings = { ...target, dataDir: join(workFolder, 'in-bucket'), s3: s3.settings };
    await restoreBackup({ settings, folder, manifest, force: true, ...runOptions });
    expect(await objectsOf(openStorage(settings))).toEqual(await objectsOf(openLocalStorage(folder)));
    const second = join(workFolder, 'second');
    const { objects } = await createBackup({
      settings: { ...ctx.settings, ...settings },
      folder: second,
      ...runOptions,
    });
    expect(objects).toEqual(manifest.objects);
    await verifyBackup(second, await manifestOf(second), verifyOptions);
  } finally {
    await s3.close();
  }
});

test('no table needs a sequence, which a backup would not contain', async () => {
  expect(await db.$queryRaw`select 1 from pg_sequences where schemaname = current_schema()`).toEqual([]);
});
