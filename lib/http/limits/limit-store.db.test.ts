import { describe, expect, onTestFinished, test } from 'vitest';
import { expireRateLimits } from '@/lib/domain/accounts';
import { openDatabase } from '@/lib/infra/db';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { consumeRepeatedly, openLimiterProcesses, describeSharedLimits } from './testing/limit-behaviour';

const { ctx, db } = createLiveFixtures(await createTestDatabase());
const { openProcess } = openLimiterProcesses(db);

describe('rate limits in PostgreSQL', () => {
  describeSharedLimits(() => Promise.resolve(openProcess()));

  test('the store contains digests instead of email addresses', async () => {
    const email = `${'x'.repeat(250)}@example.com`;
    await openProcess().consume('signInPerEmail', email);
    const rows = await db.rateLimit.findMany({ where: { key: { startsWith: 'signInPerEmail:' } } });
    expect(rows.map(({ key }) => key)).toEqual([expect.stringMatching(/^signInPerEmail:[\w-]{22}$/)]);
  });

  test('expired counts are deleted, others are kept', async () => {
    await openProcess().consume('password', 'kept');
    const rowsBefore = await db.rateLimit.count();
    await db.rateLimit.create({ data: { key: 'old', points: 1, expire: BigInt(Date.now() - 61_000) } });
    expect(await expireRateLimits(ctx)).toBe(1);
    expect(await db.rateLimit.count()).toBe(rowsBefore);
  });

  test('while the store is down, each process enforces the limits on its own', async () => {
    const unreachableDatabase = openDatabase('postgres://unknown@127.0.0.1:1/none');
    onTestFinished(() => unreachableDatabase.$disconnect());
    const [firstProcess, secondProcess] = [
      openProcess(undefined, unreachableDatabase),
      openProcess(undefined, unreachableDatabase),
    ];
    expect(await consumeRepeatedly(firstProcess, 'password', 'a', 4)).toEqual([2, 1, 0, 'exceeded']);
    await firstProcess.refund('password', 'a');
    await firstProcess.refund('password', 'a');
    expect(await consumeRepeatedly(firstProcess, 'password', 'a', 2)).toEqual([0, 'exceeded']);
    expect(await consumeRepeatedly(secondProcess, 'password', 'a', 1)).toEqual([2]);
  });
});
