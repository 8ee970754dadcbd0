import type { WorkerContext } from '@/lib/context';
import { assetPrefix } from '@/lib/core/storage-keys';
import { uploadedObjectKey } from '@/lib/core/upload-token';
import { isUuid } from '@/lib/infra/ids';
import { oldFolders } from '@/lib/infra/storage/old-folders';

const dayMs = 24 * 3_600_000;

/**
 * Removes files of assets that have no row any more, such as those of an account that was removed, and uploads whose
 * asset was made of them when the worker died.
 * @returns of how many assets
 */
export async function removeOrphans(ctx: WorkerContext): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - dayMs);
  let removed = 0;
  for await (const id of oldFolders(ctx.storage, 'asset/', before)) {
    if (!isUuid(id) || (await ctx.db.asset.count({ where: { id, bytesRemovedAt: null } })) > 0) continue;
    await ctx.storage.deletePrefix(assetPrefix(id));
    removed++;
  }
  for await (const playbackId of oldFolders(ctx.storage, 'directUpload/', before)) {
    const wanted = { playbackId, bytesRemovedAt: null, phase: { not: 'ready' } };
    if ((await ctx.db.asset.count({ where: wanted })) > 0) continue;
    await ctx.storage.delete(uploadedObjectKey(playbackId));
    removed++;
  }
  return removed;
}
