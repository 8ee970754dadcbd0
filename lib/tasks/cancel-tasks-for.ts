import { unfinishedTaskPhases } from '@/lib/core/task-state';
import type { AccountTransaction } from './internal';

/** Cancels what would still produce this asset, because nobody wants it any more. */
export async function cancelTasksFor(tx: AccountTransaction, outputAssetId: string): Promise<void> {
  await tx.db.task.updateMany({
    where: { userId: tx.actor.userId, outputAssetId, phase: { in: [...unfinishedTaskPhases] } },
    data: { phase: 'cancelled', statusUpdatedAt: tx.clock.now() },
  });
}
