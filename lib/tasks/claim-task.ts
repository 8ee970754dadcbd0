import { transact, type SystemContext } from '@/lib/context';
import type { TaskLane } from '@/lib/core/task-lanes';
import { taskPhaseAfter, taskPhasesBefore } from '@/lib/core/task-state';
import { Prisma, type Task } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { tellTask } from './tell-task';

/** One run of a task. Everything it writes names the lease, so that a run that was given up changes nothing. */
export interface TaskTurn {
  readonly id: string;
  readonly lease: string;
}

export type ClaimedTask = Task & { readonly lease: string };

export interface Claim {
  readonly lane: TaskLane;
  readonly types: readonly string[];
  /** Of one account at the same moment in this lane. */
  readonly mostOfAccount: number;
}

/** A run that says nothing for so long is over: its process died. */
const leaseMs = 10_000;
/** So far back counts what an account was served. */
const rememberedMs = 3_600_000;

export const leaseUntil = (now: Date): Date => new Date(now.getTime() + leaseMs);

/** The first due task of each account in a lane. */
const dueIn = (lane: TaskLane, now: Date) => Prisma.sql`
  select distinct on (t."userId") t."id", t."userId", t."scheduledAt", t."type"
  from "Task" t join "Account" a on a."id" = t."userId" and not a."suspended"
  where t."phase" in ('pending', 'waiting') and t."scheduledAt" <= ${now} and t."deletedAt" is null
    and t."lane" = ${lane}`;

/** What an account has of a lane now, when it was served last, and how much encoding it got lately. */
const shareOf = (lane: TaskLane, now: Date, userId: Prisma.Sql) => Prisma.sql`
  select count(*) filter (where r."phase" = 'running') as running, max(r."startedAt") as served,
    coalesce(sum(r."cost" * r."progress"), 0) as used
  from "Task" r
  where r."userId" = ${userId} and r."lane" = ${lane} and r."startedAt" is not null
    and (r."phase" = 'running' or r."startedAt" > ${new Date(now.getTime() - rememberedMs)})`;

/**
 * Takes the next task that is due in a lane. Accounts take turns: the one with the fewest running tasks there first, then
 * the one that got the least encoding in the last hour, then the one that was served longest ago. So a hundred tasks of
 * one, or one that lasts an hour, do not delay the first of another.
 * @returns null when nothing is due, or another process was faster
 */
export async function claimTask(
  ctx: SystemContext,
  { lane, types, mostOfAccount }: Claim,
): Promise<ClaimedTask | null> {
  const now = ctx.clock.now();
  const lease = newId();
  const [next] = await ctx.db.$queryRaw<{ id: string }[]>`
    with due as (${dueIn(lane, now)} and t."type" = any(${types})
      order by t."userId", t."scheduledAt", t."id")
    select due."id" from due, lateral (${shareOf(lane, now, Prisma.sql`due."userId"`)}) account
    where account.running < ${mostOfAccount}
    order by account.running, account.used, account.served nulls first, due."scheduledAt", due."id"
    limit 1`;
  if (!next) return null;
  return transact(ctx, async (tx) => {
    const [row] = await tx.db.task.updateManyAndReturn({
      where: { id: next.id, phase: { in: taskPhasesBefore('started') }, scheduledAt: { lte: now } },
      data: {
        phase: taskPhaseAfter('started'),
        lease,
        leaseUntil: leaseUntil(now),
        startedAt: now,
        statusUpdatedAt: now,
        errorMessage: null,
      },
    });
    if (!row) return null;
    await tellTask(tx, 'task.updated', row);
    return { ...row, lease };
  });
}

/**
 * Whether a running task should give its place to another account that waits in the same lane: one with fewer running
 * tasks that got no more encoding in the last hour.
 */
export async function isOvertaken(
  ctx: SystemContext,
  { userId }: Pick<ClaimedTask, 'userId'>,
  lane: TaskLane,
): Promise<boolean> {
  const now = ctx.clock.now();
  const [found] = await ctx.db.$queryRaw<{ id: string }[]>`
    with due as (${dueIn(lane, now)} and t."userId" <> ${userId}::uuid
      order by t."userId", t."scheduledAt", t."id")
    select due."id" from due,
      lateral (${shareOf(lane, now, Prisma.sql`due."userId"`)}) other,
      lateral (${shareOf(lane, now, Prisma.sql`${userId}::uuid`)}) own
    where other.running < own.running and other.used <= own.used
    limit 1`;
  return found !== undefined;
}
