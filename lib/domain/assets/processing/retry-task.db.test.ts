import { afterAll, describe, expect, test } from 'vitest';
import type { TeamContext, SystemContext } from '@/lib/domain/context';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLogger } from '@/lib/infra/logger';
import { listen } from '@/lib/infra/notifications';
import { startTask } from '@/lib/domain/tasks';
import {
  cancelTask,
  createRecordingAsset,
  deleteAsset,
  exportAsset,
  failProcessing,
  getAsset,
  importAsset,
  openExportSecrets,
  requestUpload,
  retryTask,
  transcodeAsset,
} from '@/lib/domain/assets';
import { createAssetFixtures } from '@/lib/domain/assets/testing/asset-fixtures';

const databaseUrl = await createTestDatabase();
const { db, createTeamContext, markReady, tasksOf, auditOf } = createAssetFixtures(databaseUrl);
const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };
const reason = 'the file server answered 503';

const asWorker = (ctx: TeamContext): SystemContext => ({ ...ctx, actor: { kind: 'system' } });

/** Maximum running tasks of a team, more than these tests start. */
const MAX_RUNNING_TASKS = 5;
const startRun = (ctx: TeamContext, id: string) =>
  startTask(asWorker(ctx), { id, attempt: 0 }, MAX_RUNNING_TASKS);

/** Starts a task and fails it. */
async function runAndFail(ctx: TeamContext, taskId: string): Promise<void> {
  const run = await startRun(ctx, taskId);
  expect(run?.id).toBe(taskId);
  if (run) await failProcessing(asWorker(ctx), run, reason);
}

async function createFailedImport() {
  const ctx = await createTeamContext();
  const { asset, task } = await importAsset(ctx, { url: 'https://files.example/a.mp4', name: 'x' });
  await runAndFail(ctx, task.id);
  return { ctx, assetId: asset.id, taskId: task.id };
}

async function createImportedRecording(ctx: TeamContext) {
  const { teamId } = ctx.actor;
  const stream = await db.stream.create({ data: { teamId, name: 'x', playbackId: newPlaybackId() } });
  const session = await db.session.create({
    data: { teamId, parentId: stream.id, name: 'x', playbackId: stream.playbackId, recording: 'failed' },
  });
  const { assetId } = await createRecordingAsset(asWorker(ctx), {
    sessionId: session.id,
    teamId,
    name: 'x',
    startedAt: new Date(),
    mp4Key: 'recording/a/source.mp4',
    hlsPrefix: 'recording/a/hls/',
  });
  return { session, assetId };
}

const eventsOf = async ({ actor }: TeamContext) =>
  (await db.event.findMany({ where: { teamId: actor.teamId }, orderBy: { createdAt: 'asc' } })).map(
    ({ name }) => name,
  );

describe('a failed or cancelled task', () => {
  test('is retried as a new task for the same asset', async () => {
    const { ctx, assetId, taskId } = await createFailedImport();
    const retriedTask = await retryTask(ctx, taskId);
    expect(retriedTask).toMatchObject({
      type: 'import',
      outputAssetId: assetId,
      params: { import: { url: 'https://files.example/a.mp4' } },
      status: { phase: 'pending' },
    });
    expect(retriedTask.id).not.toBe(taskId);
    const { status } = await getAsset(ctx, assetId);
    expect(status).toEqual({ phase: 'processing', updatedAt: status.updatedAt });
    expect((await startRun(ctx, retriedTask.id))?.id).toBe(retriedTask.id);
    expect(await tasksOf(ctx.actor.teamId)).toMatchObject([
      { id: taskId, phase: 'failed', errorMessage: reason },
      { id: retriedTask.id, phase: 'running' },
    ]);
    expect(await auditOf(taskId)).toEqual(['task.retried']);
    expect((await eventsOf(ctx)).slice(-3).sort()).toEqual(['asset.updated', 'task.spawned', 'task.updated']);
  });

  test('is retried once by ten concurrent callers', async () => {
    const { ctx, taskId } = await createFailedImport();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => retryTask(ctx, taskId)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await tasksOf(ctx.actor.teamId)).toHaveLength(2);
    await expect(retryTask(ctx, taskId)).rejects.toThrow('its output asset is processing');
  });

  test('can be retried when cancelled, but not when pending or completed, and not by another team', async () => {
    const ctx = await createTeamContext();
    const { task } = await importAsset(ctx, { url: 'https://files.example/a.mp4', name: 'x' });
    const rule = 'only a failed or cancelled one can be retried';
    await expect(retryTask(ctx, task.id)).rejects.toThrow(`the task is pending; ${rule}`);
    await cancelTask(ctx, task.id);
    await expect(retryTask(await createTeamContext(), task.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await retryTask(ctx, task.id)).status.phase).toBe('pending');
    await db.task.updateMany({ where: { id: task.id }, data: { phase: 'completed' } });
    await expect(retryTask(ctx, task.id)).rejects.toThrow(`the task is completed; ${rule}`);
  });

  test('whose asset was deleted cannot be retried', async () => {
    const { ctx, assetId, taskId } = await createFailedImport();
    await deleteAsset(ctx, assetId);
    await expect(retryTask(ctx, taskId)).rejects.toThrow('its output asset was deleted');
  });
});

