import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import {
  hasRedis,
  createRedisServer,
  type RedisServer,
} from '@/media-worker/kit/process/testing/redis-server';
import type { Limiters } from './rate-limit';
import { consumeRepeatedly, openLimiterProcesses, describeSharedLimits } from './testing/limit-behaviour';

const { db } = createLiveFixtures(await createTestDatabase());
const { log, openProcess } = openLimiterProcesses(db);

describe.skipIf(!hasRedis)('rate limits in Redis (apt-get install redis-server)', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await createRedisServer();
    await redis.start();
  });
  afterAll(() => redis.remove());

  /** Waits until another process sees the counts of these limiters in Redis. */
  const waitForStore = async (limiters: Limiters): Promise<Limiters> => {
    const otherProcess = openProcess(redis.url);
    await expect
      .poll(async () => {
        const key = String(Math.random());
        await limiters.consume('api', key);
        return (await otherProcess.consume('api', key)).remaining;
      })
      // Of the four points, each process has consumed one.
      .toBe(2);
    return limiters;
  };
  const openConnectedProcess = () => waitForStore(openProcess(redis.url));

  describeSharedLimits(openConnectedProcess);

  test('while the store is down, each process enforces the limits on its own; afterwards all processes share them', async () => {
    const limiters = await openConnectedProcess();
    log.warn.mockClear();
    await redis.stop();
    expect(await consumeRepeatedly(limiters, 'password', 'outage', 4)).toEqual([2, 1, 0, 'exceeded']);
    expect(await consumeRepeatedly(limiters, 'api', 'outage', 5)).toEqual([3, 2, 1, 0, 'exceeded']);
    await expect.poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
    await redis.start();
    const [newProcess] = [await openConnectedProcess(), await waitForStore(limiters)];
    expect(log.info).toHaveBeenCalled();
    expect(await consumeRepeatedly(newProcess, 'password', 'after the outage', 1)).toEqual([2]);
    expect(await consumeRepeatedly(limiters, 'password', 'after the outage', 1)).toEqual([1]);
  });

  test('while the store is frozen, requests are still limited, and after a while they no longer wait for it', async () => {
    const limiters = await openConnectedProcess();
    redis.process()?.kill('SIGSTOP');
    try {
      expect(await consumeRepeatedly(limiters, 'password', 'frozen', 4)).toEqual([2, 1, 0, 'exceeded']);
      // Waits until the client closes the frozen connection.
      await expect
        .poll(
          async () => {
            const timeout = delay(500, 'late');
            return Promise.race([timeout, limiters.consume('api', 'frozen').then(() => 'immediate')]);
          },
          { interval: 200 },
        )
        .toBe('immediate');
    } finally {
      redis.process()?.kill('SIGCONT');
    }
  });
});
