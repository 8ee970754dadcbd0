import { describe, expect, test } from 'vitest';
import { transact, type TeamContext } from '@/lib/domain/context';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { completeTask, startTask, getTask, listTasks, reportTaskProgress } from '.';

const { ctx: system, db, createTeam } = createLiveFixtures(await createTestDatabase());
const startMs = Date.UTC(2026, 0, 1);

const createTeamContext = async (): Promise<TeamContext> => ({
  ...system,
  actor: { kind: 'cli', teamId: await createTeam() },
});

/** Creates a task. `columns` are those that differ from a new import. */
async function insertTask(ctx: TeamContext, columns: object = {}): Promise<string> {
  const id = newId();
  const row = { id, teamId: ctx.actor.teamId, type: 'import', params: {}, createdAt: new Date(startMs) };
  await db.task.create({ data: { ...row, ...columns } });
  return id;
}

const idsOf = async (ctx: TeamContext, query: Parameters<typeof listTasks>[1] = {}) =>
  (await listTasks(ctx, query)).items.map(({ id }) => id);

describe('getTask', () => {
  test('returns a finished import with its output, without sealed values', async () => {
    const ctx = await createTeamContext();
    const output = {
      import: {
        videoFilePath: 'a/video',
        metadataFilePath: 'a/metadata.json',
        assetSpec: {
          hash: [],
          name: 'a.mp4',
          size: 1,
          type: 'video',
          videoSpec: { format: 'mp4', duration: 1, tracks: [] },
        },
      },
    };
    const id = await insertTask(ctx, {
      phase: 'completed',
      progress: 1,
      retries: 1,
      output,
      credentialsSealed: Buffer.from('sealed-bytes'),
      statusUpdatedAt: new Date(startMs + 5),
    });
    const task = await getTask(ctx, id);
    expect(task).toEqual({
      id,
      userId: ctx.actor.teamId,
      type: 'import',
      createdAt: startMs,
      params: {},
      output,
      status: { phase: 'completed', updatedAt: startMs + 5, progress: 1, retries: 1 },
    });
  });

  test('returns progress and error of a failed task, without output', async () => {
    const ctx = await createTeamContext();
    const status = { progress: 0.5, errorMessage: 'video codec is HEVC; H.264 is accepted' };
    const failedTask = await getTask(ctx, await insertTask(ctx, { phase: 'failed', output: {}, ...status }));
    expect(failedTask.status).toMatchObject({ phase: 'failed', ...status });
    expect(failedTask).not.toHaveProperty('output');
  });

  test('returns an estimated end while the task runs, which follows its progress', async () => {
    const ctx = await createTeamContext();
    await db.task.updateMany({ data: { scheduledAt: null } });
    const id = await insertTask(ctx, { scheduledAt: new Date(startMs) });
    const run = { id, attempt: 0 };
    expect((await startTask(system, run, 1))?.id).toBe(id);
    expect((await getTask(ctx, id)).status).not.toHaveProperty('expectedAt');
    for (const [progress, expectedAt] of [
      [0.25, startMs + 3_000],
      [0.5, startMs + 2_500],
    ] as const) {
      await reportTaskProgress(system, run, { progress, expectedAt: new Date(expectedAt) });
      expect((await getTask(ctx, id)).status).toMatchObject({ phase: 'running', progress, expectedAt });
    }
    await db.task.update({ where: { id }, data: { phase: 'waiting' } });
    expect((await getTask(ctx, id)).status).not.toHaveProperty('expectedAt');
  });

  test('does not find deleted and unknown tasks, and tasks of other teams', async () => {
    const [owner, otherTeam] = [await createTeamContext(), await createTeamContext()];
    const id = await insertTask(owner);
    const deletedTask = await insertTask(owner, { deletedAt: new Date() });
    for (const [ctx, taskId] of [
      [otherTeam, id],
      [owner, deletedTask],
      [owner, newId()],
    ] as const) {
      await expect(getTask(ctx, taskId)).rejects.toMatchObject({ code: 'not_found', message: 'not found' });
    }
  });
});

