import { transact, type AccountContext } from '@/lib/context';
import type { requestUpload as endpoint } from '@/lib/contract/asset-work-endpoints';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { uploadedObjectKey, uploadLifetimeMs } from '@/lib/core/upload-token';
import { createTask, serializeTask } from '@/lib/tasks';
import { createAsset } from './create-asset';
import { serializeAsset } from './serialize';
import { signUploadToken } from './upload-token';

/**
 * Creates an asset that waits for its file, its import task, and the URLs to upload to.
 * The task is due when the last byte has arrived.
 * @throws AppError `rate_limited`
 */
export async function requestUpload(
  ctx: AccountContext,
  { name, creatorId }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { asset, task } = await transact(ctx, async (tx) => {
    const asset = await createAsset(tx, { name, creatorId, sourceType: 'directUpload' });
    const task = await createTask(tx, {
      type: 'import',
      params: { import: { uploadedObjectKey: uploadedObjectKey(asset.playbackId) } },
      outputAssetId: asset.id,
      due: false,
    });
    return { asset, task };
  });
  const exp = asset.createdAt.getTime() + uploadLifetimeMs;
  const token = signUploadToken(ctx.secrets, { assetId: asset.id, exp });
  const base = `${ctx.settings.uploadUrl}/api/asset/upload`;
  return {
    url: `${base}/direct?token=${token}`,
    tusEndpoint: `${base}/tus?token=${token}`,
    asset: serializeAsset(asset, ctx.settings),
    task: serializeTask(task),
  };
}
