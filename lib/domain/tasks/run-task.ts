import type { SystemContext, InTransaction } from '@/lib/domain/context';
import type { TaskLane } from '@/lib/core/tasks/task-lanes';
import { FAULT_HOURS, type InterruptionCause } from '@/lib/core/tasks/task-retry';
import { nextTaskState, taskMachine, type TaskEvent, type TaskState } from '@/lib/core/tasks/task-state';
import type { Prisma, Task } from '@/lib/generated/prisma/client';
import type { TaskRun } from './start-task';
import { emitTaskEvent } from './emit-task-event';

/** Prisma `where` object that matches the task while this run owns it and `event` is possible. */
const ownedRunFilter = ({ id, attempt }: TaskRun, event: TaskEvent['type']) => ({
  id,
  attempt,
  phase: { in: taskMachine.statesBefore(event) },
});
const noEstimateColumns = { expectedAt: null };
/**
 * Columns that release a task. The higher attempt number invalidates later writes of this run, and gives the next run its
 * own job.
 */
const nextRunColumns = { attempt: { increment: 1 }, ...noEstimateColumns };

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

/** Progress of a run. */
export interface TaskProgress {
  /** Progress from 0 to 1; a value below the stored one is ignored. */
  readonly progress: number;
  /** Estimated end; null if unknown. */
  readonly expectedAt: Date | null;
}

/**
 * Reports the progress of a run.
 * @returns the stored progress; null if this run lost its task, because the task was cancelled or the run was considered
 * dead
 */
export async function reportTaskProgress(
  ctx: SystemContext,
  run: TaskRun,
  { progress, expectedAt }: TaskProgress,
): Promise<number | null> {
  const runningTask = await ctx.db.task.findFirst({ where: ownedRunFilter(run, 'progressed') });
  if (!runningTask) return null;
  const transition = nextTaskState(stateOf(runningTask), { type: 'progressed', progress });
  if (!transition) return null;
  const storedProgress = transition.state.progress ?? 0;
  const now = ctx.clock.now();
  const { count } = await ctx.db.task.updateMany({
    where: ownedRunFilter(run, 'progressed'),
    data: {
      progress: storedProgress,
      expectedAt,
      ...(storedProgress === runningTask.progress
        ? {}
        : { statusUpdatedAt: now, ...historyColumns(transition.state) }),
    },
  });
  return count > 0 ? storedProgress : null;
}

/**
 * Completes a task.
 * @returns false if this run lost its task; the transaction of the caller must then not commit
 */
export async function completeTask(
  tx: InTransaction<SystemContext>,
  run: TaskRun,
  output: Prisma.InputJsonObject,
): Promise<boolean> {
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ownedRunFilter(run, 'completed'),
    data: {
      phase: taskMachine.stateAfter('completed'),
      progress: 1,
      output,
      statusUpdatedAt: tx.clock.now(),
      ...noEstimateColumns,
    },
  });
  if (row) await emitTaskEvent(tx, 'task.completed', row);
  return row !== undefined;
}

/**
 * Fails a task that must not be retried.
 * @returns the failed task; null if this run lost it
 */
export async function failTask(
  tx: InTransaction<SystemContext>,
  run: TaskRun,
  errorMessage: string,
): Promise<Task | null> {
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ownedRunFilter(run, 'failed'),
    data: {
      phase: taskMachine.stateAfter('failed'),
      errorMessage,
      statusUpdatedAt: tx.clock.now(),
      ...noEstimateColumns,
    },
  });
  if (row) await emitTaskEvent(tx, 'task.failed', row);
  return row ?? null;
}

/** Why a run ended without a result, for a reason other than its input. */
export interface TaskInterruption {
  readonly cause: InterruptionCause;
  /** Message for the user until the next run. */
  readonly reason: string;
}

/**
 * Schedules a retry after a failure for a reason other than the input, or fails the task after too many attempts.
 * @returns whether the task will be retried; null if this run lost its task
 */
export async function interruptTask(
  tx: InTransaction<SystemContext>,
  run: TaskRun,
  { cause, reason }: TaskInterruption,
): Promise<{ readonly willRetry: boolean; readonly task: Task } | null> {
  const runningTask = await tx.db.task.findFirst({ where: ownedRunFilter(run, 'interrupted') });
  if (!runningTask) return null;
  const now = tx.clock.now();
  const transition = nextTaskState(stateOf(runningTask), { type: 'interrupted', cause, at: now.getTime() });
  if (!transition) return null;
  if (transition.retryAfterMs === null) {
    const message = transition.exceededLimit === 'faults' ? lastFaultMessage(run, reason) : reason;
    const failedTask = await failTask(tx, run, message);
    return failedTask && { willRetry: false, task: failedTask };
  }
  const [task] = await tx.db.task.updateManyAndReturn({
    where: ownedRunFilter(run, 'interrupted'),
    data: {
      phase: transition.state.phase,
      retries: transition.state.retries,
      ...historyColumns(transition.state),
      errorMessage: reason,
      statusUpdatedAt: now,
      scheduledAt: new Date(now.getTime() + transition.retryAfterMs),
      ...nextRunColumns,
    },
  });
  if (task) await emitTaskEvent(tx, 'task.updated', task);
  return task ? { willRetry: true, task } : null;
}

const lastFaultMessage = ({ id }: TaskRun, reason: string) =>
  `this server could not finish the task within ${FAULT_HOURS} hours (${reason}); ` +
  `start it again with POST /api/task/${id}/retry`;

/** Changes of a task for its next run. */
export interface TaskRelease {
  /** Delay of the next run in seconds; absent for no delay. */
  readonly afterSeconds?: number;
  /** Lane of the next run; absent for the current lane. */
  readonly lane?: TaskLane;
  /** Replaces the worker's input for the next run. */
  readonly work?: Prisma.InputJsonObject;
  /** Pixels that the task reads and writes, if they are known. */
  readonly cost?: number;
}

/** Releases a task without a failure; another run may continue immediately. */
export async function releaseTask(
  tx: InTransaction<SystemContext>,
  run: TaskRun,
  { afterSeconds = 0, ...change }: TaskRelease = {},
): Promise<void> {
  const now = tx.clock.now();
  const [row] = await tx.db.task.updateManyAndReturn({
    where: ownedRunFilter(run, 'released'),
    data: {
      phase: taskMachine.stateAfter('released'),
      scheduledAt: new Date(now.getTime() + afterSeconds * 1_000),
      statusUpdatedAt: now,
      ...nextRunColumns,
      ...change,
    },
  });
  if (row) await emitTaskEvent(tx, 'task.updated', row);
}
