import { requireReadyAsset } from '@/lib/domain/assets/internal';
import { serializeAsset } from '@/lib/domain/assets/serialize';
import { uploadUrls } from '@/lib/domain/assets/uploads/upload-token';
import { type TeamContext, transact, type InTransaction } from '@/lib/domain/context';
import type { replaceAsset as replaceAssetEndpoint } from '@/lib/contract/assets/replace';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { unfinishedAssetPhases } from '@/lib/core/assets/asset-state';
import { maskUrl } from '@/lib/core/assets/masked-url';
import { AppError } from '@/lib/core/errors';
import type { Asset } from '@/lib/generated/prisma/client';
import { createTask, lockTeam, serializeTask } from '@/lib/domain/tasks';
import { conversionParam } from './requested-conversion';
import { createAsset } from './create-asset';
import { checkRemoteUrl } from './import-asset';

/**
 * Replaces the file of an asset with a file that is uploaded or, with `url`, downloaded. The new file has a hidden row, so
 * that the asset keeps its current file if the replacement fails.
 * @throws AppError `not_found`, `precondition_failed` (not ready), `invalid` (a recording; a URL that is not public),
 * `conflict` (another replacement is in progress), `payment_required`, `rate_limited`
 */
export async function replaceAsset(
  ctx: TeamContext,
  { id, url, convert }: BodyOf<typeof replaceAssetEndpoint> & { readonly id: string },
): Promise<ResponseOf<typeof replaceAssetEndpoint>> {
  if (url !== undefined) checkRemoteUrl(ctx, 'url', url);
  return transact(ctx, async (tx) => {
    await lockTeam(tx);
    const asset = await requireReadyAsset(tx, id, 'replaced');
    await checkReplaceable(tx, asset);
    const { name } = asset;
    const replacement = await createAsset(tx, {
      name,
      replacesId: id,
      ...(url === undefined ? { sourceType: 'directUpload' } : { sourceType: 'url', sourceUrl: url }),
    });
    const sourceParam =
      url === undefined
        ? { uploadedObjectKey: uploadedObjectKey(replacement.playbackId) }
        : { url: maskUrl(url) };
    const task = await createTask(tx, {
      type: 'import',
      params: { import: { ...sourceParam, replace: true, ...conversionParam(convert) } },
      outputAssetId: replacement.id,
      replacesAssetId: id,
      isDue: url !== undefined,
    });
    return {
      ...(url === undefined ? uploadUrls(tx, replacement) : {}),
      asset: serializeAsset(asset, ctx.settings),
      task: serializeTask(task),
    };
  });
}

/**
 * Checks that the file can be replaced. Requires the lock of the team.
 * @throws AppError `invalid`, `conflict`
 */
export async function checkReplaceable(
  tx: InTransaction<TeamContext>,
  { id, sourceType }: Pick<Asset, 'id' | 'sourceType'>,
): Promise<void> {
  if (sourceType === 'recording')
    throw new AppError(
      'invalid',
      'asset is the recording of a session, which keeps its file; upload the other file as a new asset',
    );
  const where = { replacesId: id, deletedAt: null, phase: { in: [...unfinishedAssetPhases] } };
  if ((await tx.db.asset.count({ where })) > 0)
    throw new AppError(
      'conflict',
      'another replacement of this asset is in progress; wait until its task ends, or cancel it',
    );
}
