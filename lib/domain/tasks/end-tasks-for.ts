import type { SystemContext, InTransaction, TeamContext } from '@/lib/domain/context';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { emitTaskEvent } from './emit-task-event';

/** Cancels the unfinished tasks that produce these assets, because they were deleted. */
export async function cancelTasksFor(
  tx: InTransaction<TeamContext>,
  outputs: readonly string[],
): Promise<void> {
  const rows = await tx.db.task.updateManyAndReturn({
    where: {
      teamId: tx.actor.teamId,
      outputAssetId: { in: [...outputs] },
      phase: { in: taskMachine.before('cancelled') },
    },
    data: {
      phase: taskMachine.after('cancelled'),
      statusUpdatedAt: tx.clock.now(),
      expectedAt: null,
    },
  });
  for (const row of rows) await emitTaskEvent(tx, 'task.updated', row);
}

/** The upload of this asset has arrived: makes its import task due. */
export async function queueTasksFor(tx: InTransaction<SystemContext>, outputAssetId: string): Promise<void> {
  const now = tx.clock.now();
  const rows = await tx.db.task.updateManyAndReturn({
    where: { outputAssetId, type: 'import', phase: { in: taskMachine.before('queued') }, scheduledAt: null },
    data: { phase: taskMachine.after('queued'), statusUpdatedAt: now, scheduledAt: now },
  });
  for (const row of rows) await emitTaskEvent(tx, 'task.updated', row);
}

/** The asset failed before its task started; fails the task too. */
export async function failTasksFor(
  tx: InTransaction<SystemContext>,
  outputAssetId: string,
  errorMessage: string,
): Promise<void> {
  const rows = await tx.db.task.updateManyAndReturn({
    where: { outputAssetId, phase: { in: taskMachine.before('failed') } },
    data: { phase: taskMachine.after('failed'), statusUpdatedAt: tx.clock.now(), errorMessage },
  });
  for (const row of rows) await emitTaskEvent(tx, 'task.failed', row);
}
