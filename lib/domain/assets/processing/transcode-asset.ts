import { inheritedPolicy } from '@/lib/domain/access';
import { transact, type TeamContext } from '@/lib/domain/context';
import type { transcodeAssetFlat as transcodeAssetFlatEndpoint } from '@/lib/contract/assets/transcode';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { encodeCost } from '@/lib/core/renditions/encode-plan';
import { AppError } from '@/lib/core/errors';
import type { FileSpec } from '@/lib/core/media/video-spec';
import { createTask, serializeTask } from '@/lib/domain/tasks';
import { createAsset } from './create-asset';
import { requireReadyAsset } from '@/lib/domain/assets/internal';
import { serializeAsset } from '@/lib/domain/assets/serialize';

/**
 * Creates a new asset by transcoding a ready asset.
 * @throws AppError `not_found`, `precondition_failed`, `payment_required`, `rate_limited`
 */
export async function transcodeAsset(
  ctx: TeamContext,
  { assetId, name, profile }: BodyOf<typeof transcodeAssetFlatEndpoint>,
): Promise<ResponseOf<typeof transcodeAssetFlatEndpoint>> {
  return transact(ctx, async (tx) => {
    const input = await requireReadyAsset(tx, assetId, 'transcoded');
    const spec = input.videoSpec as FileSpec | null;
    const output = await createAsset(tx, {
      name: name ?? input.name,
      sourceType: 'directUpload',
      sourceAssetId: input.id,
      chapters: input.chapters,
      policy: inheritedPolicy(input),
    });
    const task = await createTask(tx, {
      type: 'transcode',
      params: { transcode: { profile } },
      inputAssetId: input.id,
      outputAssetId: output.id,
      cost: spec ? encodeCost(profile, spec) : 0,
      isDue: true,
    });
    return { asset: serializeAsset(output, ctx.settings), task: serializeTask(task) };
  });
}

/**
 * Transcodes the asset in the path. Rejects a second asset in the body.
 * @throws AppError `bad_request`, and the errors of `transcodeAsset`
 */
export async function transcodeAssetById(
  ctx: TeamContext,
  {
    id,
    assetId,
    ...body
  }: Omit<BodyOf<typeof transcodeAssetFlatEndpoint>, 'assetId'> & { id: string; assetId?: unknown },
): Promise<ResponseOf<typeof transcodeAssetFlatEndpoint>> {
  if (assetId !== undefined)
    throw new AppError('bad_request', {
      field: 'assetId',
      message: 'remove it from the body; the path names the asset',
    });
  return transcodeAsset(ctx, { ...body, assetId: id });
}
