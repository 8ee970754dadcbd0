import { expect, test } from 'vitest';
import type { TeamContext, SystemContext } from '@/lib/domain/context';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startTask } from '@/lib/domain/tasks';
import {
  startUpload,
  startProcessing,
  interruptUpload,
  cancelTask,
  completeAsset,
  deleteAsset,
  expireUploads,
  failProcessing,
  importAsset,
  interruptProcessing,
  completeUpload,
  failUpload,
  releaseProcessing,
  renewUploadLease,
  reportProcessing,
  requestUpload,
  restoreAsset,
  retryTask,
  updateAsset,
} from '.';
import { createAssetFixtures } from './testing/asset-fixtures';

const { db, createTeamContext } = createAssetFixtures(await createTestDatabase());
const asWorker = (ctx: TeamContext): SystemContext => ({ ...ctx, actor: { kind: 'system' } });

interface Payload {
  payload: Record<'asset' | 'task', { snapshot: { status: { phase: string } } } | undefined>;
}

/**
 * Returns a function that reads the events since its last call: name and phase, sorted. Example: `asset.updated uploading`.
 */
function createEventReader({ actor }: TeamContext) {
  const returnedIds = new Set<string>();
  return async () => {
    const events = await db.event.findMany({
      where: { teamId: actor.teamId },
      orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
    });
    const newEvents = events.filter(({ id }) => !returnedIds.has(id));
    for (const { id } of newEvents) returnedIds.add(id);
    return newEvents
      .map(({ name, payload }) => {
        const { asset, task } = (payload as unknown as Payload).payload;
        return `${name} ${(asset ?? task)?.snapshot.status.phase}`;
      })
      .sort();
  };
}

const file = { key: 'directUpload/x/source', bytes: 5, hashes: null };
const spec = { format: 'mp4', duration: 1, tracks: [] };

/** Maximum running tasks of a team, more than these tests start. */
const MAX_RUNNING_TASKS = 5;

/** Starts the due task of the team, as a worker does. */
async function startDueTask(ctx: TeamContext) {
  const [dueTask] = await db.task.findMany({
    where: { teamId: ctx.actor.teamId, scheduledAt: { not: null } },
  });
  const task = dueTask && (await startTask(asWorker(ctx), dueTask, MAX_RUNNING_TASKS));
  if (!task?.outputAssetId) throw new Error('Nothing is due');
  return { ...task, outputAssetId: task.outputAssetId };
}

test('each step of an upload emits one event for each asset and task that it changes, and a repeated step none', async () => {
  const ctx = await createTeamContext();
  const worker = asWorker(ctx);
  const readNewEvents = createEventReader(ctx);
  const { asset } = await requestUpload(ctx, { name: 'x' });
  expect(await readNewEvents()).toEqual(['asset.created waiting', 'task.spawned pending']);
  const attempt = { assetId: asset.id, leaseId: newId() };
  // Each request of a resumable upload calls startUpload.
  for (let request = 0; request < 3; request++) await startUpload(worker, attempt);
  await renewUploadLease(worker, attempt);
  expect(await readNewEvents()).toEqual(['asset.updated uploading']);
  await interruptUpload(worker, attempt);
  await interruptUpload(worker, attempt);
  expect(await readNewEvents()).toEqual(['asset.updated waiting']);
  await startUpload(worker, attempt);
  await completeUpload(worker, attempt, { ...file, spec });
  await expect(completeUpload(worker, attempt, { ...file, spec })).rejects.toThrow();
  expect(await readNewEvents()).toEqual([
    'asset.updated processing',
    'asset.updated uploading',
    'task.updated waiting',
  ]);
  const task = await startDueTask(ctx);
  await startProcessing(worker, task);
  for (const progress of [0.2, 0.4]) await reportProcessing(worker, task, { progress, expectedAt: null });
  expect(await readNewEvents()).toEqual(['task.updated running']);
  await interruptProcessing(worker, task, { reason: 'the process died', cause: 'worker' });
  const secondRun = await startDueTask(ctx);
  await releaseProcessing(worker, secondRun);
  expect(await readNewEvents()).toEqual([
    'task.updated running',
    'task.updated waiting',
    'task.updated waiting',
  ]);
  const thirdRun = await startDueTask(ctx);
  const files = { sourceKey: 'a', videoKey: 'a', bytes: 5, storedBytes: 9 };
  const processedFile = { ...files, hash: [], videoSpec: spec, chapters: [] };
  await completeAsset(worker, thirdRun, processedFile, {});
  await expect(completeAsset(worker, thirdRun, processedFile, {})).rejects.toThrow();
  expect(await readNewEvents()).toEqual([
    'asset.ready ready',
    'task.completed completed',
    'task.updated running',
  ]);
  await updateAsset(ctx, { id: asset.id, change: { name: 'y' } });
  await deleteAsset(ctx, asset.id);
  await restoreAsset(ctx, asset.id);
  await restoreAsset(ctx, asset.id);
  expect(await readNewEvents()).toEqual([
    'asset.deleted ready',
    'asset.updated ready',
    'asset.updated ready',
  ]);
});

