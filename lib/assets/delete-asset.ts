import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { cancelTasksFor } from '@/lib/tasks';
import { notFound } from './internal';

/**
 * Deletes an asset: it is not found any more and cannot be played, and what would have produced it is cancelled
 * (api-contract §2.2). The row stays, marked. Exports and transcodings of it go on: they were asked for.
 * @throws AppError `not_found`
 */
export async function deleteAsset(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.asset.updateMany({
      where: { id, userId: ctx.actor.userId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    await cancelTasksFor(tx, id);
    await recordAudit(tx, { action: 'asset.deleted', objectId: id });
  });
}
