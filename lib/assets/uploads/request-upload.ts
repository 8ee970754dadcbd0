import { policyColumns } from '@/lib/access';
import { havingFiles } from '@/lib/assets/internal';
import { serializeAsset } from '@/lib/assets/serialize';
import { createAsset } from '@/lib/assets/processing/create-asset';
import { requestedExport } from '@/lib/assets/processing/requested-export';
import { type TeamContext, type SystemContext, transact } from '@/lib/context';
import type { requestUpload as endpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { warningsOf } from '@/lib/core/assets/ignored-options';
import { receivingAssetPhases } from '@/lib/core/assets/asset-state';
import { createTask, serializeTask } from '@/lib/tasks';
import { uploadAddresses } from './upload-token';

export interface RepeatableUpload {
  readonly bytes: number;
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[];
}

/**
 * A file that was received although its client was asked to send it again: sending the same file again succeeds,
 * because the client cannot know. Null for any other upload.
 */
export async function findRepeatableUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<RepeatableUpload | null> {
  const row = await ctx.db.asset.findFirst({
    where: { ...havingFiles(assetId), deletedAt: null, uploadRepeatable: true, team: { suspended: false } },
    select: { size: true, hash: true },
  });
  if (!row || row.size === null || !Array.isArray(row.hash)) return null;
  return { bytes: Number(row.size), hashes: row.hash as unknown as RepeatableUpload['hashes'] };
}

/** The client knows that the file was received: another file is rejected, as for every received upload. */
export async function endRepeatableUpload(ctx: SystemContext, assetId: string): Promise<void> {
  await ctx.db.asset.updateMany({ where: havingFiles(assetId), data: { uploadRepeatable: false } });
}

/** Whether an asset still waits for its uploaded file. */
export async function isUploadOpen(ctx: SystemContext, assetId: string): Promise<boolean> {
  const where = { id: assetId, deletedAt: null, phase: { in: [...receivingAssetPhases] } };
  return (await ctx.db.asset.count({ where })) > 0;
}

/**
 * Creates an asset that waits for its file, its import task, and the URLs to upload to.
 * The task is due when the last byte has arrived.
 * @throws AppError `rate_limited`, `bad_request` and `invalid` (playback policy)
 */
export async function requestUpload(
  ctx: TeamContext,
  body: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { name, creatorId, tags, playbackPolicy, profiles } = body;
  const storage = requestedExport(body.storage, playbackPolicy);
  const policy = await policyColumns(ctx, playbackPolicy);
  const { asset, task } = await transact(ctx, async (tx) => {
    const asset = await createAsset(tx, {
      name,
      creatorId,
      tags,
      policy,
      profiles,
      storage,
      sourceType: 'directUpload',
    });
    const task = await createTask(tx, {
      type: 'import',
      params: { import: { uploadedObjectKey: uploadedObjectKey(asset.playbackId) } },
      outputAssetId: asset.id,
      due: false,
    });
    return { asset, task };
  });
  return {
    ...uploadAddresses(ctx, asset),
    asset: serializeAsset(asset, ctx.settings),
    task: serializeTask(task),
    ...warningsOf(body),
  };
}
