import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { forgetRateLimits } from '@/lib/accounts';
import { openDatabase } from '@/lib/infra/db';
import { createSecrets } from '@/lib/infra/secrets';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { hasRedis, redisServer, type RedisServer } from '@/media-worker/process/testing/redis-server';
import { type LimitStore, openLimitStore } from './limit-store';
import { consumeGuess, createLimiters, limitSizes, type Limiters } from './rate-limit';

const databaseUrl = await testDatabase();
const { ctx, db } = liveFixtures(databaseUrl);
const log = { warn: vi.fn(), info: vi.fn() };
const opened: LimitStore[] = [];
afterAll(() => {
  for (const store of opened) store.close();
});

const sizes = {
  ...limitSizes,
  api: { points: 4, seconds: 600 },
  password: { points: 3, seconds: 600 },
  reveal: { points: 4, seconds: 600 },
};

/** The limiters of a process of its own. */
function processOn(redisUrl?: string, own = db): Limiters {
  const store = openLimitStore({
    ...{ settings: { redisUrl }, db: own, log },
    secrets: createSecrets('secret'.repeat(8)),
  });
  opened.push(store);
  return createLimiters(sizes, store);
}

const consumed = async (limiters: Limiters, name: keyof typeof sizes, key: string, times: number) => {
  const states = [];
  for (let time = 0; time < times; time += 1) states.push(await limiters.consume(name, key));
  return states.map(({ remaining, exceeded }) => (exceeded ? 'exceeded' : remaining));
};

/** The same on both stores. @param open a new process */
function sharedCounting(open: () => Promise<Limiters>) {
  test('two processes count together, and tell callers so', async () => {
    const [one, other] = [await open(), await open()];
    expect(await consumed(one, 'reveal', 'shared', 2)).toEqual([3, 2]);
    expect(await consumed(other, 'reveal', 'shared', 3)).toEqual([1, 0, 'exceeded']);
    expect(await consumed(one, 'reveal', 'shared', 2)).toEqual(['exceeded', 'exceeded']);
    expect(await consumed(one, 'reveal', 'another', 1)).toEqual([3]);
    expect(await consumed(one, 'password', 'shared', 1)).toEqual([2]);
    const { reset, limit } = await other.consume('reveal', 'shared');
    expect([reset > 500 && reset <= 600, limit]).toEqual([true, 4]);
  });

  test('two processes count API requests together, also after the limit', async () => {
    const [one, other] = [await open(), await open()];
    expect(await consumed(one, 'api', 'requests', 2)).toEqual([3, 2]);
    expect(await consumed(other, 'api', 'requests', 5)).toEqual([1, 0, 'exceeded', 'exceeded', 'exceeded']);
    expect(await consumed(one, 'api', 'requests', 2)).toEqual(['exceeded', 'exceeded']);
  });

  test('of many guesses at once, as many as the limit allows are checked', async () => {
    const processes = [await open(), await open()];
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, guess) =>
        consumeGuess(processes[guess % 2] as Limiters, [['password', 'many']]),
      ),
    );
    expect(guesses.filter(({ refused }) => refused === null)).toHaveLength(3);
  });

  test('what one process refunds, another may take', async () => {
    const [one, other] = [await open(), await open()];
    const guess = await consumeGuess(one, [['password', 'refunded']]);
    expect(await consumed(other, 'password', 'refunded', 3)).toEqual([1, 0, 'exceeded']);
    await other.refund('password', 'refunded');
    await guess.refund();
    expect(await consumed(other, 'password', 'refunded', 2)).toEqual([0, 'exceeded']);
  });

  test('a refund of what has not been counted changes nothing', async () => {
    const limiters = await open();
    await limiters.refund('password', 'never');
    expect(await consumed(limiters, 'password', 'never', 1)).toEqual([2]);
  });
}

describe('in PostgreSQL', () => {
  sharedCounting(() => Promise.resolve(processOn()));

  test('no email or address can be read, whatever its length', async () => {
    const email = `${'x'.repeat(250)}@example.com`;
    await processOn().consume('signInPerEmail', email);
    const rows = await db.rateLimit.findMany({ where: { key: { startsWith: 'signInPerEmail:' } } });
    expect(rows.map(({ key }) => key)).toEqual([expect.stringMatching(/^signInPerEmail:[\w-]{22}$/)]);
  });

  test('a count that has started again is removed, others stay', async () => {
    await processOn().consume('password', 'kept');
    const before = await db.rateLimit.count();
    await db.rateLimit.create({ data: { key: 'old', points: 1, expire: BigInt(Date.now() - 61_000) } });
    expect(await forgetRateLimits(ctx)).toBe(1);
    expect(await db.rateLimit.count()).toBe(before);
  });

  test('while it is away, the limits hold for each process', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
    const [one, other] = [processOn(undefined, away), processOn(undefined, away)];
    expect(await consumed(one, 'password', 'a', 4)).toEqual([2, 1, 0, 'exceeded']);
    await one.refund('password', 'a');
    await one.refund('password', 'a');
    expect(await consumed(one, 'password', 'a', 2)).toEqual([0, 'exceeded']);
    expect(await consumed(other, 'password', 'a', 1)).toEqual([2]);
    await away.$disconnect();
  });
});

describe.skipIf(!hasRedis)('in Redis (apt-get install redis-server)', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await redisServer();
    await redis.start();
  });
  afterAll(() => redis.remove());

  /** Waits until Redis has what a process counts. */
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
  const connected = () => counting(processOn(redis.url));

  sharedCounting(connected);

  test('while it is away, the limits hold for each process, and together when it is back', async () => {
    const limiters = await connected();
    log.warn.mockClear();
    await redis.stop();
    expect(await consumed(limiters, 'password', 'away', 4)).toEqual([2, 1, 0, 'exceeded']);
    expect(await consumed(limiters, 'api', 'away', 5)).toEqual([3, 2, 1, 0, 'exceeded']);
    await expect.poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
    await redis.start();
    const [other] = [await connected(), await counting(limiters)];
    expect(log.info).toHaveBeenCalled();
    expect(await consumed(other, 'password', 'back', 1)).toEqual([2]);
    expect(await consumed(limiters, 'password', 'back', 1)).toEqual([1]);
  });

  test('while it is frozen, requests wait at most a second, and then not at all', async () => {
    const limiters = await connected();
    redis.process()?.kill('SIGSTOP');
    try {
      expect(await consumed(limiters, 'password', 'frozen', 4)).toEqual([2, 1, 0, 'exceeded']);
      // Until the connection is given up.
      await expect
        .poll(
          async () => {
            const late = after(500, 'late');
            return Promise.race([late, limiters.consume('api', 'frozen').then(() => 'at once')]);
          },
          { interval: 200 },
        )
        .toBe('at once');
    } finally {
      redis.process()?.kill('SIGCONT');
    }
  });
});
