import { afterEach, expect, test } from 'vitest';
import { cancelTask, importAsset } from '@/lib/domain/assets';
import { laneSlots } from '@/lib/core/tasks/task-lanes';
import { metrics } from '@/lib/infra/metrics/metrics';
import { countOf } from '@/lib/infra/metrics/testing/metric-value';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { RemoteFailure, TaskFailure, type TaskHandler } from './task-job';
import { startTaskWorkers } from './testing/task-workers';

const { ctx, createTeamContext, taskRow, assetRow } = createWorkerFixtures(await createTestDatabase(), {
  egressAllowCidrs: ['127.0.0.1/32'],
});
const owner = await createTeamContext();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function startWorkers(handler: TaskHandler, { settings = ctx.settings, reportMs = 50 } = {}) {
  const workers = startTaskWorkers({ ...ctx, settings }, { import: handler }, laneSlots(2), reportMs);
  closing.push(() => workers.close());
  return workers;
}

const enqueueImport = async (path: string) => {
  const { asset, task } = await importAsset(owner, { url: `http://127.0.0.1:9/${path}.mp4`, name: 'x' });
  return { assetId: asset.id, taskId: task.id };
};

const runsOf = (outcome: string) => countOf(metrics.taskDuration, { type: 'import', outcome });

/** A handler that runs until its signal is aborted, and counts its runs. */
function createHangingHandler() {
  const counts = { started: 0, ended: 0 };
  const handler: TaskHandler = ({ signal }) => {
    counts.started += 1;
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        counts.ended += 1;
        reject(signal.reason as Error);
      }),
    );
  };
  return { counts, handler };
}

test('a cancelled task stops without waiting for its next report', async () => {
  const { counts, handler } = createHangingHandler();
  startWorkers(handler, { reportMs: 3_600_000 });
  const { assetId, taskId } = await enqueueImport('cancelled');
  await expect.poll(() => counts.started).toBe(1);
  await cancelTask(owner, taskId);
  await expect.poll(() => counts.ended).toBe(1);
  expect(await taskRow(taskId)).toMatchObject({ phase: 'cancelled', attempt: 0, errorMessage: null });
  expect(await assetRow(assetId)).toMatchObject({ phase: 'failed', errorMessage: 'cancelled' });
});

test('a task that was cancelled before its start is not started', async () => {
  const startedTasks: string[] = [];
  const failedRuns = await runsOf('failed');
  const { taskId } = await enqueueImport('never');
  await cancelTask(owner, taskId);
  startWorkers((job) => {
    startedTasks.push(job.task.id);
    return Promise.reject(new TaskFailure('no'));
  });
  const next = await enqueueImport('next');
  await expect.poll(async () => (await taskRow(next.taskId)).phase).toBe('failed');
  expect(startedTasks).toEqual([next.taskId]);
  await expect.poll(() => runsOf('failed')).toBe(failedRuns + 1);
});

test('workers that stop release their tasks, and the next workers continue immediately', async () => {
  const { counts, handler } = createHangingHandler();
  const first = startWorkers(handler);
  const releasedRuns = await runsOf('released');
  const { taskId } = await enqueueImport('given-back');
  await expect.poll(() => counts.started).toBe(1);
  await first.close();
  expect(await runsOf('released')).toBe(releasedRuns + 1);
  expect(await taskRow(taskId)).toMatchObject({ phase: 'waiting', attempt: 1, retries: 0 });
  startWorkers(handler);
  await expect.poll(() => counts.started).toBe(2);
  expect(await taskRow(taskId)).toMatchObject({ phase: 'running', attempt: 1, retries: 0 });
  await cancelTask(owner, taskId);
});

test('a retried task gets a job at the time in its row', async () => {
  let runCount = 0;
  const { queues } = startWorkers(() => {
    runCount += 1;
    return Promise.reject(new RemoteFailure('the file server answered 503'));
  });
  const { taskId } = await enqueueImport('again');
  await expect.poll(async () => (await taskRow(taskId)).retries).toBe(1);
  const delayedCount = async () => (await queues.counts()).find(({ name }) => name === 'transfers')?.delayed;
  await expect.poll(delayedCount).toBe(1);
  expect(runCount).toBe(1);
  await cancelTask(owner, taskId);
});
