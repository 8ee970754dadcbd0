import { MINUTE_MS } from '@/lib/core/units';
import { uploadedObjectKey } from '@/lib/core/access/upload-token';
import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { listOldFolders } from '@/lib/infra/storage/storage-driver';

/** Minimum age of a deleted upload, because a finished import deletes its upload itself. */
const MIN_AGE_MS = 10 * MINUTE_MS;
const BATCH_SIZE = 500;

/**
 * Deletes uploaded files whose asset is ready or gone: the import was interrupted after it finished, or a backup kept
 * the file.
 * @returns their number
 */
export async function deleteImportedUploads(ctx: WorkerContext): Promise<number> {
  const cutoff = new Date(ctx.clock.now().getTime() - MIN_AGE_MS);
  let deletedCount = 0;
  let playbackIds: string[] = [];
  for await (const playbackId of listOldFolders(ctx.storage, 'directUpload/', cutoff)) {
    playbackIds.push(playbackId);
    if (playbackIds.length < BATCH_SIZE) continue;
    deletedCount += await deleteUnneeded(ctx, playbackIds);
    playbackIds = [];
  }
  return deletedCount + (await deleteUnneeded(ctx, playbackIds));
}

async function deleteUnneeded(ctx: WorkerContext, playbackIds: readonly string[]): Promise<number> {
  if (playbackIds.length === 0) return 0;
  const unreadyAssets = await ctx.db.asset.findMany({
    where: { playbackId: { in: [...playbackIds] }, bytesRemovedAt: null, phase: { not: 'ready' } },
    select: { playbackId: true },
  });
  const neededIds = new Set(unreadyAssets.map(({ playbackId }) => playbackId));
  let deletedCount = 0;
  for (const playbackId of playbackIds)
    if (!neededIds.has(playbackId) && (await deleteFiles(ctx, uploadedObjectKey(playbackId)))) deletedCount++;
  return deletedCount;
}
