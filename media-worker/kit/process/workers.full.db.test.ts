import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import {
  behavesAsQueue,
  closeAfterEach,
  queuesOf,
  sessionId,
  startsImmediately,
} from './testing/queue-behaviour';
import { hasRedis, redisServer, type RedisServer } from './testing/redis-server';

const databaseUrl = await testDatabase();
closeAfterEach();

describe('workers on PostgreSQL', () =>
  startsImmediately({ settings: { databaseUrl, redisUrl: undefined } }));

describe.skipIf(!hasRedis)('queues on Redis (apt-get install redis-server)', () => {
  let server: RedisServer | undefined;
  const backend = { settings: { databaseUrl, redisUrl: '' } };

  beforeAll(async () => {
    server = await redisServer();
    backend.settings.redisUrl = server.url;
    await server.start();
  });
  afterAll(() => server?.remove());
  const end = async () => server?.stop();

  behavesAsQueue({
    settings: backend.settings,
    interrupt: async () => {
      await end();
      await server?.start();
    },
    lose: () => Promise.resolve(server?.flush()),
  });

  startsImmediately(backend);

  it('gives up on a frozen Redis', async () => {
    const queues = queuesOf(backend);
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
