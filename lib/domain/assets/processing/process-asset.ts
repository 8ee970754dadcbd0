import { transact, type Context, type SystemContext, type InTransaction } from '@/lib/domain/context';
import { assetMachine } from '@/lib/core/assets/asset-state';
import type { Asset, Task } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import {
  failTask,
  interruptTask,
  releaseTask,
  reportTaskProgress,
  type RunningTask,
  type TaskInterruption,
  type TaskRelease,
  type TaskProgress,
  type TaskRun,
} from '@/lib/domain/tasks';
import { havingFiles } from '@/lib/domain/assets/internal';
import { failIpfsExport } from './storage-status';
import { emitAssetEvent } from '@/lib/domain/assets/serialize';

/** The run lost its task: the task was cancelled, or another run of it started. The results of the run are discarded. */
export class RunLostError extends Error {
  override readonly name = 'RunLostError';
  constructor() {
    super('the task was cancelled, or continues in another run');
  }
}

/** Starts the work of a task: its output asset becomes `processing`. */
export async function startProcessing(
  ctx: SystemContext,
  { outputAssetId, teamId }: RunningTask,
): Promise<void> {
  if (outputAssetId === null) return;
  await transact(ctx, async (tx) => {
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: {
        id: outputAssetId,
        teamId,
        deletedAt: null,
        phase: { in: assetMachine.statesBefore('work_started') },
      },
      data: { phase: assetMachine.stateAfter('work_started'), statusUpdatedAt: tx.clock.now() },
    });
    if (row) await emitAssetEvent(tx, 'asset.updated', row);
  });
}

/**
 * Reports the progress of the task and its output asset. The progress of the asset never decreases.
 * @throws RunLostError if the task was cancelled or continues in another run
 */
export async function reportProcessing(
  ctx: SystemContext,
  run: TaskRun & { readonly outputAssetId: string | null },
  report: TaskProgress,
): Promise<void> {
  const progress = await reportTaskProgress(ctx, run, report);
  if (progress === null) throw new RunLostError();
  if (run.outputAssetId === null) return;
  await ctx.db.asset.updateMany({
    where: {
      id: run.outputAssetId,
      phase: { in: assetMachine.statesBefore('progressed') },
      OR: [{ progress: null }, { progress: { lt: progress } }],
    },
    data: { progress, statusUpdatedAt: ctx.clock.now() },
  });
}

/**
 * Adds the size of a new file of a ready asset to the asset's stored size.
 * @param filesId ID of the folder that contains the file
 */
export async function addStoredBytes(
  { db }: Pick<SystemContext, 'db'>,
  { filesId, bytes }: { readonly filesId: string; readonly bytes: number },
): Promise<void> {
  await db.asset.updateMany({
    where: { ...havingFiles(filesId), bytesRemovedAt: null },
    data: { storedBytes: { increment: bytes } },
  });
}

/** Fails the task and its output with this reason, because a retry cannot succeed. */
export async function failProcessing(ctx: SystemContext, run: TaskRun, reason: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const task = await failTask(tx, run, reason);
    if (task) await failOutput(tx, task, reason);
  });
}

/**
 * Ends a run that failed for a reason other than its input. The task is retried later, or fails after too many attempts.
 */
export async function interruptProcessing(
  ctx: SystemContext,
  run: TaskRun,
  interruption: TaskInterruption,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const interruptedTask = await interruptTask(tx, run, interruption);
    if (!interruptedTask || interruptedTask.willRetry) return;
    const { task } = interruptedTask;
    await failOutput(tx, task, task.errorMessage ?? interruption.reason);
  });
}

/** Releases an unfinished task when its worker can't finish it now; another run continues it. */
export async function releaseProcessing(
  ctx: SystemContext,
  run: TaskRun,
  release?: TaskRelease,
): Promise<void> {
  await transact(ctx, (tx) => releaseTask(tx, run, release));
}

/**
 * Schedules a retry of a task whose worker died, or fails the task after too many attempts. Does nothing if the task is
 * not running.
 */
export async function retryAfterWorkerDeath(ctx: SystemContext, run: TaskRun): Promise<void> {
  const reason = 'the worker stopped before it finished the task';
  await interruptProcessing(ctx, run, { cause: 'worker', reason });
}

/** Fails the asset or export that an ended task should have produced. */
export async function failOutput(tx: InTransaction<Context>, task: Task, reason: string): Promise<void> {
  if (task.type === 'export') {
    await failIpfsExport(tx, task, reason);
    return;
  }
  if (task.outputAssetId === null) return;
  const [row] = await tx.db.asset.updateManyAndReturn({
    where: { id: task.outputAssetId, deletedAt: null, phase: { in: assetMachine.statesBefore('failed') } },
    data: { phase: assetMachine.stateAfter('failed'), errorMessage: reason, statusUpdatedAt: tx.clock.now() },
  });
  if (!row) return;
  await emitAssetEvent(tx, 'asset.failed', row);
  await notifySessionDue(tx, row);
}

/** Notifies workers that the session of a recording is due, because the state of the recording follows its asset. */
export async function notifySessionDue(
  tx: Pick<InTransaction<Context>, 'db'>,
  { sourceSessionId }: Asset,
): Promise<void> {
  if (sourceSessionId !== null) await notify(tx.db, 'session_due', sourceSessionId);
}
