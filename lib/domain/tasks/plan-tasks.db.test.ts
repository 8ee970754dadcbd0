import { beforeEach, describe, expect, test } from 'vitest';
import type { TaskLane } from '@/lib/core/tasks/task-lanes';
import { newId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { startTask, isBehindInQueue, listDueTasks, planTasks, type LaneSlots, type PlannedTask } from '.';

const { ctx, db, createTeam } = createLiveFixtures(await testDatabase());
beforeEach(() => db.task.deleteMany());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function insert(teamId: string, lane: TaskLane, change: object = {}): Promise<string> {
  const id = newId();
  const row = {
    id,
    teamId,
    lane,
    type: 'import',
    params: {},
    phase: 'waiting' as const,
    scheduledAt: minutesAgo(1),
  };
  await db.task.create({ data: { ...row, ...change } });
  return id;
}
const running = { phase: 'running', startedAt: minutesAgo(2) };
const slots: LaneSlots = { transfer: 32, local: 3, encode: 1 };

/** Ids in the order in which their jobs run. */
async function idsOfPlan(tasks: Promise<PlannedTask[]>): Promise<string[]> {
  const waiting = (await tasks).filter(({ priority }) => priority !== null);
  return waiting.sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0)).map(({ taskId }) => taskId);
}
const dueIds = () => idsOfPlan(listDueTasks(ctx, slots));
const begin = (id: string, maxPerTeam = 5) => startTask(ctx, { id, attempt: 0 }, maxPerTeam);

describe('planned tasks', () => {
  test('are limited to the free slots of a team in each lane, oldest first', async () => {
    const [many, few] = [await createTeam(), await createTeam()];
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.push(await insert(many, 'transfer', { scheduledAt: minutesAgo(99 - n) }));
    for (let n = 0; n < 3; n++) await insert(many, 'encode', running);
    expect(await dueIds()).toEqual(ids.slice(0, 5));
    for (const id of ids.slice(0, 4)) expect(await begin(id)).toMatchObject({ id });
    expect(await dueIds()).toEqual([ids[4]]);
    await begin(ids[4] ?? '');
    expect(await dueIds()).toEqual([]);
    const first = await insert(few, 'transfer');
    const [local, next] = [await insert(many, 'local'), await insert(many, 'local')];
    expect((await dueIds()).sort()).toEqual([first, local, next].sort());
  });

  test('alternate between teams: the first of each team before the second of another', async () => {
    const [many, few] = [await createTeam(), await createTeam()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await insert(many, 'transfer', { scheduledAt: minutesAgo(9 - n) }));
    const first = await insert(few, 'transfer');
    expect((await dueIds()).slice(0, 2).sort()).toEqual([first, ids[0]].sort());
    await begin(ids[0] ?? '');
    expect((await dueIds())[0]).toBe(first);
  });

  test('start with the team that used the least encoding in the last hour', async () => {
    const [heavy, light, past] = [await createTeam(), await createTeam(), await createTeam()];
    // Half of a large task, released just now.
    const half = { cost: 1_000, progress: 0.5, startedAt: minutesAgo(1), scheduledAt: minutesAgo(50) };
    const large = await insert(heavy, 'encode', half);
    await insert(light, 'encode', { phase: 'completed', cost: 400, progress: 1, startedAt: minutesAgo(0.5) });
    const small = await insert(light, 'encode', { cost: 5_000 });
    const oldTask = { phase: 'completed', cost: 1e12, progress: 1, startedAt: minutesAgo(61) };
    await insert(past, 'encode', oldTask);
    const forgotten = await insert(past, 'encode');
    expect(await dueIds()).toEqual([forgotten, small, large]);
  });

  test('include running tasks, whose workers may have died, and exclude delayed and deleted ones and suspended teams', async () => {
    const teamId = await createTeam();
    const id = await insert(teamId, 'local', { ...running, attempt: 3 });
    await insert(teamId, 'local', { scheduledAt: null });
    await insert(teamId, 'local', { scheduledAt: new Date(Date.now() + 60_000) });
    await insert(teamId, 'local', { deletedAt: new Date() });
    await insert(teamId, 'local', { phase: 'completed' });
    await insert(await createTeam({ suspended: true }), 'local');
    const job = { taskId: id, attempt: 3, lane: 'local', delayMs: 0, priority: null };
    expect(await listDueTasks(ctx, slots)).toEqual([job]);
  });

  test('include the next task of a team when another one ends; a delayed task keeps its time', async () => {
    const [firstTeam, otherTeam] = [await createTeam(), await createTeam()];
    const endedTask = await insert(firstTeam, 'transfer', { phase: 'failed' });
    const next = await insert(firstTeam, 'transfer');
    const later = await insert(firstTeam, 'local', {
      attempt: 2,
      scheduledAt: new Date(Date.now() + 60_000),
    });
    await insert(otherTeam, 'transfer');
    expect(await idsOfPlan(planTasks(ctx, slots, [endedTask]))).toEqual([next]);
    const [, delayedTask] = await planTasks(ctx, slots, [later]);
    expect(delayedTask).toMatchObject({ taskId: later, attempt: 2, lane: 'local' });
    expect(delayedTask?.delayMs).toBeGreaterThan(50_000);
    expect(delayedTask?.delayMs).toBeLessThanOrEqual(60_000);
    expect(await planTasks(ctx, slots, [newId()])).toEqual([]);
  });
});

