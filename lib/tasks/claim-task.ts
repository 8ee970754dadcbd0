import { transact, type SystemContext } from '@/lib/context';
import type { Task } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { tellTask } from './tell-task';

/** One run of a task. Everything it writes names the lease, so that a run that was given up changes nothing. */
export interface TaskTurn {
  readonly id: string;
  readonly lease: string;
}

export type ClaimedTask = Task & { readonly lease: string };

/** A run that says nothing for so long is over: its process died. */
const leaseMs = 10_000;
/** Of one account at the same moment (api-contract §2.2). */
const mostRunning = 5;

export const leaseUntil = (now: Date): Date => new Date(now.getTime() + leaseMs);

/**
 * Takes the next task that is due. Accounts take turns: the one with the fewest running tasks first, then the one that
 * was served longest ago, so a hundred tasks of one do not delay the first of another.
 * @returns null when nothing is due, or another process was faster
 */
export async function claimTask(ctx: SystemContext, types: readonly string[]): Promise<ClaimedTask | null> {
  const now = ctx.clock.now();
  const lease = newId();
  const [next] = await ctx.db.$queryRaw<{ id: string }[]>`
    with due as (
      select distinct on (t."userId") t."id", t."userId", t."scheduledAt"
      from "Task" t join "Account" a on a."id" = t."userId" and not a."suspended"
      where t."phase" in ('pending', 'waiting') and t."scheduledAt" <= ${now} and t."deletedAt" is null
        and t."type" = any(${types})
      order by t."userId", t."scheduledAt", t."id")
    select due."id" from due, lateral (
      select count(*) filter (where r."phase" = 'running') as running, max(r."startedAt") as served
      from "Task" r where r."userId" = due."userId" and r."startedAt" is not null) account
    where account.running < ${mostRunning}
    order by account.running, account.served nulls first, due."scheduledAt", due."id"
    limit 1`;
  if (!next) return null;
  return transact(ctx, async (tx) => {
    const [row] = await tx.db.task.updateManyAndReturn({
      where: { id: next.id, phase: { in: ['pending', 'waiting'] }, scheduledAt: { lte: now } },
      data: {
        phase: 'running',
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
