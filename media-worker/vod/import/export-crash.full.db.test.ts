import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { exportAsset } from '@/lib/domain/assets';
import { startReceiver } from '@/lib/infra/testing/receiver';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { importAssetJob } from './import-asset';
import {
  createJobsProcesses,
  killAndWait,
  pollForValue,
} from '@/media-worker/vod/tasks/testing/jobs-process';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';

const fixtures = createWorkerFixtures(await createTestDatabase(), { egressAllowCidrs: ['127.0.0.1/32'] });
const { ctx, db, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const processes = createJobsProcesses(ctx.settings, process.env.PATH);
/** Receives the file of every request, and never answers the first one. */
const sink = await startReceiver((_, response) => {
  if (sink.received.length > 1) response.end();
});
afterAll(async () => {
  await processes.end();
  await sink.close();
  samples.remove();
});

test('an export whose process is killed restarts and emits one event', async () => {
  const path = samples.make('film.mp4');
  const { assetId } = await receiveFile(fixtures, owner, path);
  const work = createTaskRunner(ctx, { import: importAssetJob });
  await work.drain();
  await work.close();
  const first = processes.start();
  const { task } = await exportAsset(owner, { id: assetId, body: { custom: { url: `${sink.url}/x` } } });
  await sink.waitForRequests(1);
  await killAndWait(first);
  const { startedAt: before } = await taskRow(task.id);

  await db.node.deleteMany();
  processes.start();
  await pollForValue(async () => {
    const { startedAt } = await taskRow(task.id);
    return startedAt && startedAt > (before ?? startedAt) ? startedAt : undefined;
  }, 20);
  await expect.poll(async () => (await taskRow(task.id)).phase).toBe('completed');
  expect(await taskRow(task.id)).toMatchObject({ retries: 1, failedAttempts: 0, errorMessage: null });
  expect(sink.received.map(({ body }) => body)).toEqual(Array(2).fill(readFileSync(path).toString()));
  const events = await db.event.count({
    where: { name: 'task.completed', payload: { path: ['payload', 'task', 'id'], equals: task.id } },
  });
  expect(events).toBe(1);
});
