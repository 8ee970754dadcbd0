import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type { Asset } from '@/lib/contract/assets/asset';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { markRecordingsDeleted } from '@/lib/domain/sessions';
import { cancelTasksOfAssets } from '@/lib/domain/tasks';
import { requireAsset, withoutReplacements } from './internal';
import { notifySessionDue } from './processing/process-asset';
import { restorableSince } from './delete-bytes';
import { emitAssetEvent, serializeAsset } from './serialize';

/**
 * Deletes an asset: it is hidden, not playable, and the task that produces it is cancelled. The row is marked as deleted,
 * and the files are kept until the asset can no longer be restored. Exports and transcodes that were requested before
 * continue.
 * @throws AppError `not_found`
 */
export async function deleteAsset(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const now = ctx.clock.now();
    const where = { id, teamId: ctx.actor.teamId, deletedAt: null, ...withoutReplacements };
    const [row] = await tx.db.asset.updateManyAndReturn({ where, data: { deletedAt: now } });
    if (!row) {
      await requireAsset(tx, id);
      return;
    }
    // A restored asset would wait forever, because its task is cancelled, so it fails.
    const unfinishedAssets = await tx.db.asset.updateManyAndReturn({
      where: { OR: [{ id }, { replacesId: id }], phase: { in: assetMachine.statesBefore('failed') } },
      data: {
        phase: assetMachine.stateAfter('failed'),
        statusUpdatedAt: now,
        errorMessage: 'deleted before it was ready',
        uploadLease: null,
        uploadLeaseUntil: null,
      },
    });
    await cancelTasksOfAssets(tx, [id, ...unfinishedAssets.map((asset) => asset.id)]);
    // The asset has a copy of the bytes and can be restored. The URLs of the session cannot, so its recording is discarded.
    if (row.sourceSessionId !== null) await markRecordingsDeleted(tx, { id: row.sourceSessionId });
    await recordAudit(tx, { action: 'asset.deleted', objectId: id });
    await emitAssetEvent(tx, 'asset.deleted', row);
    await notifySessionDue(tx, row);
  });
}

/**
 * Restores a deleted asset within seven days. Changes nothing if the asset is not deleted.
 * @throws AppError `not_found`, including after the seven days
 */
export async function restoreAsset(ctx: TeamContext, id: string): Promise<Asset> {
  return transact(ctx, async (tx) => {
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: {
        id,
        teamId: ctx.actor.teamId,
        bytesRemovedAt: null,
        deletedAt: { gt: restorableSince(ctx.clock.now()) },
        ...withoutReplacements,
      },
      data: { deletedAt: null },
    });
    if (!row) return serializeAsset(await requireAsset(tx, id), ctx.settings);
    await recordAudit(tx, { action: 'asset.restored', objectId: id });
    await emitAssetEvent(tx, 'asset.updated', row);
    return serializeAsset(row, ctx.settings);
  });
}
