import { describe, expect, test } from 'vitest';
import { expireRateLimits } from '@/lib/domain/accounts';
import { openDatabase } from '@/lib/infra/db';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/domain/testing/live-fixtures';
import { consumed, limiterProcesses, sharedCounting } from './testing/limit-behaviour';

const { ctx, db } = liveFixtures(await testDatabase());
const { processOn } = limiterProcesses(db);

describe('in PostgreSQL', () => {
  sharedCounting(() => Promise.resolve(processOn()));

  test('the store contains no readable email or address of any length', async () => {
    const email = `${'x'.repeat(250)}@example.com`;
    await processOn().consume('signInPerEmail', email);
    const rows = await db.rateLimit.findMany({ where: { key: { startsWith: 'signInPerEmail:' } } });
    expect(rows.map(({ key }) => key)).toEqual([expect.stringMatching(/^signInPerEmail:[\w-]{22}$/)]);
  });

  test('a reset count is deleted, others stay', async () => {
    await processOn().consume('password', 'kept');
    const rowsBefore = await db.rateLimit.count();
    await db.rateLimit.create({ data: { key: 'old', points: 1, expire: BigInt(Date.now() - 61_000) } });
    expect(await expireRateLimits(ctx)).toBe(1);
    expect(await db.rateLimit.count()).toBe(rowsBefore);
  });

  test('while the store is down, the limits hold per process', async () => {
    const away = openDatabase('postgres://unknown@127.0.0.1:1/none');
    const [firstProcess, secondProcess] = [processOn(undefined, away), processOn(undefined, away)];
    expect(await consumed(firstProcess, 'password', 'a', 4)).toEqual([2, 1, 0, 'exceeded']);
    await firstProcess.refund('password', 'a');
    await firstProcess.refund('password', 'a');
    expect(await consumed(firstProcess, 'password', 'a', 2)).toEqual([0, 'exceeded']);
    expect(await consumed(secondProcess, 'password', 'a', 1)).toEqual([2]);
    await away.$disconnect();
  });
});
