import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { assetPhaseAfter, assetPhasesBefore } from '@/lib/core/asset-state';
import { discardRecordings } from '@/lib/sessions';
import { cancelTasksFor } from '@/lib/tasks';
import { assetOf } from './internal';
import { tellAsset } from './tell-asset';

/**
 * Deletes an asset: it is not found any more and cannot be played, and what would have produced it is cancelled
 * (api-contract §2.2). The row stays, marked, and so do its bytes for the days in which it can be restored. Exports and
 * transcodings of it go on: they were asked for.
 * @throws AppError `not_found`
 */
export async function deleteAsset(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const now = ctx.clock.now();
    const where = { id, userId: ctx.actor.userId, deletedAt: null };
    const [row] = await tx.db.asset.updateManyAndReturn({ where, data: { deletedAt: now } });
    if (!row) {
      await assetOf(tx, id);
      return;
    }
    // Restored, it would wait for ever: nobody works on it any more.
    await tx.db.asset.updateMany({
      where: { id, phase: { in: assetPhasesBefore('failed') } },
      data: {
        phase: assetPhaseAfter('failed'),
        statusUpdatedAt: now,
        errorMessage: 'deleted before it was ready',
        uploadLease: null,
        uploadLeaseUntil: null,
      },
    });
    await cancelTasksFor(tx, id);
    // The asset has its own copy of the bytes: restored, it plays; the session's addresses do not come back.
    if (row.sourceSessionId !== null) await discardRecordings(tx, { id: row.sourceSessionId });
    await recordAudit(tx, { action: 'asset.deleted', objectId: id });
    await tellAsset(tx, 'asset.deleted', row);
  });
}
