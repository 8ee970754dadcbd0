import type { SystemContext, InTransaction, TeamContext } from '@/lib/domain/context';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { emitTaskEvent } from './emit-task-event';

/** Cancels the unfinished tasks that produce deleted assets. */
export async function cancelTasksOfAssets(
  tx: InTransaction<TeamContext>,
  outputAssetIds: readonly string[],
): Promise<void> {
  const rows = await tx.db.task.updateManyAndReturn({
    where: {
      teamId: tx.actor.teamId,
      outputAssetId: { in: [...outputAssetIds] },
      phase: { in: taskMachine.statesBefore('cancelled') },
    },
    data: {
      phase: taskMachine.stateAfter('cancelled'),
      statusUpdatedAt: tx.clock.now(),
      expectedAt: null,
    },
  });
  for (const row of rows) await emitTaskEvent(tx, 'task.updated', row);
}

/** Makes the import task of an asset due after its upload has arrived. */
export async function queueImportOfAsset(
  tx: InTransaction<SystemContext>,
  outputAssetId: string,
): Promise<void> {
  const now = tx.clock.now();
  const rows = await tx.db.task.updateManyAndReturn({
    where: {
      outputAssetId,
      type: 'import',
      phase: { in: taskMachine.statesBefore('queued') },
      scheduledAt: null,
    },
    data: { phase: taskMachine.stateAfter('queued'), statusUpdatedAt: now, scheduledAt: now },
  });
  for (const row of rows) await emitTaskEvent(tx, 'task.updated', row);
}

/** Fails the tasks of an asset that failed before its task started. */
export async function failTasksOfAsset(
  tx: InTransaction<SystemContext>,
  outputAssetId: string,
  errorMessage: string,
): Promise<void> {
  const rows = await tx.db.task.updateManyAndReturn({
    where: { outputAssetId, phase: { in: taskMachine.statesBefore('failed') } },
    data: { phase: taskMachine.stateAfter('failed'), statusUpdatedAt: tx.clock.now(), errorMessage },
  });
  for (const row of rows) await emitTaskEvent(tx, 'task.failed', row);
}
