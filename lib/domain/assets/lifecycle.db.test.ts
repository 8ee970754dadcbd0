import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/core/units';
import { assetKey, ipfsArchiveKey, ipfsKey } from '@/lib/core/storage-keys';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { newId } from '@/lib/infra/ids';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { getTask } from '@/lib/domain/tasks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { cancelTask } from './processing/cancel-task';
import { deleteAsset, restoreAsset } from './delete-asset';
import { exportAsset } from './processing/export-asset';
import { getAsset } from './list-assets';
import { importAsset } from './processing/import-asset';
import { deleteBytes } from './delete-bytes';
import { deleteOrphans } from './delete-orphans';
import { deleteImportedUploads } from './uploads/delete-imported-uploads';
import { requestUpload } from './uploads/request-upload';
import { createAssetFixtures } from './testing/asset-fixtures';

const time = { now: new Date('2026-11-21T08:00:00Z') };
const clock = { now: () => time.now, monotonic: () => 0 };
const { db, createTeamContext, markReady } = createAssetFixtures(await createTestDatabase(), { clock });
const storageFolder = mkdtempSync(join(tmpdir(), 'lifecycle-'));
afterAll(() => rmSync(storageFolder, { recursive: true, force: true }));
const storage = openLocalStorage(storageFolder);
const owner = await createTeamContext();
const worker = { ...owner, actor: { kind: 'system' as const }, storage };
const advanceDays = (count: number) => (time.now = new Date(time.now.getTime() + count * DAY_MS));

/**
 * Runs a sweep that compares the times of files, which are real times, with the clock.
 * @param aheadMs how far the clock is ahead of the real time
 */
async function sweepAt<T>(aheadMs: number, sweep: () => Promise<T>): Promise<T> {
  const previousTime = time.now;
  time.now = new Date(Date.now() + aheadMs);
  try {
    return await sweep();
  } finally {
    time.now = previousTime;
  }
}

async function createReadyAsset() {
  const { asset } = await requestUpload(owner, { name: 'x' });
  await markReady(asset.id);
  await storage.put(assetKey(asset.id, 'source.mp4'), Buffer.from('the bytes'));
  return asset.id;
}
const hasBytes = async (id: string) => (await storage.head(assetKey(id, 'source.mp4'))) !== null;

test('a deleted asset can be restored for seven days, then its files are deleted', async () => {
  const [restoredAsset, expiredAsset] = [await createReadyAsset(), await createReadyAsset()];
  for (const id of [restoredAsset, expiredAsset]) await deleteAsset(owner, id);
  advanceDays(6.9);
  expect(await deleteBytes(worker)).toBe(0);
  expect(await restoreAsset(owner, restoredAsset)).toMatchObject({
    id: restoredAsset,
    status: { phase: 'ready' },
  });
  expect(await restoreAsset(owner, restoredAsset)).toMatchObject({ id: restoredAsset });
  advanceDays(0.2);
  await expect(restoreAsset(owner, expiredAsset)).rejects.toThrow('not found');
  expect(await deleteBytes(worker)).toBe(1);
  expect(await deleteBytes(worker)).toBe(0);
  expect([await hasBytes(restoredAsset), await hasBytes(expiredAsset)]).toEqual([true, false]);
  const events = await db.event.findMany({ where: { teamId: owner.actor.teamId, name: 'asset.deleted' } });
  expect(events).toHaveLength(2);
});

test('another team cannot restore a deleted asset, and a restored asset that was never ready is failed', async () => {
  const { asset } = await requestUpload(owner, { name: 'x' });
  await deleteAsset(owner, asset.id);
  await expect(restoreAsset(await createTeamContext(), asset.id)).rejects.toThrow('not found');
  expect((await restoreAsset(owner, asset.id)).status).toMatchObject({
    phase: 'failed',
    errorMessage: 'deleted before it was ready',
  });
});

test('files of a deleted asset are kept while an export needs them', async () => {
  const id = await createReadyAsset();
  const { task } = await exportAsset(owner, { id, body: { ipfs: {} } });
  await deleteAsset(owner, id);
  advanceDays(8);
  await deleteBytes(worker);
  expect(await hasBytes(id)).toBe(true);
  await cancelTask(owner, task.id);
  await deleteBytes(worker);
  expect(await hasBytes(id)).toBe(false);
});

test('a copy for IPFS is deleted with the last asset that references it', async () => {
  const ids = [await createReadyAsset(), await createReadyAsset()];
  await storage.put(ipfsKey('bafy'), Buffer.from('x'));
  await db.asset.updateMany({ where: { id: { in: ids } }, data: { cid: 'bafy' } });
  for (const [index, id] of ids.entries()) {
    await deleteAsset(owner, id);
    advanceDays(8);
    await deleteBytes(worker);
    expect((await storage.head(ipfsKey('bafy'))) === null).toBe(index === 1);
  }
});

