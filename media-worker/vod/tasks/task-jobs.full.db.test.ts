import { afterEach, expect, test } from 'vitest';
import { importAsset } from '@/lib/domain/assets';
import { laneSlots } from '@/lib/core/tasks/task-lanes';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { hasRedis, createRedisServer } from '@/media-worker/kit/process/testing/redis-server';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { TaskFailure, type TaskHandler } from './task-job';
import { startTaskWorkers } from './testing/task-workers';

const { ctx, db, createTeamContext, taskRow } = createWorkerFixtures(await createTestDatabase(), {
  egressAllowCidrs: ['127.0.0.1/32'],
});
const owner = await createTeamContext();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const enqueueImport = async (path: string) => {
  const { task } = await importAsset(owner, { url: `http://127.0.0.1:9/${path}.mp4`, name: 'x' });
  return { taskId: task.id };
};

const title =
  'with Redis (needs redis-server): if the queue loses its jobs, each running and waiting task still runs exactly once';

test.runIf(hasRedis)(title, async () => {
  const redis = await createRedisServer();
  await redis.start();
  closing.push(() => redis.remove());
  const settings = { ...ctx.settings, redisUrl: redis.url };
  const releases = new Map<string, () => void>();
  const handler: TaskHandler = ({ task }) =>
    new Promise((_, reject) => releases.set(task.id, () => reject(new TaskFailure('done'))));
  const workers = startTaskWorkers({ ...ctx, settings }, { import: handler }, laneSlots(2), 50);
  closing.push(() => workers.close());
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push((await enqueueImport(`lost${n}`)).taskId);
  // The lane has more slots, but a team may use only five of them.
  await expect.poll(() => releases.size).toBe(5);
  redis.flush();
  for (let n = 0; n < 6; n++) {
    await expect.poll(() => releases.size).toBe(n === 0 ? 5 : 6);
    releases.get(ids[n] ?? '')?.();
  }
  for (const id of ids) {
    await expect.poll(async () => (await taskRow(id)).phase, { timeout: 60_000 }).toBe('failed');
    expect(await taskRow(id)).toMatchObject({ attempt: 0, retries: 0, errorMessage: 'done' });
  }
  expect(await db.task.count({ where: { phase: 'running' } })).toBe(0);
});
