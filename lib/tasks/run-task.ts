import type { SystemContext } from '@/lib/context';
import { nextTaskState, taskPhaseOf } from '@/lib/core/task-state';
import type { Prisma, Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { notify } from '@/lib/infra/notifications';
import { leaseUntil, type TaskTurn } from './claim-task';
import { tellTask } from './tell-task';

type SystemTransaction = Omit<SystemContext, 'db'> & { readonly db: Transaction };

const ours = ({ id, lease }: TaskTurn) => ({ id, lease, phase: 'running' });
const over = { lease: null, leaseUntil: null, expectedAt: null };

export interface TaskReport {
  /** 0 to 1; what is less than reported before changes nothing. */
  readonly progress: number;
  /** When it is expected to be done; null while nobody can tell. */
  readonly expectedAt: Date | null;
}

/**
 * The run is alive, and so far.
 * @returns the progress as it is now; null when the task is not this run's any more: cancelled, or taken for dead
 */
export async function renewTask(
  ctx: SystemContext,
  turn: TaskTurn,
  { progress, expectedAt }: TaskReport,
): Promise<number | null> {
  const before = await ctx.db.task.findFirst({ where: ours(turn), select: { progress: true } });
  if (!before) return null;
  const state = { phase: 'running', progress: before.progress, retries: 0 } as const;
  const next = nextTaskState(state, { type: 'progressed', progress });
  const risen = 'state' in next ? (next.state.progress ?? 0) : 0;
  const now = ctx.clock.now();
  const { count } = await ctx.db.task.updateMany({
    where: ours(turn),
    data: {
      leaseUntil: leaseUntil(now),
      progress: risen,
      expectedAt,
      ...(risen === before.progress ? {} : { statusUpdatedAt: now }),
    },
  });
  return count > 0 ? risen : null;
}

/** @returns false when the task is not this run's any more: the caller's transaction must not commit either */
export async function completeTask(
  tx: SystemTransaction,
  turn: TaskTurn,
  output: Prisma.InputJsonObject,
): Promise<boolean> {
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ours(turn),
    data: { phase: 'completed', progress: 1, output, statusUpdatedAt: tx.clock.now(), ...over },
  });
  if (row) await tellTask(tx, 'task.completed', row);
  return row !== undefined;
}

/** No other try would end better. @returns the failed task, or null when it is not this run's any more */
export async function failTask(
  tx: SystemTransaction,
  turn: TaskTurn,
  errorMessage: string,
): Promise<Task | null> {
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ours(turn),
    data: { phase: 'failed', errorMessage, statusUpdatedAt: tx.clock.now(), ...over },
  });
  if (row) await tellTask(tx, 'task.failed', row);
  return row ?? null;
}

/**
 * Something outside failed: it is tried again later, at most twice (api-contract §6).
 * @param immediately for a process that died: nothing says that the next one will
 * @returns whether it will be tried again; null when it is not this run's any more
 */
export async function interruptTask(
  tx: SystemTransaction,
  turn: TaskTurn,
  { reason, immediately }: { readonly reason: string; readonly immediately: boolean },
): Promise<{ readonly again: boolean; readonly task: Task } | null> {
  const before = await tx.db.task.findFirst({ where: ours(turn) });
  if (!before) return null;
  const { phase, progress, retries } = before;
  const next = nextTaskState({ phase: taskPhaseOf(phase), progress, retries }, { type: 'interrupted' });
  if (!('state' in next)) return null;
  if (next.retryAfterMs === null) {
    const failed = await failTask(tx, turn, reason);
    return failed && { again: false, task: failed };
  }
  const now = tx.clock.now();
  const [task] = await tx.db.task.updateManyAndReturn({
    where: ours(turn),
    data: {
      phase: next.state.phase,
      retries: next.state.retries,
      errorMessage: reason,
      statusUpdatedAt: now,
      scheduledAt: new Date(now.getTime() + (immediately ? 0 : next.retryAfterMs)),
      ...over,
    },
  });
  if (task) await tellTask(tx, 'task.updated', task);
  return task ? { again: true, task } : null;
}

/** The worker ends: another one goes on at once, and this was no failure. */
export async function releaseTask(tx: SystemTransaction, turn: TaskTurn): Promise<void> {
  const now = tx.clock.now();
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ours(turn),
    data: { phase: 'waiting', scheduledAt: now, statusUpdatedAt: now, ...over },
  });
  if (!row) return;
  await notify(tx.db, 'task_due', turn.id);
  await tellTask(tx, 'task.updated', row);
}

/** Runs whose process says nothing any more, oldest first. */
export async function findLostTurns(ctx: SystemContext): Promise<TaskTurn[]> {
  const rows = await ctx.db.task.findMany({
    where: { phase: 'running', leaseUntil: { lt: ctx.clock.now() } },
    select: { id: true, lease: true },
    orderBy: { leaseUntil: 'asc' },
    take: 50,
  });
  return rows.flatMap(({ id, lease }) => (lease === null ? [] : [{ id, lease }]));
}