describe('startTask', () => {
  test('starts each attempt once, when it is due', async () => {
    const teamId = await createTeam();
    const id = await insert(teamId, 'local');
    const both = await Promise.all([begin(id), begin(id)]);
    expect(both.filter((run) => run !== null)).toMatchObject([{ id, attempt: 0, phase: 'running' }]);
    const change = { phase: 'waiting', attempt: 1, scheduledAt: new Date(Date.now() + 60_000) } as const;
    await db.task.update({ where: { id }, data: change });
    expect(await begin(id)).toBeNull();
    expect(await startTask(ctx, { id, attempt: 1 }, 5)).toBeNull();
  });

  test('starts no more tasks than a team has slots, even for concurrent calls', async () => {
    const teamId = await createTeam();
    const ids = await Promise.all(Array.from({ length: 8 }, () => insert(teamId, 'transfer')));
    await insert(teamId, 'encode', running);
    const runs = await Promise.all(ids.map((id) => begin(id, 3)));
    expect(runs.filter((run) => run !== null)).toHaveLength(3);
    expect(await begin(await insert(await createTeam({ suspended: true }), 'transfer'))).toBeNull();
  });
});

describe('isBehindInQueue', () => {
  const half = { ...running, cost: 1_000, progress: 0.5 };
  const overtaken = (teamId: string) => isBehindInQueue(ctx, { teamId }, 'encode');

  test('is true for another team that waits and used less encoding', async () => {
    const [big, other] = [await createTeam(), await createTeam()];
    await insert(big, 'encode', half);
    expect(await overtaken(big)).toBe(false);
    await insert(big, 'encode');
    await insert(other, 'local');
    await insert(other, 'encode', { scheduledAt: new Date(Date.now() + 60_000) });
    expect(await overtaken(big)).toBe(false);
    await insert(other, 'encode');
    expect(await overtaken(big)).toBe(true);
  });

  test('is false for a team that used more, has as many running tasks, or is suspended', async () => {
    const [big, greedy, busy, suspendedTeam] = [
      await createTeam(),
      await createTeam(),
      await createTeam(),
      await createTeam({ suspended: true }),
    ];
    await insert(big, 'encode', half);
    await insert(greedy, 'encode', { phase: 'completed', cost: 600, progress: 1, startedAt: minutesAgo(5) });
    await insert(busy, 'encode', running);
    for (const teamId of [greedy, busy, suspendedTeam]) await insert(teamId, 'encode');
    expect(await overtaken(big)).toBe(false);
  });
});