describe('the input of a retry', () => {
  test('of an upload must have its file', async () => {
    const ctx = await createTeamContext();
    const { asset, task } = await requestUpload(ctx, { name: 'x' });
    await cancelTask(ctx, task.id);
    await expect(retryTask(ctx, task.id)).rejects.toThrow(
      'no file was received; request a new upload URL with POST /api/asset/request-upload',
    );
    const receivedUpload = { sourceKey: 'directUpload/x/source', bytesRemovedAt: new Date() };
    await db.asset.update({ where: { id: asset.id }, data: receivedUpload });
    await expect(retryTask(ctx, task.id)).rejects.toThrow('the uploaded file is no longer available');
    await db.asset.update({ where: { id: asset.id }, data: { bytesRemovedAt: null } });
    expect(await retryTask(ctx, task.id)).toMatchObject({ outputAssetId: asset.id });
  });

  test('of a transcode must have its source asset', async () => {
    const ctx = await createTeamContext();
    const input = await requestUpload(ctx, { name: 'x' });
    await markReady(input.asset.id);
    const { task, asset } = await transcodeAsset(ctx, { assetId: input.asset.id, profile });
    await runAndFail(ctx, task.id);
    expect(await retryTask(ctx, task.id)).toMatchObject({
      type: 'transcode',
      inputAssetId: input.asset.id,
      outputAssetId: asset.id,
      params: { transcode: { profile } },
    });
    const secondTranscode = await transcodeAsset(ctx, { assetId: input.asset.id, profile });
    await runAndFail(ctx, secondTranscode.task.id);
    await deleteAsset(ctx, input.asset.id);
    await expect(retryTask(ctx, secondTranscode.task.id)).rejects.toThrow('its input asset was deleted');
  });

  test('of an export includes its credentials, and updates the storage of the asset', async () => {
    const ctx = await createTeamContext();
    const { asset } = await requestUpload(ctx, { name: 'x' });
    await markReady(asset.id);
    const { task } = await exportAsset(ctx, { id: asset.id, body: { ipfs: { pinning: { jwt: 'secret' } } } });
    await runAndFail(ctx, task.id);
    expect((await getAsset(ctx, asset.id)).storage?.status.phase).toBe('failed');
    const retriedTask = await retryTask(ctx, task.id);
    expect(JSON.stringify(retriedTask)).not.toContain('secret');
    expect(retriedTask.params).toEqual(task.params);
    const row = await db.task.findUniqueOrThrow({ where: { id: retriedTask.id } });
    expect(JSON.stringify(openExportSecrets(ctx, row))).toContain('secret');
    expect((await getAsset(ctx, asset.id)).storage?.status).toMatchObject({
      phase: 'waiting',
      tasks: { pending: retriedTask.id },
    });
    await expect(retryTask(ctx, task.id)).rejects.toThrow('the same export is already in progress');
  });

  test('of a recording is the stored recording, while it exists', async () => {
    const ctx = await createTeamContext();
    const { teamId } = ctx.actor;
    const { session, assetId } = await createImportedRecording(ctx);
    const [task] = await tasksOf(teamId);
    await runAndFail(ctx, task?.id ?? '');
    await db.session.update({ where: { id: session.id }, data: { recordingRemovedAt: new Date() } });
    await expect(retryTask(ctx, task?.id ?? '')).rejects.toThrow('the recorded media is no longer available');
    await db.session.update({ where: { id: session.id }, data: { recordingRemovedAt: null } });
    const retriedTask = await retryTask(ctx, task?.id ?? '');
    expect(retriedTask).toMatchObject({ outputAssetId: assetId });
    expect(await db.task.findUniqueOrThrow({ where: { id: retriedTask.id } })).toMatchObject({
      work: task?.work,
    });
    expect(await db.session.findUniqueOrThrow({ where: { id: session.id } })).toMatchObject({
      recording: 'importing',
    });
  });
});

describe('the session of a recording', () => {
  const dueSessions: (string | null)[] = [];
  const onDue = (id: string | null) => void dueSessions.push(id);
  const listener = listen(databaseUrl, 'session_due', onDue, createLogger('test', 'silent'));
  afterAll(() => listener.close());

  test.each(['import is cancelled', 'asset is deleted'])('is due when the %s', async (change) => {
    await expect.poll(() => listener.isListening).toBe(true);
    const ctx = await createTeamContext();
    const { session, assetId } = await createImportedRecording(ctx);
    const [task] = await tasksOf(ctx.actor.teamId);
    await (change === 'import is cancelled' ? cancelTask(ctx, task?.id ?? '') : deleteAsset(ctx, assetId));
    await expect.poll(() => dueSessions).toContain(session.id);
  });
});
