import type { SystemContext } from '@/lib/context';
import type { TaskLane } from '@/lib/core/tasks/task-lanes';
import { faultHours, type InterruptionCause } from '@/lib/core/tasks/task-retry';
import {
  nextTaskState,
  taskPhaseAfter,
  taskPhasesBefore,
  type TaskEvent,
  type TaskState,
} from '@/lib/core/tasks/task-state';
import type { Prisma, Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import type { TaskRun } from './begin-task';
import { tellTask } from './tell-task';

type SystemTransaction = Omit<SystemContext, 'db'> & { readonly db: Transaction };

/** The row, as long as it is this run's and `event` is possible. */
const ours = ({ id, attempt }: TaskRun, event: TaskEvent['type']) => ({
  id,
  attempt,
  phase: { in: taskPhasesBefore(event) },
});
const over = { expectedAt: null };
/** What the run still writes changes nothing; the next one has a job of its own. */
const toNextRun = { attempt: { increment: 1 }, ...over };

type StateColumns = Pick<
  Task,
  'phase' | 'progress' | 'retries' | 'failedAttempts' | 'faults' | 'faultsSince'
>;

const stateOf = (row: StateColumns): TaskState => ({
  phase: row.phase,
  progress: row.progress,
  retries: row.retries,
  history: {
    failedAttempts: row.failedAttempts,
    faults: row.faults,
    faultsSince: row.faultsSince?.getTime() ?? null,
  },
});

const historyColumns = ({ history: { failedAttempts, faults, faultsSince } }: TaskState) => ({
  failedAttempts,
  faults,
  faultsSince: faultsSince === null ? null : new Date(faultsSince),
});

export interface TaskReport {
  /** 0 to 1; what is less than reported before changes nothing. */
  readonly progress: number;
  /** When it is expected to be done; null while nobody can tell. */
  readonly expectedAt: Date | null;
}

/**
 * How far the run is.
 * @returns the progress as it is now; null when the task is not this run's any more: cancelled, or taken for dead
 */
export async function reportTask(
  ctx: SystemContext,
  run: TaskRun,
  { progress, expectedAt }: TaskReport,
): Promise<number | null> {
  const before = await ctx.db.task.findFirst({ where: ours(run, 'progressed') });
  if (!before) return null;
  const next = nextTaskState(stateOf(before), { type: 'progressed', progress });
  if (!('state' in next)) return null;
  const risen = next.state.progress ?? 0;
  const now = ctx.clock.now();
  const { count } = await ctx.db.task.updateMany({
    where: ours(run, 'progressed'),
    data: {
      progress: risen,
      expectedAt,
      ...(risen === before.progress ? {} : { statusUpdatedAt: now, ...historyColumns(next.state) }),
    },
  });
  return count > 0 ? risen : null;
}

/** @returns false when the task is not this run's any more: the caller's transaction must not commit either */
export async function completeTask(
  tx: SystemTransaction,
  run: TaskRun,
  output: Prisma.InputJsonObject,
): Promise<boolean> {
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ours(run, 'completed'),
    data: {
      phase: taskPhaseAfter('completed'),
      progress: 1,
      output,
      statusUpdatedAt: tx.clock.now(),
      ...over,
    },
  });
  if (row) await tellTask(tx, 'task.completed', row);
  return row !== undefined;
}

/** No other try would end better. @returns the failed task, or null when it is not this run's any more */
export async function failTask(
  tx: SystemTransaction,
  run: TaskRun,
  errorMessage: string,
): Promise<Task | null> {
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ours(run, 'failed'),
    data: { phase: taskPhaseAfter('failed'), errorMessage, statusUpdatedAt: tx.clock.now(), ...over },
  });
  if (row) await tellTask(tx, 'task.failed', row);
  return row ?? null;
}

export interface TaskInterruption {
  readonly cause: InterruptionCause;
  /** In words for whoever asked for the task; shown while it waits. */
  readonly reason: string;
}

/**
 * Something failed that is not the fault of what was asked for: the task is tried again later, as
 * lib/core/tasks/task-retry.ts says.
 * @returns whether it will be tried again; null when it is not this run's any more
 */
export async function interruptTask(
  tx: SystemTransaction,
  run: TaskRun,
  { cause, reason }: TaskInterruption,
): Promise<{ readonly again: boolean; readonly task: Task } | null> {
  const before = await tx.db.task.findFirst({ where: ours(run, 'interrupted') });
  if (!before) return null;
  const now = tx.clock.now();
  const next = nextTaskState(stateOf(before), { type: 'interrupted', cause, at: now.getTime() });
  if (!('state' in next)) return null;
  if (next.retryAfterMs === null) {
    const words = next.gaveUp === 'faults' ? afterAllFaults(run, reason) : reason;
    const failed = await failTask(tx, run, words);
    return failed && { again: false, task: failed };
  }
  const [task] = await tx.db.task.updateManyAndReturn({
    where: ours(run, 'interrupted'),
    data: {
      phase: next.state.phase,
      retries: next.state.retries,
      ...historyColumns(next.state),
      errorMessage: reason,
      statusUpdatedAt: now,
      scheduledAt: new Date(now.getTime() + next.retryAfterMs),
      ...toNextRun,
    },
  });
  if (task) await tellTask(tx, 'task.updated', task);
  return task ? { again: true, task } : null;
}

const afterAllFaults = ({ id }: TaskRun, reason: string) =>
  `this server could not finish the task within ${faultHours} hours (${reason}); ` +
  `start it again with POST /api/task/${id}/retry`;

export interface TaskRelease {
  /** Where the task goes on; the lane it is in when left out. */
  readonly lane?: TaskLane;
  /** What the next run has to know, instead of what was noted before. */
  readonly work?: Prisma.InputJsonObject;
}

/** The run gives its task back: another one goes on with it at once, and nothing failed. */
export async function releaseTask(
  tx: SystemTransaction,
  run: TaskRun,
  change: TaskRelease = {},
): Promise<void> {
  const now = tx.clock.now();
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ours(run, 'released'),
    data: {
      phase: taskPhaseAfter('released'),
      scheduledAt: now,
      statusUpdatedAt: now,
      ...toNextRun,
      ...change,
    },
  });
  if (row) await tellTask(tx, 'task.updated', row);
}
