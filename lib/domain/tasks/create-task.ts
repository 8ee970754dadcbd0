import type { InTransaction, TeamContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { chooseTaskLane } from '@/lib/core/tasks/task-lanes';
import {
  firstTaskPhase,
  MAX_QUEUED_TASKS,
  MAX_QUEUED_TASKS_OF_CORS_KEYS,
  queuedTaskPhases,
} from '@/lib/core/tasks/task-state';
import type { Prisma, Task } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/infra/ids';
import { currentTraceparent } from '@/lib/infra/tracing';
import { lockTeam } from './lock-team';
import { emitTaskEvent } from './emit-task-event';

/** A task to create. */
export interface NewTask {
  /** Id of the task, if secrets were sealed under it; generated if absent. */
  readonly id?: string;
  readonly type: 'import' | 'export' | 'transcode' | 'clip' | 'transcribe';
  /** Parameters as in the contract, without credentials. */
  readonly params: Prisma.InputJsonObject;
  readonly credentialsSealed?: Buffer<ArrayBuffer>;
  /** Internal input of the worker, which the API never returns. */
  readonly work?: Prisma.InputJsonObject;
  readonly inputAssetId?: string;
  readonly outputAssetId?: string;
  /** Id of the asset whose file the output will replace. */
  readonly replacesAssetId?: string;
  /** Cost of an encoding, in pixels to encode; 0 if absent. */
  readonly cost?: number;
  /** False while the task waits for an upload. */
  readonly isDue: boolean;
}

const RETRY_AFTER_SECONDS = 30;

/**
 * Creates a task in the transaction of the caller. Its job is planned from `scheduledAt` of the row.
 * @throws AppError `rate_limited` if the team has too many queued tasks
 */
export async function createTask(tx: InTransaction<TeamContext>, task: NewTask): Promise<Task> {
  const { teamId, corsKey = false } = tx.actor;
  const now = tx.clock.now();
  await lockTeam(tx);
  await checkQueue(tx, corsKey ? MAX_QUEUED_TASKS_OF_CORS_KEYS : MAX_QUEUED_TASKS);
  const row = await tx.db.task.create({
    data: {
      id: task.id ?? newId(),
      teamId,
      type: task.type,
      phase: firstTaskPhase,
      statusUpdatedAt: now,
      createdAt: now,
      params: task.params,
      lane: chooseTaskLane(task.type, task.params),
      cost: task.cost ?? 0,
      credentialsSealed: task.credentialsSealed ?? null,
      ...(await buildWorkColumns(tx, task)),
      inputAssetId: task.inputAssetId ?? null,
      outputAssetId: task.outputAssetId ?? null,
      replacesAssetId: task.replacesAssetId ?? null,
      scheduledAt: task.isDue ? now : null,
      traceparent: currentTraceparent(),
    },
  });
  await emitTaskEvent(tx, 'task.spawned', row);
  return row;
}

/**
 * Input of the worker, with the current files of the input asset: all runs of a task use these, even if the file is
 * replaced later.
 */
async function buildWorkColumns(
  tx: InTransaction<TeamContext>,
  { work, inputAssetId }: NewTask,
): Promise<{ readonly work?: Prisma.InputJsonObject }> {
  if (inputAssetId === undefined) return work ? { work } : {};
  const input = await tx.db.asset.findUnique({ where: { id: inputAssetId }, select: { filesId: true } });
  return { work: { ...work, inputFilesId: input?.filesId ?? inputAssetId } };
}

/** Rejects a task above the limit of queued tasks. Unsent uploads are not counted, because `checkUnsentUploads` limits them. */
async function checkQueue(tx: InTransaction<TeamContext>, maxQueued: number): Promise<void> {
  const { teamId } = tx.actor;
  const withArrivingBytes = { OR: [{ phase: 'uploading' as const }, { reservedBytes: { gt: 0 } }] };
  const queuedCount = await tx.db.task.count({
    where: {
      teamId,
      deletedAt: null,
      phase: { in: [...queuedTaskPhases] },
      OR: [{ scheduledAt: { not: null } }, { outputAsset: withArrivingBytes }],
    },
  });
  if (queuedCount < maxQueued) return;
  const team = await tx.db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  const keyNote = maxQueued === MAX_QUEUED_TASKS ? '' : ' for a CORS-enabled API key';
  const message =
    `team ${team?.name ?? teamId} has reached the maximum number of pending tasks${keyNote}: ${queuedCount} wait for a worker or ` +
    'for the rest of their file; the limit is ' +
    `${maxQueued}. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.`;
  throw new AppError('rate_limited', message, { retryAfter: RETRY_AFTER_SECONDS });
}
