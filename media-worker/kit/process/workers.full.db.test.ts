import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  testQueueBehaviour,
  closeAfterEach,
  openTestQueues,
  sessionId,
  testImmediateStart,
} from './testing/queue-behaviour';
import { hasRedis, createRedisServer, type RedisServer } from './testing/redis-server';

const databaseUrl = await createTestDatabase();
closeAfterEach();

describe('workers on PostgreSQL', () =>
  testImmediateStart({ settings: { databaseUrl, redisUrl: undefined } }));

describe.skipIf(!hasRedis)('queues on Redis (apt-get install redis-server)', () => {
  let server: RedisServer | undefined;
  const backend = { settings: { databaseUrl, redisUrl: '' } };

  beforeAll(async () => {
    server = await createRedisServer();
    backend.settings.redisUrl = server.url;
    await server.start();
  });
  afterAll(() => server?.remove());

  testQueueBehaviour({
    settings: backend.settings,
    dropConnections: async () => {
      await server?.stop();
      await server?.start();
    },
    purge: () => Promise.resolve(server?.flush()),
  });

  testImmediateStart(backend);

  it('rejects jobs and reports an unhealthy queue while Redis is frozen', async () => {
    const queues = openTestQueues(backend);
    expect(await queues.health()).toBe(true);
    server?.process()?.kill('SIGSTOP');
    try {
      await expect(queues.enqueue('recordings', { sessionId }, { jobId: sessionId })).rejects.toThrow();
      expect(await queues.health()).toBe(false);
    } finally {
      server?.process()?.kill('SIGCONT');
    }
    await expect.poll(() => queues.health()).toBe(true);
  });
});