describe('completeTask', () => {
  test('accepts the current run only, once', async () => {
    const id = await insertTask(await createTeamContext(), { phase: 'running', attempt: 2 });
    const complete = (attempt: number) => transact(system, (tx) => completeTask(tx, { id, attempt }, {}));
    expect(await complete(1)).toBe(false);
    expect(await complete(2)).toBe(true);
    expect(await complete(2)).toBe(false);
  });
});

describe('listTasks', () => {
  test('returns the tasks of the team, most recent first; the parameter `name` has no effect', async () => {
    const ctx = await createTeamContext();
    const ids: string[] = [];
    for (const offsetMs of [3, 2, 1])
      ids.push(await insertTask(ctx, { createdAt: new Date(startMs + offsetMs) }));
    await insertTask(ctx, { deletedAt: new Date() });
    await insertTask(await createTeamContext());
    expect(await idsOf(ctx)).toEqual(ids);
    for (const name of ['asc', 'desc', 'whatever', '']) expect(await idsOf(ctx, { name })).toEqual(ids);
    expect(await idsOf(ctx, { order: 'createdAt-false', limit: '1' })).toEqual(ids.slice(2));
  });

  test('filters by type, phase and asset', async () => {
    const ctx = await createTeamContext();
    const asset = await db.asset.create({
      data: {
        teamId: ctx.actor.teamId,
        name: 'x',
        playbackId: newId().slice(0, 16),
        sourceType: 'directUpload',
      },
    });
    const matchingId = await insertTask(ctx, { type: 'export', phase: 'running', inputAssetId: asset.id });
    await insertTask(ctx);
    for (const filter of [
      { id: 'type', value: 'export' },
      { id: 'phase', value: 'running' },
      { id: 'inputAssetId', value: asset.id },
    ]) {
      expect(await idsOf(ctx, { filters: JSON.stringify([filter]) })).toEqual([matchingId]);
    }
    await expect(
      listTasks(ctx, { filters: '[{"id":"credentialsSealed","value":"x"}]' }),
    ).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test('sorts phases alphabetically, and filters by a substring of the phase; pages contain every row once', async () => {
    const ctx = await createTeamContext();
    const idsByPhase = new Map<string, string[]>();
    for (const phase of [...taskMachine.states, ...taskMachine.states]) {
      idsByPhase.set(phase, [...(idsByPhase.get(phase) ?? []), await insertTask(ctx, { phase })].sort());
    }
    const sortedStates = [...taskMachine.states].sort();
    for (const order of ['phase-false', 'phase-true']) {
      const listedIds: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await listTasks(ctx, { order, limit: '3', ...(cursor ? { cursor } : {}) });
        listedIds.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      const phases = order === 'phase-false' ? sortedStates : sortedStates.toReversed();
      expect(listedIds).toEqual(phases.flatMap((phase) => idsByPhase.get(phase) ?? []));
    }
    const matchingIds = await idsOf(ctx, { filters: '[{"id":"phase","value":"ED"}]', order: 'phase-false' });
    const endedPhases = ['cancelled', 'completed', 'failed'];
    expect(matchingIds).toEqual(endedPhases.flatMap((phase) => idsByPhase.get(phase) ?? []));
    expect(await idsOf(ctx, { filters: '[{"id":"phase","value":"nope"}]' })).toEqual([]);
  });

  test('pages contain every row once; an index has the default order', async () => {
    const ctx = await createTeamContext();
    const row = { teamId: ctx.actor.teamId, type: 'import', params: {} };
    await db.task.createMany({
      data: Array.from({ length: 2_000 }, (_, index) => ({
        ...row,
        createdAt: new Date(startMs + (index % 40)),
      })),
    });
    const listedIds: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof listTasks>> = await listTasks(ctx, {
        limit: '333',
        cursor,
        count: '1',
      });
      expect(page.total).toBe(2_000);
      listedIds.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(listedIds).toHaveLength(2_000);
    expect(new Set(listedIds).size).toBe(2_000);

    await db.$executeRaw`analyze "Task"`;
    const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      explain select * from "Task" where "teamId" = ${ctx.actor.teamId}::uuid and "deletedAt" is null
      order by "createdAt" desc, "id" asc limit 21`;
    const planText = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(planText).toContain('Index Scan');
    expect(planText).not.toContain('Sort');
  });
});
