import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { Task } from '@/lib/contract/task';
import { AppError } from '@/lib/core/errors';
import { taskPhaseAfter, taskPhasesBefore } from '@/lib/core/task-state';
import { assetPhaseAfter, assetPhasesBefore } from '@/lib/core/asset-state';
import { getTask, serializeTask, tellTask } from '@/lib/tasks';
import { failStorage } from './storage-state';
import { emitAssetEvent } from './emit-asset-event';

const reason = 'cancelled';

/**
 * Gives up a task that is not finished; what it was to make has failed. Its run is told to stop, and nothing
 * of it counts any more.
 * @throws AppError `not_found`; `invalid` for one that is finished
 */
export async function cancelTask(ctx: AccountContext, id: string): Promise<Task> {
  return transact(ctx, async (tx) => {
    const now = tx.clock.now();
    const [row] = await tx.db.task.updateManyAndReturn({
      where: { id, userId: ctx.actor.userId, deletedAt: null, phase: { in: taskPhasesBefore('cancelled') } },
      data: {
        phase: taskPhaseAfter('cancelled'),
        statusUpdatedAt: now,
        expectedAt: null,
      },
    });
    if (!row) {
      const { status } = await getTask(tx, id);
      throw new AppError('invalid', `the task is already ${status.phase}`);
    }
    await recordAudit(tx, { action: 'task.cancelled', objectId: id });
    await tellTask(tx, 'task.updated', row);
    if (row.type === 'export') await failStorage(tx, row, reason);
    else if (row.outputAssetId !== null) {
      const [asset] = await tx.db.asset.updateManyAndReturn({
        where: { id: row.outputAssetId, deletedAt: null, phase: { in: assetPhasesBefore('failed') } },
        data: { phase: assetPhaseAfter('failed'), errorMessage: reason, statusUpdatedAt: now },
      });
      if (asset) await emitAssetEvent(tx, 'asset.failed', asset);
    }
    return serializeTask(row);
  });
}
