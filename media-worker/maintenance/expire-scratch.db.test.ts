import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  completeStoryboard,
  listDueStoryboards,
  planStoryboards,
  postponeStoryboard,
  readDueStoryboard,
} from '@/lib/domain/assets';
import { newId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { storyboardScratch } from '@/media-worker/vod/import/make-storyboards';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { expireScratch } from './expire-scratch';

const fixtures = createWorkerFixtures(await testDatabase());
const { ctx, db, dataDir, createUpload, assetRow } = fixtures;
const owner = await fixtures.createTeamContext();
const folder = (name: string) => join(scratchFolder(dataDir), name);

async function createReadyAsset(): Promise<string> {
  const { assetId } = await createUpload(owner);
  const readyFields = { phase: 'ready' as const, videoKey: `asset/${assetId}/source.mp4`, videoSpec: {} };
  await db.asset.update({ where: { id: assetId }, data: { ...readyFields, storyboardDueAt: new Date() } });
  return assetId;
}

test('scratch folders of finished tasks are removed; those of unfinished tasks and other folders stay', async () => {
  const [going, endedUpload] = [await createUpload(owner), await createUpload(owner)];
  await db.task.update({ where: { id: endedUpload.taskId }, data: { phase: 'failed' } });
  const [dueId, readyId] = [await createReadyAsset(), await createReadyAsset()];
  await completeStoryboard(ctx, { filesId: readyId, hasStoryboard: true, bytes: 1 });
  const keptNames = [going.taskId, storyboardScratch(dueId), 'of-another-process', `else-${newId()}`];
  const over = [endedUpload.taskId, newId(), storyboardScratch(readyId), storyboardScratch(newId())];
  for (const name of [...keptNames, ...over]) mkdirSync(folder(name), { recursive: true });
  await expireScratch(ctx);
  expect([...keptNames, ...over].filter((name) => existsSync(folder(name)))).toEqual(keptNames);
});

test('scratch folders of killed index tasks are removed after a day', async () => {
  const [fresh, old] = [`index-${newId()}`, `reencode-${newId()}`];
  for (const name of [fresh, old]) mkdirSync(folder(name), { recursive: true });
  const before = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(folder(old), before, before);
  await expireScratch(ctx);
  expect([fresh, old].map((name) => existsSync(folder(name)))).toEqual([true, false]);
});

test('storyboards are planned until they are made, later after an error, and count once', async () => {
  await db.asset.updateMany({ data: { storyboardDueAt: null } });
  const assetId = await createReadyAsset();
  const startedAt = Date.now();
  const at = (seconds: number) => ({
    ...ctx,
    clock: { ...ctx.clock, now: () => new Date(startedAt + seconds * 1_000) },
  });
  expect(await listDueStoryboards(at(1))).toEqual([{ assetId, delayMs: 0 }]);
  expect(await readDueStoryboard(at(1), assetId)).toMatchObject({ assetId });
  await postponeStoryboard(at(1), { filesId: assetId, delayMs: 60_000 });
  expect(await readDueStoryboard(at(50), assetId)).toBeNull();
  expect(await listDueStoryboards(at(50))).toEqual([]);
  expect(await planStoryboards(at(50), [assetId])).toEqual([{ assetId, delayMs: 11_000 }]);
  expect(await readDueStoryboard(at(61), assetId)).toMatchObject({ assetId });
  for (let runIndex = 0; runIndex < 2; runIndex++)
    await completeStoryboard(ctx, { filesId: assetId, hasStoryboard: true, bytes: 7 });
  await postponeStoryboard(ctx, { filesId: assetId, delayMs: 0 });
  expect(await planStoryboards(at(61), [assetId])).toEqual([]);
  expect(await assetRow(assetId)).toMatchObject({
    hasStoryboard: true,
    storyboardDueAt: null,
    storedBytes: 7n,
  });
});
