import { policyColumns, replacePolicy } from '@/lib/access';
import { recordAudit } from '@/lib/audit';
import { transact, type TeamContext } from '@/lib/context';
import type { Asset } from '@/lib/contract/assets/asset';
import type { updateAsset as endpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { TeamTransaction } from '@/lib/tasks';
import { assetOf, notFound } from './internal';
import { emitAssetEvent, serializeAsset } from './serialize';

/**
 * Changes the fields in the body and keeps the rest, whatever phase the asset is in.
 * @throws AppError `not_found`, `bad_request` and `invalid` (playback policy)
 */
export async function updateAsset(
  ctx: TeamContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof endpoint> },
): Promise<Asset> {
  const { name, creatorId, chapters, playbackPolicy } = change;
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(creatorId ? { creatorId: creatorId.value } : {}),
    ...(chapters ? { chapters } : {}),
  };
  return transact(ctx, async (tx) => {
    const policy = playbackPolicy === undefined ? null : await changePolicy(tx, id, playbackPolicy);
    if (Object.keys(data).length === 0 && !policy) return serializeAsset(await assetOf(tx, id), ctx.settings);
    const where = { id, teamId: ctx.actor.teamId, deletedAt: null };
    const [row] = await tx.db.asset.updateManyAndReturn({ where, data });
    if (!row) throw notFound();
    await recordAudit(tx, { action: 'asset.updated', objectId: id });
    await emitAssetEvent(tx, 'asset.updated', row);
    return serializeAsset(row, ctx.settings);
  });
}

/** @returns whether the policy is another one now */
async function changePolicy(
  tx: TeamTransaction,
  id: string,
  requested: BodyOf<typeof endpoint>['playbackPolicy'],
): Promise<boolean> {
  const asset = await assetOf(tx, id);
  const policy = await policyColumns(tx, requested, asset);
  if (policy) await replacePolicy(tx, asset, policy);
  return policy !== null;
}
