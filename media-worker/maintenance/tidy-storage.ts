import { dayMs } from '@/lib/core/units';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expireDeletedAccounts } from '@/lib/domain/accounts';
import {
  evictRenditions,
  expireUploads,
  isStoryboardDue,
  deleteBytes,
  deleteImportedUploads,
  deleteOrphans,
  deleteOrphanedPosters,
} from '@/lib/domain/assets';
import { deleteLogosOfDeletedTeams, deleteOrphanedLogos } from '@/lib/domain/brand';
import type { WorkerContext } from '@/lib/domain/context';
import { isUuid } from '@/lib/infra/ids';
import { deleteOrphanedRecordings } from '@/lib/domain/recordings';
import { deleteOrphanedSlatePictures } from '@/lib/domain/streams';
import { isUnfinishedTask } from '@/lib/domain/tasks';
import { storyboardScratch } from '@/media-worker/vod/import/make-storyboards';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';

const uuidLength = 36;

/** Deletes files that can no longer be requested. */
export async function tidyStorage(ctx: WorkerContext): Promise<void> {
  await expireUploads(ctx);
  await deleteLogosOfDeletedTeams(ctx);
  const expiredCount = await expireDeletedAccounts(ctx);
  if (expiredCount > 0) ctx.log.info({ gone: expiredCount }, 'deleted accounts purged');
  const deletedCount = await deleteBytes(ctx);
  if (deletedCount > 0) ctx.log.info({ removed: deletedCount }, 'files of deleted assets removed');
  await deleteImportedUploads(ctx);
  const evictedCount = await evictRenditions(ctx);
  if (evictedCount > 0) ctx.log.info({ evicted: evictedCount }, 'least recently watched renditions removed');
}

/** Deletes files that only a search of the whole storage finds. */
export async function searchOrphans(ctx: WorkerContext): Promise<void> {
  const orphans =
    (await deleteOrphans(ctx)) +
    (await deleteOrphanedRecordings(ctx)) +
    (await deleteOrphanedLogos(ctx)) +
    (await deleteOrphanedSlatePictures(ctx)) +
    (await deleteOrphanedPosters(ctx));
  if (orphans > 0) ctx.log.warn({ orphans }, 'orphaned files removed');
  await ctx.storage.expireParts(new Date(ctx.clock.now().getTime() - dayMs));
}

/** Removes scratch folders of finished tasks on the disk of this node; unfinished tasks still need theirs. */
export async function expireScratch(ctx: WorkerContext): Promise<void> {
  const folder = scratchFolder(ctx.settings.dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    const id = name.slice(-uuidLength);
    if (!isUuid(id)) continue;
    if (ofNoRow.includes(name.slice(0, -uuidLength))) await removeOld(ctx, join(folder, name));
    const ofTask = name === id;
    if (!ofTask && name !== storyboardScratch(id)) continue;
    const isNeeded = ofTask ? await isUnfinishedTask(ctx, id) : await isStoryboardDue(ctx, id);
    if (!isNeeded) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Prefixes of scratch folders that belong to no row: a killed process leaves them behind. */
const ofNoRow = ['index-', 'reencode-', 'rendition-'];

/** Deletes a folder that has not changed for a day, which is longer than any such task takes. */
async function removeOld({ clock }: Pick<WorkerContext, 'clock'>, folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null);
  if (stats && stats.mtimeMs < clock.now().getTime() - dayMs)
    await rm(folder, { recursive: true, force: true });
}
