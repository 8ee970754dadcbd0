import { afterAll, expect, test } from 'vitest';
import { exportAsset } from '@/lib/domain/assets';
import { startReceiver } from '@/lib/infra/testing/receiver';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createJobsProcesses, killAndWait, pollForValue } from './testing/jobs-process';
import { receiveFile } from './testing/received-file';
import { createTaskRunner } from './testing/run-tasks';

const fixtures = createWorkerFixtures(await createTestDatabase(), { egressAllowCidrs: ['127.0.0.1/32'] });
const { ctx, db, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const processes = createJobsProcesses(ctx.settings, process.env.PATH);
const releases: (() => void)[] = [];
/** Receives exports; the first request is answered only on command. */
const sink = await startReceiver((_, response) => {
  if (sink.received.length > 1) response.end();
  else releases.push(() => response.end());
});
afterAll(async () => {
  await processes.end();
  await sink.close();
  samples.remove();
});

test('a worker that was frozen for longer than its lock changes nothing when it resumes', async () => {
  const { assetId } = await receiveFile(fixtures, owner, samples.make('film.mp4'));
  const work = createTaskRunner(ctx, { import: importAssetJob });
  await work.drain();
  await work.close();
  const exportTask = async (path: string) =>
    (await exportAsset(owner, { id: assetId, body: { custom: { url: `${sink.url}/${path}` } } })).task.id;
  const isCompleted = (id: string) =>
    pollForValue(async () => (await taskRow(id)).phase === 'completed' || undefined, 20);

  const frozen = processes.start();
  const taskId = await exportTask('first');
  await sink.waitForRequests(1);
  frozen.kill('SIGSTOP');
  const otherProcess = processes.start();
  await isCompleted(taskId);
  const completedRow = await taskRow(taskId);
  expect(completedRow).toMatchObject({ attempt: 1, retries: 1, failedAttempts: 0, errorMessage: null });

  await killAndWait(otherProcess);
  frozen.kill('SIGCONT');
  releases[0]?.();
  // The worker keeps working, so it has read the answer to its first export.
  await isCompleted(await exportTask('second'));
  await isCompleted(await exportTask('third'));
  expect(await taskRow(taskId)).toEqual(completedRow);
  expect(sink.received).toHaveLength(4);
  const eventCount = await db.event.count({
    where: { name: 'task.completed', payload: { path: ['payload', 'task', 'id'], equals: taskId } },
  });
  expect(eventCount).toBe(1);
});
