import { DAY_MS } from '@/lib/core/units';
import { deleteAudience } from '@/lib/domain/audience';
import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { assetPrefix } from '@/lib/core/storage-keys';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import type { Asset } from '@/lib/generated/prisma/client';
import { deleteIpfsCopy } from './ipfs/ipfs-blocks';
import { filesIdOf } from './internal';
import { deleteRenditions } from './renditions';

const RESTORABLE_MS = 7 * DAY_MS;
/** Period in which viewers can finish watching a replaced file. */
const REPLACED_FILE_LIFETIME_MS = DAY_MS;
const BATCH_SIZE = 20;

/** Assets deleted after this time can still be restored. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - RESTORABLE_MS);

/**
 * Deletes the files of assets that were deleted or failed a week ago, and files that were replaced a day ago, in batches.
 * @returns the number of assets; after a full batch more may be due
 */
export async function deleteBytes(ctx: WorkerContext): Promise<number> {
  const now = ctx.clock.now();
  const restorableBefore = restorableSince(now);
  const replacedBefore = new Date(now.getTime() - REPLACED_FILE_LIFETIME_MS);
  // Unfinished tasks may still read the files.
  const withoutOpenTasks = { inputOf: { none: { phase: { in: [...unfinishedTaskPhases] } } } };
  const dueAssets = await ctx.db.asset.findMany({
    where: {
      bytesRemovedAt: null,
      ...withoutOpenTasks,
      OR: [
        { deletedAt: { lte: restorableBefore } },
        { phase: 'failed', statusUpdatedAt: { lte: restorableBefore } },
        // The hidden row of a replaced file: tasks of its asset may still read the previous file.
        { deletedAt: { lte: replacedBefore }, replaces: withoutOpenTasks },
      ],
    },
    orderBy: { statusUpdatedAt: 'asc' },
    take: BATCH_SIZE,
  });
  let deletedCount = 0;
  for (const row of dueAssets) if (await deleteAssetFiles(ctx, row)) deletedCount++;
  return deletedCount;
}

/**
 * Deletes the files of an asset, then its dependent rows: a crash in between is repaired by the next run.
 * @returns false while a backup keeps the files
 */
async function deleteAssetFiles(ctx: WorkerContext, row: Asset): Promise<boolean> {
  const filesId = filesIdOf(row);
  const keys = [assetPrefix(filesId), uploadedObjectKey(row.playbackId)];
  for (const key of keys) if (!(await deleteFiles(ctx, key))) return false;
  if (!(await deleteRenditions(ctx, filesId))) return false;
  await ctx.db.assetTrack.deleteMany({ where: { assetId: row.id } });
  await deleteAudience(ctx, [row.id]);
  await ctx.db.asset.updateMany({
    where: { id: row.id },
    data: { bytesRemovedAt: ctx.clock.now(), storedBytes: 0, ipfsBytes: 0 },
  });
  for (const cid of [row.cid, row.nftMetadataCid]) if (cid !== null) await deleteIpfsCopy(ctx, cid);
  return true;
}
