import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { discardRecordings } from '@/lib/sessions';
import { cancelTasksFor } from '@/lib/tasks';
import { notFound } from './internal';

/**
 * Deletes an asset: it is not found any more and cannot be played, and what would have produced it is cancelled
 * (api-contract §2.2). The row stays, marked. Exports and transcodings of it go on: they were asked for.
 * @throws AppError `not_found`
 */
export async function deleteAsset(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const [asset] = await tx.db.asset.updateManyAndReturn({
      where: { id, userId: ctx.actor.userId, deletedAt: null },
      data: { deletedAt: ctx.clock.now() },
    });
    if (!asset) throw notFound();
    if (asset.sourceSessionId !== null) await discardRecordings(tx, { id: asset.sourceSessionId });
    await cancelTasksFor(tx, id);
    await recordAudit(tx, { action: 'asset.deleted', objectId: id });
  });
}
