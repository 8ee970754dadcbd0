import { transact, type SystemContext } from '@/lib/context';
import type { TaskLane } from '@/lib/core/tasks/task-lanes';
import { taskPhaseAfter, taskPhasesBefore } from '@/lib/core/tasks/task-state';
import { Prisma, type Task } from '@/lib/generated/prisma/client';
import { tellTask } from './tell-task';

/** One run of a task. Everything it writes names its attempt, so that a run whose task went on elsewhere changes nothing. */
export interface TaskRun {
  readonly id: string;
  readonly attempt: number;
}

/** The row of a task as its run began. */
export type RunningTask = Task;

/** So far back counts what an account was served. */
const rememberedMs = 3_600_000;

/** The encoding that an account got lately in a lane, in the unit of `cost`. */
export const usedIn = (userId: Prisma.Sql, lane: Prisma.Sql, now: Date): Prisma.Sql => Prisma.sql`(
  select coalesce(sum(r."cost" * r."progress"), 0) from "Task" r
  where r."userId" = ${userId} and r."lane" = ${lane}
    and (r."phase" = 'running' or r."startedAt" > ${new Date(now.getTime() - rememberedMs)}))`;

/** The tasks of an account that run in a lane. */
export const runningIn = (userId: Prisma.Sql, lane: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  select count(*) from "Task" r
  where r."userId" = ${userId} and r."lane" = ${lane} and r."phase" = 'running')`;

/**
 * Begins the run that a job asks for.
 * @param mostOfAccount tasks of one account at the same moment in the lane
 * @returns null when it is not due any more, or its account has no place left: another job comes when it has one
 */
export async function beginTask(
  ctx: SystemContext,
  { id, attempt }: TaskRun,
  mostOfAccount: number,
): Promise<RunningTask | null> {
  return transact(ctx, async (tx) => {
    const now = tx.clock.now();
    // Until this transaction ends, no other task of the account begins.
    const [due] = await tx.db.$queryRaw<{ userId: string; lane: string }[]>`
      select t."userId", t."lane" from "Task" t join "Account" a on a."id" = t."userId" and not a."suspended"
      where t."id" = ${id}::uuid and t."attempt" = ${attempt} and t."phase" in ('pending', 'waiting')
        and t."scheduledAt" <= ${now} and t."deletedAt" is null
      for no key update of a`;
    if (!due) return null;
    const { userId, lane } = due;
    const running = await tx.db.task.count({ where: { userId, lane, phase: taskPhaseAfter('started') } });
    if (running >= mostOfAccount) return null;
    const [row] = await tx.db.task.updateManyAndReturn({
      where: { id, attempt, phase: { in: taskPhasesBefore('started') }, scheduledAt: { lte: now } },
      data: { phase: taskPhaseAfter('started'), startedAt: now, statusUpdatedAt: now, errorMessage: null },
    });
    if (row) await tellTask(tx, 'task.updated', row);
    return row ?? null;
  });
}

/**
 * Whether a running task should give its place to another account that waits in the same lane: one with fewer running
 * tasks that got no more encoding in the last hour.
 */
export async function isOvertaken(
  ctx: SystemContext,
  { userId }: Pick<RunningTask, 'userId'>,
  lane: TaskLane,
): Promise<boolean> {
  const now = ctx.clock.now();
  const [inLane, own, other] = [
    Prisma.sql`${lane}`,
    Prisma.sql`${userId}::uuid`,
    Prisma.sql`due."userId"`,
  ] as const;
  const [found] = await ctx.db.$queryRaw<{ userId: string }[]>`
    with due as (
      select distinct t."userId" from "Task" t
      join "Account" a on a."id" = t."userId" and not a."suspended"
      where t."phase" in ('pending', 'waiting') and t."scheduledAt" <= ${now} and t."deletedAt" is null
        and t."lane" = ${lane} and t."userId" <> ${own})
    select due."userId" from due
    where ${runningIn(other, inLane)} < ${runningIn(own, inLane)}
      and ${usedIn(other, inLane, now)} <= ${usedIn(own, inLane, now)}
    limit 1`;
  return found !== undefined;
}
