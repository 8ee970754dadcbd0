import { AppError } from '@/lib/core/errors';
import { laneOf } from '@/lib/core/tasks/task-lanes';
import { firstTaskPhase, maxQueuedTasks, queuedTaskPhases } from '@/lib/core/tasks/task-state';
import { uploadLifetimeMs } from '@/lib/core/access/upload-token';
import type { Prisma, Task } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { traceparent } from '@/lib/infra/tracing';
import type { TeamTransaction } from './internal';
import { lockTeam } from './lock-team';
import { emitTaskEvent } from './emit-task-event';

export interface NewTask {
  /** Generated if absent; given if secrets were sealed under it. */
  readonly id?: string;
  readonly type: 'import' | 'export' | 'transcode' | 'clip';
  /** As the contract shows it: without credentials. */
  readonly params: Prisma.InputJsonObject;
  readonly credentialsSealed?: Buffer<ArrayBuffer>;
  /** Further input of the worker, never shown. */
  readonly work?: Prisma.InputJsonObject;
  readonly inputAssetId?: string;
  readonly outputAssetId?: string;
  /** The asset whose file the output will replace. */
  readonly replacesAssetId?: string;
  /** Of an encoding (lib/core/renditions/encode-plan.ts). */
  readonly cost?: number;
  /** False while the upload is missing. */
  readonly due: boolean;
}

const retrySeconds = 30;

/**
 * Creates a task in the transaction of the change it belongs to. Jobs are planned from the row's `scheduledAt`.
 * @throws AppError `rate_limited` when the account has too many tasks in the queue
 */
export async function createTask(tx: TeamTransaction, task: NewTask): Promise<Task> {
  const { teamId } = tx.actor;
  const now = tx.clock.now();
  await lockTeam(tx);
  if ((await countQueued(tx, now)) >= maxQueuedTasks) {
    const message = `user ${teamId} has reached the maximum number of pending tasks`;
    throw new AppError('rate_limited', message, { retryAfter: retrySeconds });
  }
  const row = await tx.db.task.create({
    data: {
      id: task.id ?? newId(),
      teamId,
      type: task.type,
      phase: firstTaskPhase,
      statusUpdatedAt: now,
      createdAt: now,
      params: task.params,
      lane: laneOf(task.type, task.params),
      cost: task.cost ?? 0,
      credentialsSealed: task.credentialsSealed ?? null,
      ...(await workOf(tx, task)),
      inputAssetId: task.inputAssetId ?? null,
      outputAssetId: task.outputAssetId ?? null,
      replacesAssetId: task.replacesAssetId ?? null,
      scheduledAt: task.due ? now : null,
      traceparent: traceparent(),
    },
  });
  await emitTaskEvent(tx, 'task.spawned', row);
  return row;
}

/** All runs of a task work on the file that its input asset has now, even if that is replaced meanwhile. */
async function workOf(
  tx: TeamTransaction,
  { work, inputAssetId }: NewTask,
): Promise<{ readonly work?: Prisma.InputJsonObject }> {
  if (inputAssetId === undefined) return work ? { work } : {};
  const input = await tx.db.asset.findUnique({ where: { id: inputAssetId }, select: { filesId: true } });
  return { work: { ...work, inputFilesId: input?.filesId ?? inputAssetId } };
}

/** An upload with an expired URL can never be due, so it does not count. */
async function countQueued(tx: TeamTransaction, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - uploadLifetimeMs);
  return tx.db.task.count({
    where: {
      teamId: tx.actor.teamId,
      deletedAt: null,
      phase: { in: [...queuedTaskPhases] },
      OR: [{ scheduledAt: { not: null } }, { createdAt: { gt: oldest } }],
    },
  });
}
