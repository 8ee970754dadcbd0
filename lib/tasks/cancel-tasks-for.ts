import { taskPhaseAfter, taskPhasesBefore } from '@/lib/core/task-state';
import type { AccountTransaction } from './internal';
import { tellTask } from './tell-task';

/** Cancels what would still produce this asset, because nobody wants it any more. */
export async function cancelTasksFor(tx: AccountTransaction, outputAssetId: string): Promise<void> {
  const rows = await tx.db.task.updateManyAndReturn({
    where: { userId: tx.actor.userId, outputAssetId, phase: { in: taskPhasesBefore('cancelled') } },
    data: {
      phase: taskPhaseAfter('cancelled'),
      statusUpdatedAt: tx.clock.now(),
      expectedAt: null,
    },
  });
  for (const row of rows) await tellTask(tx, 'task.updated', row);
}
