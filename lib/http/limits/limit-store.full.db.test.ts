import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/domain/testing/live-fixtures';
import { hasRedis, redisServer, type RedisServer } from '@/media-worker/kit/process/testing/redis-server';
import type { Limiters } from './rate-limit';
import { consumed, limiterProcesses, sharedCounting } from './testing/limit-behaviour';

const { db } = liveFixtures(await testDatabase());
const { log, processOn } = limiterProcesses(db);

describe.skipIf(!hasRedis)('in Redis (apt-get install redis-server)', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await redisServer();
    await redis.start();
  });
  afterAll(() => redis.remove());

  /** Waits until Redis has the counts of a process. */
  const counting = async (limiters: Limiters): Promise<Limiters> => {
    const witness = processOn(redis.url);
    await expect
      .poll(async () => {
        const key = String(Math.random());
        await limiters.consume('api', key);
        return (await witness.consume('api', key)).remaining;
      })
      .toBe(2);
    return limiters;
  };
  const connectedProcess = () => counting(processOn(redis.url));

  sharedCounting(connectedProcess);

  test('while the store is down, the limits hold per process, and together when it is back', async () => {
    const limiters = await connectedProcess();
    log.warn.mockClear();
    await redis.stop();
    expect(await consumed(limiters, 'password', 'away', 4)).toEqual([2, 1, 0, 'exceeded']);
    expect(await consumed(limiters, 'api', 'away', 5)).toEqual([3, 2, 1, 0, 'exceeded']);
    await expect.poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
    await redis.start();
    const [newProcess] = [await connectedProcess(), await counting(limiters)];
    expect(log.info).toHaveBeenCalled();
    expect(await consumed(newProcess, 'password', 'back', 1)).toEqual([2]);
    expect(await consumed(limiters, 'password', 'back', 1)).toEqual([1]);
  });

  test('while the store is frozen, requests wait at most a second, and then not at all', async () => {
    const limiters = await connectedProcess();
    redis.process()?.kill('SIGSTOP');
    try {
      expect(await consumed(limiters, 'password', 'frozen', 4)).toEqual([2, 1, 0, 'exceeded']);
      // Waits until the connection is given up.
      await expect
        .poll(
          async () => {
            const late = after(500, 'late');
            return Promise.race([late, limiters.consume('api', 'frozen').then(() => 'immediate')]);
          },
          { interval: 200 },
        )
        .toBe('immediate');
    } finally {
      redis.process()?.kill('SIGCONT');
    }
  });
});
