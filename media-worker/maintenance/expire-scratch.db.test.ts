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
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { storyboardScratch } from '@/media-worker/vod/import/make-storyboards';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { expireScratch } from './expire-scratch';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, dataDir, createUpload, assetRow } = fixtures;
const teamContext = await fixtures.createTeamContext();
const folder = (name: string) => join(scratchFolder(dataDir), name);

async function createReadyAsset(): Promise<string> {
  const { assetId } = await createUpload(teamContext);
  const readyFields = { phase: 'ready' as const, videoKey: `asset/${assetId}/source.mp4`, videoSpec: {} };
  await db.asset.update({ where: { id: assetId }, data: { ...readyFields, storyboardDueAt: new Date() } });
  return assetId;
}

test('scratch folders of finished tasks are removed; those of unfinished tasks and other folders stay', async () => {
  const [unfinishedUpload, failedUpload] = [await createUpload(teamContext), await createUpload(teamContext)];
  await db.task.update({ where: { id: failedUpload.taskId }, data: { phase: 'failed' } });
  const [dueId, readyId] = [await createReadyAsset(), await createReadyAsset()];
  await completeStoryboard(ctx, { filesId: readyId, hasStoryboard: true, bytes: 1 });
  const keptNames = [
    unfinishedUpload.taskId,
    storyboardScratch(dueId),
    'of-another-process',
    `else-${newId()}`,
  ];
  const removedNames = [failedUpload.taskId, newId(), storyboardScratch(readyId), storyboardScratch(newId())];
  for (const name of [...keptNames, ...removedNames]) mkdirSync(folder(name), { recursive: true });
  await expireScratch(ctx);
  expect([...keptNames, ...removedNames].filter((name) => existsSync(folder(name)))).toEqual(keptNames);
});

test('scratch folders of killed index tasks are removed after a day', async () => {
  const [newName, oldName] = [`index-${newId()}`, `reencode-${newId()}`];
  for (const name of [newName, oldName]) mkdirSync(folder(name), { recursive: true });
  const dayBefore = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(folder(oldName), dayBefore, dayBefore);
  await expireScratch(ctx);
  expect([newName, oldName].map((name) => existsSync(folder(name)))).toEqual([true, false]);
});

test('storyboards are planned until they are made, later after an error, and count once', async () => {
  await db.asset.updateMany({ data: { storyboardDueAt: null } });
  const assetId = await createReadyAsset();
  const startedAtMs = Date.now();
  const contextAt = (seconds: number) => ({
    ...ctx,
    clock: { ...ctx.clock, now: () => new Date(startedAtMs + seconds * 1_000) },
  });
  expect(await listDueStoryboards(contextAt(1))).toEqual([{ assetId, delayMs: 0 }]);
  expect(await readDueStoryboard(contextAt(1), assetId)).toMatchObject({ assetId });
  await postponeStoryboard(contextAt(1), { filesId: assetId, delayMs: 60_000 });
  expect(await readDueStoryboard(contextAt(50), assetId)).toBeNull();
  expect(await listDueStoryboards(contextAt(50))).toEqual([]);
  expect(await planStoryboards(contextAt(50), [assetId])).toEqual([{ assetId, delayMs: 11_000 }]);
  expect(await readDueStoryboard(contextAt(61), assetId)).toMatchObject({ assetId });
  for (let runIndex = 0; runIndex < 2; runIndex++)
    await completeStoryboard(ctx, { filesId: assetId, hasStoryboard: true, bytes: 7 });
  await postponeStoryboard(ctx, { filesId: assetId, delayMs: 0 });
  expect(await planStoryboards(contextAt(61), [assetId])).toEqual([]);
  expect(await assetRow(assetId)).toMatchObject({
    hasStoryboard: true,
    storyboardDueAt: null,
    storedBytes: 7n,
  });
});
