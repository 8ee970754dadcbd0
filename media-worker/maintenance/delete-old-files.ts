import type { SweepName } from '@/lib/contract/jobs';
import { DAY_MS } from '@/lib/core/units';
import { expireDeletedAccounts } from '@/lib/domain/accounts';
import {
  deleteBytes,
  deleteImportedUploads,
  deleteOrphanedPosters,
  deleteOrphans,
  evictRenditions,
  expireUploads,
} from '@/lib/domain/assets';
import { deleteLogosOfDeletedTeams, deleteOrphanedLogos } from '@/lib/domain/brand';
import type { WorkerContext } from '@/lib/domain/context';
import { deleteOrphanedRecordings, deleteRecordings, expireDvrSegments } from '@/lib/domain/sessions';
import { deleteOrphanedSlatePictures } from '@/lib/domain/streams';

/** Deletes one kind of old files. Resolves to the number of deleted files if it counts them. */
type Deletion = (ctx: WorkerContext) => Promise<unknown>;

/**
 * Everything that deletes old files from the storage, by sweep. A sweep runs its list in this order, once per period
 * (lib/contract/jobs.ts), on one node. Files on the disk of one node are deleted by that node: folders of finished tasks
 * (expire-scratch.ts), spooled segments (media-worker/recording/drain-spool.ts), unfinished uploads
 * (media-worker/delivery/uploads/upload-tus.ts) and caches (lib/infra/cache/cache-folder.ts).
 */
export const oldFiles = {
  /** Recordings of deleted streams and assets, of sessions without media, and of recordings that failed days ago. */
  recordings: { recordings: deleteRecordings },
  dvr: { 'segments beyond the DVR window': expireDvrSegments },
  storage: {
    'uploads that were never completed': expireUploads,
    'logos of deleted teams': deleteLogosOfDeletedTeams,
    // Marks the files of an account as deleted; the sweeps delete them, then this deletes the rows.
    'deleted accounts': expireDeletedAccounts,
    'files of deleted assets': deleteBytes,
    'imported uploads': deleteImportedUploads,
    'least recently watched renditions': evictRenditions,
  },
  /** Files that only a search of the whole storage finds, because no row names them. */
  orphans: {
    'files of assets without a row': deleteOrphans,
    'recordings without a row': deleteOrphanedRecordings,
    'logos without a team': deleteOrphanedLogos,
    'slate pictures without a stream': deleteOrphanedSlatePictures,
    'posters without an asset or stream': deleteOrphanedPosters,
    // Killed processes leave these behind, so they are no reason for a warning.
    'parts of interrupted writes': async ({ storage, clock }) => {
      await storage.deleteAbandonedFiles(new Date(clock.now().getTime() - DAY_MS));
    },
  },
} satisfies Partial<Record<SweepName, Readonly<Record<string, Deletion>>>>;

/**
 * Deletes the old files of a sweep.
 * @throws Error the first failure, after all deletions of the sweep were tried
 */
export function deleteOldFiles(ctx: WorkerContext, sweep: keyof typeof oldFiles): Promise<void> {
  return runDeletions(ctx, sweep, oldFiles[sweep]);
}

/**
 * Runs every deletion of a sweep in its order. A failed one does not stop the later ones: a broken file must not fill the
 * disk with others.
 *
 * @throws Error the first failure, so that the sweep is tried again
 */
export async function runDeletions(
  ctx: WorkerContext,
  sweep: SweepName,
  deletions: Readonly<Record<string, Deletion>>,
): Promise<void> {
  // Deleted rows delete their files, so a file without a row is unexpected.
  const level = sweep === 'orphans' ? 'warn' : 'info';
  const failures: unknown[] = [];
  for (const [files, deleteFiles] of Object.entries(deletions)) {
    try {
      const count = await deleteFiles(ctx);
      if (typeof count === 'number' && count > 0)
        ctx.log[level]({ sweep, files, count }, 'old files deleted');
    } catch (error) {
      ctx.log.warn({ sweep, files, err: error }, 'old files not deleted');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
