import { HOUR_MS } from '@/lib/core/units';
import { transact, type SystemContext } from '@/lib/domain/context';
import type { TaskLane } from '@/lib/core/tasks/task-lanes';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { Prisma, type Task } from '@/lib/generated/prisma/client';
import { emitTaskEvent } from './emit-task-event';

/** A run of a task. All its writes require its attempt number, so a run that lost its task changes nothing. */
export interface TaskRun {
  readonly id: string;
  readonly attempt: number;
}

/** The row of a task whose run has started. */
export type RunningTask = Task;

/** Period in which the encoding of a team counts towards its priority. */
const USAGE_WINDOW_MS = HOUR_MS;

/** SQL expression for the recent encoding of a team in a lane, in the unit of `cost`. */
export const usedEncodingSql = (teamId: Prisma.Sql, lane: Prisma.Sql, now: Date): Prisma.Sql => Prisma.sql`(
  select coalesce(sum(r."cost" * r."progress"), 0) from "Task" r
  where r."teamId" = ${teamId} and r."lane" = ${lane}
    and (r."phase" = 'running' or r."startedAt" > ${new Date(now.getTime() - USAGE_WINDOW_MS)}))`;

/** SQL expression for the number of tasks of a team that run in a lane. */
export const runningTasksSql = (teamId: Prisma.Sql, lane: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  select count(*) from "Task" r
  where r."teamId" = ${teamId} and r."lane" = ${lane} and r."phase" = 'running')`;

/**
 * Starts the run of a job.
 * @param maxPerTeam maximum running tasks per team in the lane
 * @returns null if the task is no longer due, or its team has no free slot; another job is added when a slot becomes free
 */
export async function startTask(
  ctx: SystemContext,
  { id, attempt }: TaskRun,
  maxPerTeam: number,
): Promise<RunningTask | null> {
  return transact(ctx, async (tx) => {
    const now = tx.clock.now();
    // The lock prevents other tasks of the team from starting until this transaction ends.
    const [dueTask] = await tx.db.$queryRaw<{ teamId: string; lane: string }[]>`
      select t."teamId", t."lane" from "Task" t join "Team" owner on owner."id" = t."teamId" and not owner."suspended"
      where t."id" = ${id}::uuid and t."attempt" = ${attempt} and t."phase" in ('pending', 'waiting')
        and t."scheduledAt" <= ${now} and t."deletedAt" is null
      for no key update of owner`;
    if (!dueTask) return null;
    const { teamId, lane } = dueTask;
    const runningCount = await tx.db.task.count({
      where: { teamId, lane, phase: taskMachine.stateAfter('started') },
    });
    if (runningCount >= maxPerTeam) return null;
    const [row] = await tx.db.task.updateManyAndReturn({
      where: { id, attempt, phase: { in: taskMachine.statesBefore('started') }, scheduledAt: { lte: now } },
      data: {
        phase: taskMachine.stateAfter('started'),
        startedAt: now,
        statusUpdatedAt: now,
        errorMessage: null,
      },
    });
    if (row) await emitTaskEvent(tx, 'task.updated', row);
    return row ?? null;
  });
}

/**
 * Whether a running task should yield its slot to another team that waits in the same lane, has fewer running tasks and
 * used no more encoding in the last hour.
 */
export async function isBehindInQueue(
  ctx: SystemContext,
  { teamId }: Pick<RunningTask, 'teamId'>,
  lane: TaskLane,
): Promise<boolean> {
  const now = ctx.clock.now();
  // Fragments of SQL; `due` is the table below.
  const [inLane, ofTeam, ofOtherTeams] = [
    Prisma.sql`${lane}`,
    Prisma.sql`${teamId}::uuid`,
    Prisma.sql`due."teamId"`,
  ] as const;
  const [waitingTask] = await ctx.db.$queryRaw<{ teamId: string }[]>`
    with due as (
      select distinct t."teamId" from "Task" t
      join "Team" owner on owner."id" = t."teamId" and not owner."suspended"
      where t."phase" in ('pending', 'waiting') and t."scheduledAt" <= ${now} and t."deletedAt" is null
        and t."lane" = ${lane} and t."teamId" <> ${ofTeam})
    select due."teamId" from due
    where ${runningTasksSql(ofOtherTeams, inLane)} < ${runningTasksSql(ofTeam, inLane)}
      and ${usedEncodingSql(ofOtherTeams, inLane, now)} <= ${usedEncodingSql(ofTeam, inLane, now)}
    limit 1`;
  return waitingTask !== undefined;
}
