import type { InTransaction, TeamContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { laneOf } from '@/lib/core/tasks/task-lanes';
import {
  firstTaskPhase,
  maxQueuedTasks,
  maxQueuedTasksOfCorsKeys,
  queuedTaskPhases,
} from '@/lib/core/tasks/task-state';
import type { Prisma, Task } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { traceparent } from '@/lib/infra/tracing';
import { lockTeam } from './lock-team';
import { emitTaskEvent } from './emit-task-event';

export interface NewTask {
  /** Generated if absent; given if secrets were sealed under it. */
  readonly id?: string;
  readonly type: 'import' | 'export' | 'transcode' | 'clip' | 'transcribe';
  /** Parameters as the contract shows them, without credentials. */
  readonly params: Prisma.InputJsonObject;
  readonly credentialsSealed?: Buffer<ArrayBuffer>;
  /** Further input of the worker, never shown. */
  readonly work?: Prisma.InputJsonObject;
  readonly inputAssetId?: string;
  readonly outputAssetId?: string;
  /** The asset whose file the output will replace. */
  readonly replacesAssetId?: string;
  /** Cost of an encoding (lib/core/renditions/encode-plan.ts). */
  readonly cost?: number;
  /** False while the upload is missing. */
  readonly isDue: boolean;
}

const retrySeconds = 30;

/**
 * Creates a task in the transaction of the change it belongs to. Jobs are planned from the row's `scheduledAt`.
 * @throws AppError `rate_limited` when the team has too many tasks in the queue
 */
export async function createTask(tx: InTransaction<TeamContext>, task: NewTask): Promise<Task> {
  const { teamId, corsKey = false } = tx.actor;
  const now = tx.clock.now();
  await lockTeam(tx);
  await checkQueue(tx, corsKey ? maxQueuedTasksOfCorsKeys : maxQueuedTasks);
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
      scheduledAt: task.isDue ? now : null,
      traceparent: traceparent(),
    },
  });
  await emitTaskEvent(tx, 'task.spawned', row);
  return row;
}

/** All runs of a task work on the file that its input asset has now, even if that is replaced meanwhile. */
async function workOf(
  tx: InTransaction<TeamContext>,
  { work, inputAssetId }: NewTask,
): Promise<{ readonly work?: Prisma.InputJsonObject }> {
  if (inputAssetId === undefined) return work ? { work } : {};
  const input = await tx.db.asset.findUnique({ where: { id: inputAssetId }, select: { filesId: true } });
  return { work: { ...work, inputFilesId: input?.filesId ?? inputAssetId } };
}

/** An upload without any bytes is nothing to do yet: `checkUnsentUploads` bounds those. */
async function checkQueue(tx: InTransaction<TeamContext>, most: number): Promise<void> {
  const { teamId } = tx.actor;
  const arriving = { OR: [{ phase: 'uploading' as const }, { reservedBytes: { gt: 0 } }] };
  const queuedCount = await tx.db.task.count({
    where: {
      teamId,
      deletedAt: null,
      phase: { in: [...queuedTaskPhases] },
      OR: [{ scheduledAt: { not: null } }, { outputAsset: arriving }],
    },
  });
  if (queuedCount < most) return;
  const team = await tx.db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  const whose = most === maxQueuedTasks ? '' : ' for a CORS-enabled API key';
  const message =
    `team ${team?.name ?? teamId} has reached the maximum number of pending tasks${whose}: ${queuedCount} wait for a worker or ` +
    'for the rest of their file; the limit is ' +
    `${most}. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.`;
  throw new AppError('rate_limited', message, { retryAfter: retrySeconds });
}