test('a failure, a retry and a cancellation each emit one event for the asset and one for the task', async () => {
  const ctx = await createTeamContext();
  const worker = asWorker(ctx);
  const readNewEvents = createEventReader(ctx);
  const response = await requestUpload(ctx, { name: 'x' });
  const attempt = { assetId: response.asset.id, leaseId: newId() };
  await startUpload(worker, attempt);
  await readNewEvents();
  await failUpload(worker, attempt, 'video codec is HEVC; H.264 is accepted');
  expect(await readNewEvents()).toEqual(['asset.failed failed', 'task.failed failed']);

  const { task } = await importAsset(ctx, { url: 'https://files.example/a.mp4', name: 'x' });
  await readNewEvents();
  const run = await startDueTask(ctx);
  await startProcessing(worker, run);
  await failProcessing(worker, run, 'no video track');
  await failProcessing(worker, run, 'no video track');
  expect(await readNewEvents()).toEqual([
    'asset.failed failed',
    'asset.updated processing',
    'task.failed failed',
    'task.updated running',
  ]);
  const retriedTask = await retryTask(ctx, task.id);
  expect(await readNewEvents()).toEqual(['asset.updated processing', 'task.spawned pending']);
  await cancelTask(ctx, retriedTask.id);
  expect(await readNewEvents()).toEqual(['asset.failed failed', 'task.updated cancelled']);
});

test('deleting an asset that is not ready emits the deletion and the cancellation of its task', async () => {
  const ctx = await createTeamContext();
  const readNewEvents = createEventReader(ctx);
  const { asset } = await importAsset(ctx, { url: 'https://files.example/a.mp4', name: 'x' });
  await readNewEvents();
  await deleteAsset(ctx, asset.id);
  expect(await readNewEvents()).toEqual(['asset.deleted waiting', 'task.updated cancelled']);
});

test('an interrupted upload whose URL has expired emits that it waits and that it failed', async () => {
  const ctx = await createTeamContext();
  const worker = asWorker(ctx);
  const readNewEvents = createEventReader(ctx);
  const { asset } = await requestUpload(ctx, { name: 'x' });
  await startUpload(worker, { assetId: asset.id, leaseId: newId() });
  await readNewEvents();
  // An upload URL is valid for 12 hours.
  const expiredAt = new Date(Date.now() - 13 * 3_600_000);
  const expiredUpload = { uploadLeaseUntil: expiredAt, createdAt: expiredAt };
  await db.asset.update({ where: { id: asset.id }, data: expiredUpload });
  await expireUploads(worker);
  await expireUploads(worker);
  expect(await readNewEvents()).toEqual([
    'asset.failed failed',
    'asset.updated waiting',
    'task.failed failed',
  ]);
});
