import { Client } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { openQueues } from '@/lib/infra/queue/queue';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  testQueueBehaviour,
  closeAfterEach,
  countsOf,
  silentLog,
  openBullQueue,
  openTestQueues,
  recordingsHandlers,
  type Run,
  sessionId,
  startTestWorkers,
} from './testing/queue-behaviour';

const databaseUrl = await createTestDatabase();
closeAfterEach();

async function runSql(text: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

describe('queues on PostgreSQL', () => {
  testQueueBehaviour({
    settings: { databaseUrl, redisUrl: undefined },
    dropConnections: () =>
      runSql(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    purge: () => runSql('truncate queue.job, queue.scheduler, queue.metrics cascade'),
  });

  it('wakes workers that missed the notification of a job, but does not resume a paused queue', async () => {
    const backend = { settings: { databaseUrl, redisUrl: undefined } };
    const queues = openTestQueues(backend);
    const run = vi.fn<Run>(() => Promise.resolve());
    startTestWorkers(backend, recordingsHandlers(run));
    const add = () => queues.enqueue('recordings', { sessionId }, { jobId: sessionId });
    await add();
    await expect.poll(() => run).toHaveBeenCalledTimes(1);
    // A job that already runs is not added again.
    await expect.poll(() => countsOf(queues, 'recordings')).toMatchObject({ waiting: 0, active: 0 });
    const toolQueue = openBullQueue(backend, 'recordings');
    await toolQueue.pause();
    await add();
    await queues.wake('recordings');
    expect(await toolQueue.isPaused()).toBe(true);
    await runSql(`delete from queue.meta where field = 'paused'`);
    await queues.wake('recordings');
    await expect.poll(() => run).toHaveBeenCalledTimes(2);
  });

  it('is unhealthy and rejects jobs while its server is unreachable', async () => {
    const url = 'postgresql://unknown@127.0.0.1:1/none';
    const queues = openQueues({ databaseUrl: url, redisUrl: undefined }, silentLog);
    expect(await queues.health()).toBe(false);
    await expect(queues.enqueue('recordings', { sessionId }, { jobId: sessionId })).rejects.toThrow();
    await queues.close();
  });
});