test('an old copy for IPFS without an asset is deleted, unless an export runs', async () => {
  const id = await createReadyAsset();
  await db.asset.update({ where: { id }, data: { cid: 'bafyvideo', nftMetadataCid: 'bafypage' } });
  const [referencedCids, unreferencedCids] = [
    ['bafyvideo', 'bafypage'],
    ['bafygone', 'bafyolderpage'],
  ];
  for (const cid of [...referencedCids, ...unreferencedCids]) {
    await storage.put(ipfsKey(cid), Buffer.from('x'));
    await storage.put(ipfsArchiveKey(cid), Buffer.from('head'));
  }
  const { task } = await exportAsset(owner, { id, body: { ipfs: {} } });
  const isStored = async (cid: string) =>
    (await storage.head(ipfsKey(cid))) !== null && (await storage.head(ipfsArchiveKey(cid))) !== null;
  const areStored = (cids: readonly string[]) => Promise.all(cids.map(isStored));
  await sweepAt(0, () => deleteOrphans(worker));
  expect(await areStored([...referencedCids, ...unreferencedCids])).toEqual([true, true, true, true]);
  await sweepAt(2 * DAY_MS, () => deleteOrphans(worker));
  expect(await areStored([...referencedCids, ...unreferencedCids])).toEqual([true, true, true, true]);
  await sweepAt(2 * DAY_MS, () => cancelTask(owner, task.id));
  const deletedCount = await sweepAt(2 * DAY_MS, () => deleteOrphans(worker));
  expect(deletedCount).toBeGreaterThanOrEqual(unreferencedCids.length);
  expect(await areStored(referencedCids)).toEqual([true, true]);
  for (const cid of unreferencedCids) {
    expect([await storage.head(ipfsKey(cid)), await storage.head(ipfsArchiveKey(cid))]).toEqual([null, null]);
  }
});

test('an old folder of an asset without a row is deleted', async () => {
  const [orphan, keptAsset] = [newId(), await createReadyAsset()];
  await storage.put(assetKey(orphan, 'source.mp4'), Buffer.from('x'));
  expect(await sweepAt(0, () => deleteOrphans(worker))).toBe(0);
  await storage.put('asset/not-an-id/file', Buffer.from('x'));
  expect(await sweepAt(2 * DAY_MS, () => deleteOrphans(worker))).toBeGreaterThanOrEqual(1);
  expect([await hasBytes(orphan), await hasBytes(keptAsset)]).toEqual([false, true]);
});

test('an uploaded file is deleted once its asset is ready or has no row', async () => {
  const [waitingUpload, readyUpload, deletedUpload] = await Promise.all(
    [1, 2, 3].map(() => requestUpload(owner, { name: 'x' })),
  );
  await markReady(readyUpload?.asset.id ?? '');
  const uploadKeyOf = (upload: typeof readyUpload) => uploadedObjectKey(upload?.asset.playbackId ?? '');
  for (const upload of [waitingUpload, readyUpload, deletedUpload])
    await storage.put(uploadKeyOf(upload), Buffer.from('x'));
  await db.task.deleteMany({ where: { outputAssetId: deletedUpload?.asset.id ?? '' } });
  await db.asset.delete({ where: { id: deletedUpload?.asset.id ?? '' } });
  // Uploaded files are deleted when they are at least ten minutes old.
  expect(await sweepAt(0, () => deleteImportedUploads(worker))).toBe(0);
  expect(await sweepAt(11 * MINUTE_MS, () => deleteImportedUploads(worker))).toBe(2);
  const remainingFiles = await Promise.all(
    [waitingUpload, readyUpload, deletedUpload].map((upload) => storage.head(uploadKeyOf(upload))),
  );
  expect(remainingFiles.map((file) => file !== null)).toEqual([true, false, false]);
});

test('a cancelled import fails its asset, and cannot be cancelled again', async () => {
  const { asset, task } = await importAsset(owner, { url: 'https://files.example/a.mp4', name: 'x' });
  expect((await cancelTask(owner, task.id)).status.phase).toBe('cancelled');
  expect((await getAsset(owner, asset.id)).status).toMatchObject({
    phase: 'failed',
    errorMessage: 'cancelled',
  });
  await expect(cancelTask(owner, task.id)).rejects.toThrow('the task is already cancelled');
  await expect(cancelTask(await createTeamContext(), task.id)).rejects.toThrow('not found');
  expect((await getTask(owner, task.id)).status.phase).toBe('cancelled');
});
