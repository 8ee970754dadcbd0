import { DAY_MS } from '@/lib/core/units';
import { deleteFiles } from '@/lib/domain/backup';
import type { SystemContext, WorkerContext } from '@/lib/domain/context';
import type { Profile } from '@/lib/contract/streams/profile';
import { bytesToEvict } from '@/lib/core/renditions/rendition-budget';
import { renditionPrefix, renditionRoot } from '@/lib/core/storage-keys';
import { isUuid } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { listOldFolders } from '@/lib/infra/storage/storage-driver';
import { filesIdOf, havingFiles } from './internal';

/** A stored file of a rendition that was encoded for a viewer. */
export interface UsedRendition {
  /** Storage key. */
  readonly key: string;
  /** Folder of the files that it was encoded from (`Asset.filesId`). */
  readonly filesId: string;
  readonly bytes: number;
}

/** Number of files per batch. */
const BATCH_SIZE = 200;

/** Records that these files were encoded or served now. Files of deleted assets are skipped. */
export async function recordRenditionUse(
  { db, clock }: Pick<SystemContext, 'db' | 'clock'>,
  uses: readonly UsedRendition[],
): Promise<void> {
  for (let offset = 0; offset < uses.length; offset += BATCH_SIZE) {
    const rows = uses.slice(offset, offset + BATCH_SIZE);
    await db.$executeRaw`
      insert into "RenditionFile" ("key", "assetId", "bytes", "usedAt")
      select u.key, u.folder::uuid, u.bytes, ${clock.now()}
      from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ filesId }) => filesId)}::text[],
                  ${rows.map(({ bytes }) => bytes)}::int[]) as u(key, folder, bytes)
      join "Asset" on "Asset"."id" = u.folder::uuid
      on conflict ("key") do update set "usedAt" = excluded."usedAt", "bytes" = excluded."bytes"`;
  }
}

/** Properties of an asset that its renditions depend on. */
export interface WatchableAsset {
  /** Renditions requested at creation; null for the defaults of the file. */
  readonly profiles: readonly Profile[] | null;
}

const watchableFilter = { phase: 'ready', deletedAt: null, bytesRemovedAt: null } as const;

/**
 * Asset whose renditions viewers can request; null if viewers cannot access these files.
 * @param filesId folder of the files
 */
export async function findWatchableAsset(
  { db }: Pick<SystemContext, 'db'>,
  filesId: string,
): Promise<WatchableAsset | null> {
  const select = { profiles: true } as const;
  const currentAsset = await db.asset.findFirst({
    where: { ...havingFiles(filesId), ...watchableFilter },
    select,
  });
  const row =
    currentAsset ??
    (await db.asset.findFirst({
      where: {
        ...watchableFilter,
        replacements: { some: { filesId, phase: 'ready', bytesRemovedAt: null } },
      },
      select,
    }));
  return row && { profiles: row.profiles as readonly Profile[] | null };
}

/** An asset with renditions that are not encoded yet. */
export interface DueRenditions extends WatchableAsset {
  readonly assetId: string;
  /** Folder of the asset's files. */
  readonly filesId: string;
  /** Storage keys of the encoded renditions of all listed assets. */
  readonly storedKeys: ReadonlySet<string>;
}

const MAX_DUE_ASSETS = 5;
/**
 * Time limit for encoding in advance. A rendition that does not fit the machine or the cache by then is encoded when it is
 * watched.
 */
const ENCODE_IN_ADVANCE_MS = DAY_MS;

/** The assets that have waited longest for their renditions within the time limit, at most five. */
export async function listDueRenditions({
  db,
  clock,
}: Pick<SystemContext, 'db' | 'clock'>): Promise<DueRenditions[]> {
  const since = new Date(clock.now().getTime() - ENCODE_IN_ADVANCE_MS);
  const dueAssets = await db.asset.findMany({
    where: { ...watchableFilter, renditionsDueAt: { gt: since } },
    select: { id: true, filesId: true, profiles: true },
    orderBy: { renditionsDueAt: 'asc' },
    take: MAX_DUE_ASSETS,
  });
  const folders = dueAssets.map(filesIdOf);
  const files = await db.renditionFile.findMany({ where: { assetId: { in: folders } } });
  const storedKeys = new Set(files.map(({ key }) => key));
  return dueAssets.map((row) => ({
    assetId: row.id,
    filesId: filesIdOf(row),
    storedKeys,
    profiles: row.profiles as readonly Profile[] | null,
  }));
}

/** Ends encoding in advance: all renditions are encoded, or the asset needs none. */
export async function completeRenditions(
  { db }: Pick<SystemContext, 'db'>,
  { assetId: id, filesId }: Pick<DueRenditions, 'assetId' | 'filesId'>,
): Promise<void> {
  await db.asset.updateMany({ where: { id, ...havingFiles(filesId) }, data: { renditionsDueAt: null } });
}

/** Notifies the origins that the encoding of a file has ended; they check whether the file exists. */
export async function notifyRenditionEnd({ db }: Pick<SystemContext, 'db'>, key: string): Promise<void> {
  await notify(db, 'rendition_ended', key);
}

/**
 * Deletes the least recently used files until the others fit into the limit.
 * @returns their number
 */
export async function evictRenditions(ctx: WorkerContext): Promise<number> {
  const { db, settings } = ctx;
  const { _sum: stored } = await db.renditionFile.aggregate({ _sum: { bytes: true } });
  let bytesToFree = bytesToEvict(stored.bytes ?? 0, settings.renditionCacheBytes);
  let deletedCount = 0;
  while (bytesToFree > 0) {
    const oldestFiles = await db.renditionFile.findMany({ orderBy: { usedAt: 'asc' }, take: BATCH_SIZE });
    if (oldestFiles.length === 0) return deletedCount;
    for (const { key, bytes } of oldestFiles) {
      if (bytesToFree <= 0) break;
      // The row is deleted last: a crash in between is repaired by the next run.
      if (!(await deleteFiles(ctx, key))) return deletedCount;
      await db.renditionFile.deleteMany({ where: { key } });
      bytesToFree -= bytes;
      deletedCount++;
    }
  }
  return deletedCount;
}

/**
 * Deletes every rendition of the files in one folder.
 * @returns false while a backup keeps the files
 */
export async function deleteRenditions(ctx: WorkerContext, filesId: string): Promise<boolean> {
  if (!(await deleteFiles(ctx, renditionPrefix(filesId)))) return false;
  await ctx.db.renditionFile.deleteMany({ where: { assetId: filesId } });
  return true;
}

/**
 * Deletes renditions of assets that have no row or whose files were deleted.
 * @param cutoff only files older than this time are deleted
 * @returns the number of deleted folders
 */
export async function deleteOrphanedRenditions(ctx: WorkerContext, cutoff: Date): Promise<number> {
  let deletedCount = 0;
  for await (const id of listOldFolders(ctx.storage, renditionRoot, cutoff)) {
    if (isUuid(id) && (await ctx.db.asset.count({ where: { ...havingFiles(id), bytesRemovedAt: null } })) > 0)
      continue;
    if (await deleteFiles(ctx, `${renditionRoot}${id}/`)) deletedCount++;
  }
  return deletedCount;
}
