import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { assetKey, assetPrefix, hlsPrefix, indexKey, renditionKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { auditStorage } from '@/lib/domain/storage-audit';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { listFilesBelow } from '@/media-worker/vod/import/files-below';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { writeIndexedHls } from '@/media-worker/vod/index/testing/write-hls';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { OlderAssetIndexer } from './index-older-assets';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage } = fixtures;
const teamContext = await fixtures.createTeamContext();
const samples = createSampleFiles();
afterAll(() => samples.remove());

const path = samples.make('film.mp4', { seconds: 8, output: ['-movflags', '+faststart'] });
const hlsCopyFolder = samples.path('copy');
await writeIndexedHls(path, hlsCopyFolder, { frameRate: 10, dataDir: samples.folder });

/** An asset of an earlier version: without an index, with a copy of its HLS. */
async function createOlderAsset(): Promise<string> {
  const { assetId } = await receiveFile(fixtures, teamContext, path);
  const taskRunner = createTaskRunner(ctx, { import: importAssetJob });
  await taskRunner.drain();
  await taskRunner.close();
  await storage.delete(indexKey(assetId));
  for (const file of await listFilesBelow(hlsCopyFolder))
    await storage.putFile(assetKey(assetId, `hls/${file}`), join(hlsCopyFolder, file), { keep: true });
  return assetId;
}

const DAY_MS = 24 * 3_600_000;
const contextAfter = (ms: number) => ({
  ...ctx,
  clock: { ...ctx.clock, now: () => new Date(Date.now() + ms) },
});
const readText = async (key: string) => {
  const source = await createIndexedReads(storage).read(key);
  return source && (await buffer(source)).toString();
};
const hls = (id: string, file: string) => assetKey(id, `hls/${file}`);
async function sumStoredBytes(id: string): Promise<number> {
  let sum = 0;
  for await (const { bytes } of storage.list(assetPrefix(id))) sum += bytes;
  return sum;
}

test('an asset of an earlier version gets an index when it is not watched, and its copied HLS is deleted a day later', async () => {
  const [id, watchedId, recordingId] = [
    await createOlderAsset(),
    await createOlderAsset(),
    await createOlderAsset(),
  ];
  const key = renditionKey(watchedId, '240p/000001.m4s');
  await db.renditionFile.create({ data: { key, assetId: watchedId, bytes: 1 } });
  await storage.put(key, Buffer.from('x'));
  // Each period of a recording has an init segment.
  await storage.copy(hls(recordingId, 'source/init.mp4'), hls(recordingId, 'source/init-1.mp4'));
  await storage.delete(hls(recordingId, 'source/init.mp4'));
  expect(await readText(hls(id, 'source/index.m3u8'))).toContain('\n000000.m4s');

  const firstIndexer = new OlderAssetIndexer(ctx);
  for (const _ of [1, 2]) await firstIndexer.run();
  await firstIndexer.close();
  expect(await readText(hls(id, 'source/index.m3u8'))).toMatch(/\n[0-9a-f]{12}-000000\.m4s/);
  // Viewers who are watching continue.
  expect(await readText(hls(id, 'source/000000.m4s'))).not.toBeNull();
  for (const assetId of [watchedId, recordingId]) expect(await storage.head(indexKey(assetId))).toBeNull();
  expect(await auditStorage(ctx)).toEqual({ unowned: [], missing: [] });

  const nextIndexer = new OlderAssetIndexer(contextAfter(DAY_MS + 60_000));
  await nextIndexer.run();
  await nextIndexer.close();
  for await (const file of storage.list(hlsPrefix(id))) expect.unreachable(file.key);
  expect(await readText(hls(id, 'source/index.m3u8'))).toMatch(/\n[0-9a-f]{12}-000000\.m4s/);
  expect(await fixtures.assetRow(id)).toMatchObject({ storedBytes: BigInt(await sumStoredBytes(id)) });
  // After a day without views, the asset gets its index.
  expect(await storage.head(indexKey(watchedId))).not.toBeNull();
  expect(await storage.head(hls(watchedId, 'source/000000.m4s'))).not.toBeNull();
  expect(await storage.head(hls(recordingId, 'index.m3u8'))).not.toBeNull();
  expect(await auditStorage(ctx)).toEqual({ unowned: [], missing: [] });
});
