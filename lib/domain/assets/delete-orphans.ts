import { DAY_MS } from '@/lib/core/units';
import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { assetPrefix } from '@/lib/core/storage-keys';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import { isUuid } from '@/lib/infra/ids';
import { listOldFolders } from '@/lib/infra/storage/storage-driver';
import { havingFiles } from './internal';
import { deleteIpfsCopy } from './ipfs/ipfs-blocks';
import { deleteOrphanedRenditions } from './renditions';

/**
 * Deletes files and renditions of assets that have no row (their team was deleted) or whose files were deleted, and
 * unreferenced copies for IPFS.
 * @returns their number
 */
export async function deleteOrphans(ctx: WorkerContext): Promise<number> {
  const cutoff = new Date(ctx.clock.now().getTime() - DAY_MS);
  let deletedCount = 0;
  for await (const id of listOldFolders(ctx.storage, 'asset/', cutoff)) {
    if (
      !isUuid(id) ||
      (await ctx.db.asset.count({ where: { ...havingFiles(id), bytesRemovedAt: null } })) > 0
    )
      continue;
    if (await deleteFiles(ctx, assetPrefix(id))) deletedCount++;
  }
  deletedCount += await deleteOrphanedRenditions(ctx, cutoff);
  return deletedCount + (await deleteUnusedCopies(ctx, cutoff));
}

/**
 * Deletes copies for IPFS that no asset references, because the asset was exported with other metadata or its row was
 * deleted. Skipped while an export runs: a new copy is a link to an old file, so it looks old.
 */
async function deleteUnusedCopies(ctx: WorkerContext, cutoff: Date): Promise<number> {
  let deletedCount = 0;
  for (const prefix of ['ipfs/', 'ipfs-archive/']) {
    for await (const cid of listOldFolders(ctx.storage, prefix, cutoff)) {
      const unfinishedExports = { type: 'export', phase: { in: [...unfinishedTaskPhases] } };
      if ((await ctx.db.task.count({ where: unfinishedExports })) > 0) return deletedCount;
      if (await deleteIpfsCopy(ctx, cid)) deletedCount++;
    }
  }
  return deletedCount;
}
