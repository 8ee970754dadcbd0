import { beforeEach, describe, expect, test } from 'vitest';
import type { TaskLane } from '@/lib/core/tasks/task-lanes';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { startTask, isBehindInQueue, listDueTasks, planTasks, type LaneSlots, type PlannedTask } from '.';

const { ctx, db, createTeam } = createLiveFixtures(await createTestDatabase());
beforeEach(() => db.task.deleteMany());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Creates a task that is due. `columns` are those that differ. */
async function insertTask(teamId: string, lane: TaskLane, columns: object = {}): Promise<string> {
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
  await db.task.create({ data: { ...row, ...columns } });
  return id;
}
const runningColumns = { phase: 'running', startedAt: minutesAgo(2) };
/** A team gets all slots of a lane but one, at least 1 and at most 5. */
const slots: LaneSlots = { transfer: 32, local: 3, encode: 1 };

/** Ids in the order in which their jobs run. */
async function idsOfPlan(tasks: Promise<PlannedTask[]>): Promise<string[]> {
  const waitingTasks = (await tasks).filter(({ priority }) => priority !== null);
  return waitingTasks.sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0)).map(({ taskId }) => taskId);
}
const readDueIds = () => idsOfPlan(listDueTasks(ctx, slots));
const startAttempt = (id: string, maxPerTeam = 5) => startTask(ctx, { id, attempt: 0 }, maxPerTeam);

