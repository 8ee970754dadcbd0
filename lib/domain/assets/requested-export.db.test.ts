import { expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startTask } from '@/lib/domain/tasks';
import { completeAsset, getAsset, completeUpload, requestUpload, startProcessing, startUpload } from '.';
import { createAssetFixtures } from './testing/asset-fixtures';

const { db, createTeamContext, tasksOf } = createAssetFixtures(await createTestDatabase());
const videoSpec = { format: 'mp4', duration: 1, tracks: [] };
/** Maximum running tasks of a team, more than these tests start. */
const MAX_RUNNING_TASKS = 5;
const files = { sourceKey: 'a', videoKey: 'a', bytes: 5, storedBytes: 9 };

/**
 * Uploads a file and starts to process it.
 * @returns a function that completes the processing and returns the ready asset
 */
async function startProcessingOfUpload(
  ctx: TeamContext,
  body: Omit<Parameters<typeof requestUpload>[1], 'name'>,
) {
  const worker = { ...ctx, actor: { kind: 'system' } } as const;
  const { asset } = await requestUpload(ctx, { name: 'x', ...body });
  const attempt = { assetId: asset.id, leaseId: newId() };
  await startUpload(worker, attempt);
  await completeUpload(worker, attempt, { key: 'a', bytes: 5, hashes: null, spec: videoSpec });
  const [dueTask] = await tasksOf(ctx.actor.teamId);
  const task = dueTask && (await startTask(worker, dueTask, MAX_RUNNING_TASKS));
  if (!task) throw new Error('Nothing is due');
  const run = { ...task, outputAssetId: asset.id };
  await startProcessing(worker, run);
  return async () => {
    await completeAsset(worker, run, { ...files, hash: [], videoSpec, chapters: [] }, {});
    return getAsset(ctx, asset.id);
  };
}

test('the export to IPFS that was requested with an asset starts when the asset is ready', async () => {
  const ctx = await createTeamContext();
  const spec = { nftMetadataTemplate: 'file' } as const;
  const completeProcessing = await startProcessingOfUpload(ctx, { storage: { ipfs: { spec } } });
  expect(await tasksOf(ctx.actor.teamId)).toHaveLength(1);
  const asset = await completeProcessing();
  const [, task] = await tasksOf(ctx.actor.teamId);
  expect(task).toMatchObject({ type: 'export', inputAssetId: asset.id, params: { export: { ipfs: spec } } });
  expect(task?.scheduledAt).not.toBeNull();
  expect(asset.storage).toMatchObject({
    ipfs: { spec },
    status: { phase: 'waiting', tasks: { pending: task?.id } },
  });
});

test('the requested export fails if the asset is no longer public', async () => {
  const ctx = await createTeamContext();
  const completeProcessing = await startProcessingOfUpload(ctx, { storage: { ipfs: true } });
  await db.asset.updateMany({
    where: { teamId: ctx.actor.teamId },
    data: { playbackPolicy: { type: 'jwt' } },
  });
  const { storage, status } = await completeProcessing();
  expect(status.phase).toBe('ready');
  expect(storage?.status).toMatchObject({
    phase: 'failed',
    errorMessage: expect.stringContaining('anyone can read') as string,
  });
});

test('without a requested export, a ready asset has no export task', async () => {
  const ctx = await createTeamContext();
  const completeProcessing = await startProcessingOfUpload(ctx, { storage: { ipfs: null } });
  await completeProcessing();
  // The task of the upload.
  expect(await tasksOf(ctx.actor.teamId)).toMatchObject([{ type: 'import' }]);
});
