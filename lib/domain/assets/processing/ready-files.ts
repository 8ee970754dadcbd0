import type { SystemContext } from '@/lib/domain/context';
import { havingFiles } from '@/lib/domain/assets/internal';

/** The files of a ready asset. */
export interface ReadyFiles {
  /** Id of the asset. */
  readonly id: string;
  /** Folder of the files in the storage. */
  readonly filesId: string;
}

/** A page of ready assets, ordered by id. */
export async function listReadyFiles(
  { db }: SystemContext,
  { after, take }: { readonly after: string | null; readonly take: number },
): Promise<ReadyFiles[]> {
  const rows = await db.asset.findMany({
    where: { phase: 'ready', bytesRemovedAt: null, ...(after === null ? {} : { id: { gt: after } }) },
    select: { id: true, filesId: true },
    orderBy: { id: 'asc' },
    take,
  });
  return rows.map(({ id, filesId }) => ({ id, filesId: filesId ?? id }));
}

/** Whether one of the renditions was watched since a time. */
export async function isWatchedSince({ db }: SystemContext, filesId: string, since: Date): Promise<boolean> {
  const recentlyUsedFile = await db.renditionFile.findFirst({
    where: { assetId: filesId, usedAt: { gt: since } },
  });
  return recentlyUsedFile !== null;
}

/** Updates the stored size of an asset after some of its files were deleted. */
export async function recordStoredBytes(
  { db }: SystemContext,
  { filesId, bytes }: { readonly filesId: string; readonly bytes: number },
): Promise<void> {
  await db.asset.updateMany({ where: havingFiles(filesId), data: { storedBytes: bytes } });
}
