import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { exportAsset } from '@/lib/domain/assets';
import type { StorageDriver } from '@/lib/infra/storage';
import { startReceiver } from '@/lib/infra/testing/receiver';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { getTask } from '@/lib/domain/tasks';
import { FfmpegFailed, FfmpegKilled } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { exportAssetJob } from '@/media-worker/vod/import/export-asset';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import type { TaskHandler } from './task-job';
import { receiveFile } from './testing/received-file';
import { createTaskRunner } from './testing/run-tasks';

const fixtures = createWorkerFixtures(await createTestDatabase(), { egressAllowCidrs: ['127.0.0.1/32'] });
const { ctx, db, storage, taskRow, assetRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const handlers = { import: importAssetJob, export: exportAssetJob };
const work = createTaskRunner(ctx, handlers);
const sink = await startReceiver();
afterAll(async () => {
  await work.close();
  await sink.close();
  samples.remove();
});

const uploadVideo = () => receiveFile(fixtures, owner, samples.make('film.mp4'));
const makeDue = (id: string) => db.task.update({ where: { id }, data: { scheduledAt: new Date() } });

async function runOnceWith(handler: TaskHandler): Promise<void> {
  const { once, close } = createTaskRunner(ctx, { import: handler });
  await once();
  await close();
}

describe('an internal fault', () => {
  const failToConnect = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:9000'));

  test('that lasts for many attempts does not fail the task: it waits, shows the reason, and continues', async () => {
    const { assetId, taskId } = await uploadVideo();
    const brokenStorage: StorageDriver = { ...storage, putFile: failToConnect, copy: failToConnect };
    const { once, close } = createTaskRunner({ ...ctx, storage: brokenStorage }, handlers);
    const waits: number[] = [];
    for (let retries = 1; retries <= 12; retries++) {
      await once();
      const { status } = await getTask(owner, taskId);
      expect(status).toMatchObject({
        phase: 'waiting',
        retries,
        errorMessage: 'something went wrong on this server',
      });
      const row = await taskRow(taskId);
      waits.push((row.scheduledAt?.getTime() ?? 0) - row.statusUpdatedAt.getTime());
      expect(await assetRow(assetId)).toMatchObject({ phase: 'processing', errorMessage: null });
      await makeDue(taskId);
    }
    await close();
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300].map((s) => s * 1_000));
    await work.drain();
    expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', errorMessage: null });
    expect(await taskRow(taskId)).toMatchObject({ phase: 'completed', failedAttempts: 0 });
  });

  test.each([
    ['a program that was killed is a fault', new FfmpegKilled('Killed'), { failedAttempts: 0, faults: 1 }],
    ['a programming error is a fault', new TypeError('x is undefined'), { failedAttempts: 0, faults: 1 }],
    [
      'an error of ffmpeg is a failed attempt',
      new FfmpegFailed('Invalid data'),
      { failedAttempts: 1, faults: 0 },
    ],
  ])('is distinguished from a failed attempt: %s', async (_, error, expectedCounts) => {
    const { taskId } = await uploadVideo();
    await runOnceWith(() => Promise.reject(error));
    expect(await taskRow(taskId)).toMatchObject({ phase: 'waiting', ...expectedCounts });
    await db.task.update({ where: { id: taskId }, data: { scheduledAt: null } });
  });

  test('such as an unreadable file is not the fault of the server it is sent to', async () => {
    const { assetId } = await uploadVideo();
    await work.drain();
    const unreadable = new Error('EIO: i/o error, read');
    const readUnreadable = () =>
      Promise.resolve(new Readable({ read: (): void => void 0 }).destroy(unreadable));
    const { once, close } = createTaskRunner(
      { ...ctx, storage: { ...storage, read: readUnreadable } },
      handlers,
    );
    const body = { custom: { url: sink.url } };
    const { task } = await exportAsset(owner, { id: assetId, body });
    await once();
    await close();
    expect(await taskRow(task.id)).toMatchObject({ phase: 'waiting', failedAttempts: 0, faults: 1 });
    await db.task.update({ where: { id: task.id }, data: { scheduledAt: null } });
  });
});

test('a run that outlasts an outage of the queue longer than its lock is not started a second time', async () => {
  const { taskId } = await uploadVideo();
  let release = (): void => undefined;
  const whenReleased = new Promise<void>((resolve) => (release = resolve));
  let runCount = 0;
  const { run, close } = createTaskRunner(ctx, {
    import: async (job) => {
      runCount += 1;
      await whenReleased;
      await importAssetJob(job);
    },
  });
  const job = { taskId, attempt: 0 };
  const leaseController = new AbortController();
  const first = run('local', job, leaseController.signal);
  await expect.poll(() => runCount).toBe(1);
  leaseController.abort();
  const second = run('local', job);
  release();
  await Promise.all([first, second]);
  await close();
  expect(runCount).toBe(1);
  expect(await taskRow(taskId)).toMatchObject({ phase: 'completed', retries: 0 });
});
