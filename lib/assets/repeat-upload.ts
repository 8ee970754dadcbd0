import type { SystemContext } from '@/lib/context';
import { receivingAssetPhases } from '@/lib/core/asset-state';

export interface RepeatableUpload {
  readonly bytes: number;
  readonly hashes: readonly { readonly hash: string; readonly algorithm: string }[];
}

/**
 * A file that was taken in after its sender had been told to send it again: the same file once more is answered with
 * success, because the sender cannot know. Null for any other upload.
 */
export async function findRepeatableUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<RepeatableUpload | null> {
  const row = await ctx.db.asset.findFirst({
    where: { id: assetId, deletedAt: null, uploadRepeatable: true, account: { suspended: false } },
    select: { size: true, hash: true },
  });
  if (!row || row.size === null || !Array.isArray(row.hash)) return null;
  return { bytes: Number(row.size), hashes: row.hash as unknown as RepeatableUpload['hashes'] };
}

/** Its sender knows now: from here on another file is refused as for every received upload. */
export async function endRepeatableUpload(ctx: SystemContext, assetId: string): Promise<void> {
  await ctx.db.asset.updateMany({ where: { id: assetId }, data: { uploadRepeatable: false } });
}

/** Whether an asset still waits for its uploaded file. */
export async function isUploadOpen(ctx: SystemContext, assetId: string): Promise<boolean> {
  const where = { id: assetId, deletedAt: null, phase: { in: [...receivingAssetPhases] } };
  return (await ctx.db.asset.count({ where })) > 0;
}
