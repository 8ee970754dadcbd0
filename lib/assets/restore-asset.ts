import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { Asset } from '@/lib/contract/asset';
import { assetOf } from './internal';
import { restorableSince } from './remove-bytes';
import { serializeAsset } from './serialize';
import { emitAssetEvent } from './emit-asset-event';

/**
 * Restores a deleted asset within seven days. An asset that is not deleted stays as it is.
 * @throws AppError `not_found` also for one whose days are over
 */
export async function restoreAsset(ctx: AccountContext, id: string): Promise<Asset> {
  return transact(ctx, async (tx) => {
    const [row] = await tx.db.asset.updateManyAndReturn({
      where: {
        id,
        userId: ctx.actor.userId,
        bytesRemovedAt: null,
        deletedAt: { gt: restorableSince(ctx.clock.now()) },
      },
      data: { deletedAt: null },
    });
    if (!row) return serializeAsset(await assetOf(tx, id), ctx.settings);
    await recordAudit(tx, { action: 'asset.restored', objectId: id });
    await emitAssetEvent(tx, 'asset.updated', row);
    return serializeAsset(row, ctx.settings);
  });
}
