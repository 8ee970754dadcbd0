import { beforeEach, describe, expect, test } from 'vitest';
import type { TaskLane } from '@/lib/core/task-lanes';
import { newId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { claimTask, findLostTurns, isOvertaken } from '.';

const { ctx, db, account } = liveFixtures(await testDatabase());
beforeEach(() => db.task.deleteMany());

const types = ['import', 'export', 'transcode'];
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function insert(userId: string, lane: TaskLane, change: object = {}): Promise<string> {
  const id = newId();
  const row = {
    id,
    userId,
    lane,
    type: 'import',
    params: {},
    phase: 'waiting' as const,
    scheduledAt: minutesAgo(1),
  };
  await db.task.create({ data: { ...row, ...change } });
  return id;
}
const claim = async (lane: TaskLane, mostOfAccount = 5) => claimTask(ctx, { lane, types, mostOfAccount });
const running = { phase: 'running', startedAt: minutesAgo(2), lease: newId() };

describe('claimTask', () => {
  test('gives only tasks of its lane', async () => {
    const id = await insert(await account(), 'transfer');
    expect(await claim('local')).toBeNull();
    expect((await claim('transfer'))?.id).toBe(id);
  });

  test('an account gets so many places of a lane and no more, whatever it has in others', async () => {
    const [many, few] = [await account(), await account()];
    for (let n = 0; n < 4; n++) await insert(many, 'transfer', { scheduledAt: minutesAgo(9 - n) });
    for (let n = 0; n < 3; n++) await insert(many, 'encode', running);
    expect((await claim('transfer', 2))?.userId).toBe(many);
    expect((await claim('transfer', 2))?.userId).toBe(many);
    expect(await claim('transfer', 2)).toBeNull();
    const id = await insert(few, 'transfer');
    expect((await claim('transfer', 2))?.id).toBe(id);
  });

  test('prefers the account that got the least encoding in the last hour', async () => {
    const [heavy, light, past] = [await account(), await account(), await account()];
    // Half of a large one, given back a moment ago.
    const half = { cost: 1_000, progress: 0.5, startedAt: minutesAgo(1), scheduledAt: minutesAgo(50) };
    const large = await insert(heavy, 'encode', half);
    await insert(light, 'encode', { phase: 'completed', cost: 400, progress: 1, startedAt: minutesAgo(0.5) });
    const small = await insert(light, 'encode', { cost: 5_000 });
    const before = { phase: 'completed', cost: 1e12, progress: 1, startedAt: minutesAgo(61) };
    await insert(past, 'encode', before);
    const forgotten = await insert(past, 'encode');
    const order = [];
    for (let n = 0; n < 3; n++) order.push((await claim('encode'))?.id);
    expect(order).toEqual([forgotten, small, large]);
  });
});

describe('isOvertaken', () => {
  const half = { ...running, cost: 1_000, progress: 0.5 };
  const overtaken = (userId: string) => isOvertaken(ctx, { userId }, 'encode');

  test('by another account that waits and got no more', async () => {
    const [big, other] = [await account(), await account()];
    await insert(big, 'encode', half);
    expect(await overtaken(big)).toBe(false);
    await insert(big, 'encode');
    await insert(other, 'local');
    await insert(other, 'encode', { scheduledAt: new Date(Date.now() + 60_000) });
    expect(await overtaken(big)).toBe(false);
    await insert(other, 'encode');
    expect(await overtaken(big)).toBe(true);
  });

  test('not by one that got more, that has as many places, or that is suspended', async () => {
    const [big, greedy, busy, suspended] = [
      await account(),
      await account(),
      await account(),
      await account({ suspended: true }),
    ];
    await insert(big, 'encode', half);
    await insert(greedy, 'encode', { phase: 'completed', cost: 600, progress: 1, startedAt: minutesAgo(5) });
    await insert(busy, 'encode', { ...running, lease: newId() });
    for (const userId of [greedy, busy, suspended]) await insert(userId, 'encode');
    expect(await overtaken(big)).toBe(false);
  });
});

test('a run whose lease ran out is lost, unless its process says that it goes on', async () => {
  const userId = await account();
  const lost = { ...running, leaseUntil: minutesAgo(1) };
  const [dead, alive] = [newId(), newId()];
  const id = await insert(userId, 'local', { ...lost, lease: dead });
  await insert(userId, 'local', { ...lost, lease: alive });
  expect(await findLostTurns(ctx, [alive])).toEqual([{ id, lease: dead }]);
  expect(await findLostTurns(ctx)).toHaveLength(2);
});