describe('planned tasks', () => {
  test('are limited to the free slots of a team in each lane, oldest first', async () => {
    const [busyTeam, otherTeam] = [await createTeam(), await createTeam()];
    const ids: string[] = [];
    for (let n = 0; n < 9; n++)
      ids.push(await insertTask(busyTeam, 'transfer', { scheduledAt: minutesAgo(99 - n) }));
    for (let n = 0; n < 3; n++) await insertTask(busyTeam, 'encode', runningColumns);
    expect(await readDueIds()).toEqual(ids.slice(0, 5));
    for (const id of ids.slice(0, 4)) expect(await startAttempt(id)).toMatchObject({ id });
    expect(await readDueIds()).toEqual([ids[4]]);
    await startAttempt(ids[4] ?? '');
    expect(await readDueIds()).toEqual([]);
    const otherIds = [
      await insertTask(otherTeam, 'transfer'),
      await insertTask(busyTeam, 'local'),
      await insertTask(busyTeam, 'local'),
    ];
    expect((await readDueIds()).sort()).toEqual(otherIds.sort());
  });

  test('alternate between teams: the first of each team before the second of another', async () => {
    const [busyTeam, otherTeam] = [await createTeam(), await createTeam()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.push(await insertTask(busyTeam, 'transfer', { scheduledAt: minutesAgo(9 - n) }));
    const otherTeamId = await insertTask(otherTeam, 'transfer');
    expect((await readDueIds()).slice(0, 2).sort()).toEqual([otherTeamId, ids[0]].sort());
    await startAttempt(ids[0] ?? '');
    expect((await readDueIds())[0]).toBe(otherTeamId);
  });

  test('start with the team that used the least encoding in the last hour', async () => {
    const [heavyTeam, lightTeam, inactiveTeam] = [await createTeam(), await createTeam(), await createTeam()];
    // Half of a large task, released just now.
    const halfDone = { cost: 1_000, progress: 0.5, startedAt: minutesAgo(1), scheduledAt: minutesAgo(50) };
    const taskOfHeavy = await insertTask(heavyTeam, 'encode', halfDone);
    await insertTask(lightTeam, 'encode', {
      phase: 'completed',
      cost: 400,
      progress: 1,
      startedAt: minutesAgo(0.5),
    });
    const taskOfLight = await insertTask(lightTeam, 'encode', { cost: 5_000 });
    const oldTask = { phase: 'completed', cost: 1e12, progress: 1, startedAt: minutesAgo(61) };
    await insertTask(inactiveTeam, 'encode', oldTask);
    const taskOfInactive = await insertTask(inactiveTeam, 'encode');
    // Encoding in the last hour: none, 400, and 1,000 × 0.5.
    expect(await readDueIds()).toEqual([taskOfInactive, taskOfLight, taskOfHeavy]);
  });

  test('include running tasks, whose workers may have died, and exclude delayed and deleted ones and suspended teams', async () => {
    const teamId = await createTeam();
    const id = await insertTask(teamId, 'local', { ...runningColumns, attempt: 3 });
    await insertTask(teamId, 'local', { scheduledAt: null });
    await insertTask(teamId, 'local', { scheduledAt: new Date(Date.now() + 60_000) });
    await insertTask(teamId, 'local', { deletedAt: new Date() });
    await insertTask(teamId, 'local', { phase: 'completed' });
    await insertTask(await createTeam({ suspended: true }), 'local');
    const job = { taskId: id, attempt: 3, lane: 'local', delayMs: 0, priority: null };
    expect(await listDueTasks(ctx, slots)).toEqual([job]);
  });

  test('include the next task of a team when another one ends; a delayed task keeps its time', async () => {
    const [firstTeam, otherTeam] = [await createTeam(), await createTeam()];
    const endedTask = await insertTask(firstTeam, 'transfer', { phase: 'failed' });
    const nextId = await insertTask(firstTeam, 'transfer');
    const delayedId = await insertTask(firstTeam, 'local', {
      attempt: 2,
      scheduledAt: new Date(Date.now() + 60_000),
    });
    await insertTask(otherTeam, 'transfer');
    expect(await idsOfPlan(planTasks(ctx, slots, [endedTask]))).toEqual([nextId]);
    const [, delayedTask] = await planTasks(ctx, slots, [delayedId]);
    expect(delayedTask).toMatchObject({ taskId: delayedId, attempt: 2, lane: 'local' });
    expect(delayedTask?.delayMs).toBeGreaterThan(50_000);
    expect(delayedTask?.delayMs).toBeLessThanOrEqual(60_000);
    expect(await planTasks(ctx, slots, [newId()])).toEqual([]);
  });
});

describe('startTask', () => {
  test('starts each attempt once, when it is due', async () => {
    const teamId = await createTeam();
    const id = await insertTask(teamId, 'local');
    const attempts = await Promise.all([startAttempt(id), startAttempt(id)]);
    expect(attempts.filter((run) => run !== null)).toMatchObject([{ id, attempt: 0, phase: 'running' }]);
    const releasedColumns = {
      phase: 'waiting',
      attempt: 1,
      scheduledAt: new Date(Date.now() + 60_000),
    } as const;
    await db.task.update({ where: { id }, data: releasedColumns });
    expect(await startAttempt(id)).toBeNull();
    expect(await startTask(ctx, { id, attempt: 1 }, 5)).toBeNull();
  });

  test('starts no more tasks than a team has slots, even for concurrent calls, and none of a suspended team', async () => {
    const teamId = await createTeam();
    const ids = await Promise.all(Array.from({ length: 8 }, () => insertTask(teamId, 'transfer')));
    await insertTask(teamId, 'encode', runningColumns);
    const runs = await Promise.all(ids.map((id) => startAttempt(id, 3)));
    expect(runs.filter((run) => run !== null)).toHaveLength(3);
    expect(
      await startAttempt(await insertTask(await createTeam({ suspended: true }), 'transfer')),
    ).toBeNull();
  });
});

describe('isBehindInQueue', () => {
  const halfDone = { ...runningColumns, cost: 1_000, progress: 0.5 };
  const isBehind = (teamId: string) => isBehindInQueue(ctx, { teamId }, 'encode');

  test('is true for another team that waits and used less encoding', async () => {
    const [runningTeam, waitingTeam] = [await createTeam(), await createTeam()];
    await insertTask(runningTeam, 'encode', halfDone);
    expect(await isBehind(runningTeam)).toBe(false);
    await insertTask(runningTeam, 'encode');
    await insertTask(waitingTeam, 'local');
    await insertTask(waitingTeam, 'encode', { scheduledAt: new Date(Date.now() + 60_000) });
    expect(await isBehind(runningTeam)).toBe(false);
    await insertTask(waitingTeam, 'encode');
    expect(await isBehind(runningTeam)).toBe(true);
  });

  test('is false for a team that used more, has as many running tasks, or is suspended', async () => {
    const [runningTeam, heavyTeam, teamWithRunningTask, suspendedTeam] = [
      await createTeam(),
      await createTeam(),
      await createTeam(),
      await createTeam({ suspended: true }),
    ];
    await insertTask(runningTeam, 'encode', halfDone);
    await insertTask(heavyTeam, 'encode', {
      phase: 'completed',
      cost: 600,
      progress: 1,
      startedAt: minutesAgo(5),
    });
    await insertTask(teamWithRunningTask, 'encode', runningColumns);
    for (const teamId of [heavyTeam, teamWithRunningTask, suspendedTeam]) await insertTask(teamId, 'encode');
    expect(await isBehind(runningTeam)).toBe(false);
  });
});
