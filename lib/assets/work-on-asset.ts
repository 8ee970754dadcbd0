import { transact, type SystemContext } from '@/lib/context';
import { assetPhaseAfter, assetPhasesBefore } from '@/lib/core/asset-state';
import type { Asset, Prisma, Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { notify } from '@/lib/infra/notifications';
import {
  completeTask,
  failTask,
  findLostTurns,
  interruptTask,
  releaseTask,
  renewTask,
  type ClaimedTask,
  type TaskInterruption,
  type TaskRelease,
  type TaskReport,
  type TaskTurn,
} from '@/lib/tasks';
import { failStorage } from './storage-state';
import { emitAssetEvent } from './emit-asset-event';

type SystemTransaction = Omit<SystemContext, 'db'> & { readonly db: Transaction };

/** The task is not this run's any more: cancelled, or another run began. Nothing of this one counts. */
export class LostTurn extends Error {
  override readonly name = 'LostTurn';
  constructor() {
    super('the task is not this run’s any more');
  }
}

/** Work on a task begins: the asset it makes is `processing`. */
export async function beginWork(ctx: SystemContext, { outputAssetId, userId }: ClaimedTask): Promise<void> {
  if (outputAssetId === null) return;
  await transact(ctx, async (tx) => {
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: { id: outputAssetId, userId, deletedAt: null, phase: { in: assetPhasesBefore('work_started') } },
      data: { phase: assetPhaseAfter('work_started'), statusUpdatedAt: tx.clock.now() },
    });
    if (row) await emitAssetEvent(tx, 'asset.updated', row);
  });
}

/** How far the work is, for the task and the asset it makes. @throws LostTurn */
export async function reportWork(
  ctx: SystemContext,
  turn: TaskTurn & { readonly outputAssetId: string | null },
  report: TaskReport,
): Promise<void> {
  const progress = await renewTask(ctx, turn, report);
  if (progress === null) throw new LostTurn();
  if (turn.outputAssetId === null) return;
  await ctx.db.asset.updateMany({
    where: {
      id: turn.outputAssetId,
      phase: { in: assetPhasesBefore('progressed') },
      OR: [{ progress: null }, { progress: { lt: progress } }],
    },
    data: { progress, statusUpdatedAt: ctx.clock.now() },
  });
}

export interface FinishedAsset {
  readonly sourceKey: string;
  readonly videoKey: string;
  readonly bytes: number;
  readonly hash: Prisma.InputJsonValue;
  readonly videoSpec: Prisma.InputJsonValue;
  readonly storedBytes: number;
}

/** Asset `ready` and task `completed`, in one transaction. @throws LostTurn also for an asset deleted meanwhile */
export async function completeAsset(
  ctx: SystemContext,
  turn: TaskTurn & { readonly outputAssetId: string },
  { sourceKey, videoKey, bytes, hash, videoSpec, storedBytes }: FinishedAsset,
  output: Prisma.InputJsonObject,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const now = tx.clock.now();
    if (!(await completeTask(tx, turn, output))) throw new LostTurn();
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: { id: turn.outputAssetId, phase: { in: assetPhasesBefore('completed') }, deletedAt: null },
      data: {
        phase: assetPhaseAfter('completed'),
        progress: 1,
        errorMessage: null,
        statusUpdatedAt: now,
        size: BigInt(bytes),
        storedBytes: BigInt(storedBytes),
        storyboardDueAt: now,
        ...{ sourceKey, videoKey, hash, videoSpec },
      },
    });
    if (!row) throw new LostTurn();
    await emitAssetEvent(tx, 'asset.ready', row);
    await nudgeSession(tx, row);
  });
}

/** No other try would end better: the task fails, and what it was to make with the same words. */
export async function failWork(ctx: SystemContext, turn: TaskTurn, reason: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const task = await failTask(tx, turn, reason);
    if (task) await failOutput(tx, task, reason);
  });
}

/** Something failed that is not the fault of what was asked for. The task is tried again later, or has failed for good. */
export async function interruptWork(
  ctx: SystemContext,
  turn: TaskTurn,
  interruption: TaskInterruption,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const interrupted = await interruptTask(tx, turn, interruption);
    if (!interrupted || interrupted.again) return;
    const { task } = interrupted;
    await failOutput(tx, task, task.errorMessage ?? interruption.reason);
  });
}

/** The run ends in the middle of its task, which goes on in another one. */
export async function releaseWork(ctx: SystemContext, turn: TaskTurn, change?: TaskRelease): Promise<void> {
  await transact(ctx, (tx) => releaseTask(tx, turn, change));
}

/**
 * What a worker that was killed left running goes on at once.
 * @param alive leases of the caller's own runs
 */
export async function reviveLostWork(ctx: SystemContext, alive: readonly string[] = []): Promise<void> {
  const reason = 'the worker that did this stopped in the middle of it';
  for (const turn of await findLostTurns(ctx, alive)) {
    await interruptWork(ctx, turn, { cause: 'worker', reason });
  }
}

async function failOutput(tx: SystemTransaction, task: Task, reason: string): Promise<void> {
  if (task.type === 'export') {
    await failStorage(tx, task, reason);
    return;
  }
  if (task.outputAssetId === null) return;
  const [row] = await tx.db.asset.updateManyAndReturn({
    where: { id: task.outputAssetId, deletedAt: null, phase: { in: assetPhasesBefore('failed') } },
    data: { phase: assetPhaseAfter('failed'), errorMessage: reason, statusUpdatedAt: tx.clock.now() },
  });
  if (!row) return;
  await emitAssetEvent(tx, 'asset.failed', row);
  await nudgeSession(tx, row);
}

/** A recording is ready, or has failed, with its asset. */
async function nudgeSession(tx: SystemTransaction, { sourceSessionId }: Asset): Promise<void> {
  if (sourceSessionId !== null) await notify(tx.db, 'session_due', sourceSessionId);
}
