import { DAY_MS } from '@/lib/core/units';
import { deleteFiles } from '@/lib/domain/backup';
import type { WorkerContext } from '@/lib/domain/context';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { isUuid, newId } from '@/lib/infra/ids';
import { listOldFolders } from '@/lib/infra/storage/storage-driver';

const BATCH_SIZE = 50;
/** Days for which the segments of a failed recording are kept for inspection. */
const FAILED_RETENTION_DAYS = 7;
const LEASE_SECONDS = 300;

/**
 * Deletes the files of recordings that are no longer needed: deleted with their stream or asset (an asset has its own
 * copy), too short to play, stored for DVR only, or failed days ago.
 * @returns number of sessions
 */
export async function deleteRecordings(ctx: WorkerContext): Promise<number> {
  const lease = newId();
  // The lease prevents segments from being stored during the deletion; the lease of a dead process expires.
  const sessions = await ctx.db.$queryRaw<{ id: string }[]>`
    update "Session" set
      "recordingLease" = ${lease}::uuid,
      "recordingDueAt" = now() + ${LEASE_SECONDS}::int * interval '1 second'
    where "id" in (
      select "id" from "Session"
      where "recordingRemovedAt" is null and (
        "recording" in ('empty', 'deleted')
        or ("recording" = 'failed' and "endedAt" < now() - ${FAILED_RETENTION_DAYS}::int * interval '1 day'))
      and ("recordingDueAt" is null or "recordingDueAt" <= now())
      limit ${BATCH_SIZE} for update skip locked)
    returning "id"`;
  let deletedCount = 0;
  for (const { id } of sessions) {
    // The next sweep after the lease retries the deletion.
    if (!(await deleteFiles(ctx, recordingPrefix(id)))) continue;
    await ctx.db.session.updateMany({
      where: { id, recordingLease: lease },
      data: { recordingRemovedAt: ctx.clock.now(), recordingLease: null, recordingDueAt: null },
    });
    deletedCount++;
  }
  return deletedCount;
}

/**
 * Deletes recorded files of sessions that have no row, because their team was deleted, or whose recording was deleted.
 * @returns number of sessions
 */
export async function deleteOrphanedRecordings(ctx: WorkerContext): Promise<number> {
  let deletedCount = 0;
  for await (const id of listOldFolders(
    ctx.storage,
    'recording/',
    new Date(ctx.clock.now().getTime() - DAY_MS),
  )) {
    if (!isUuid(id) || (await ctx.db.session.count({ where: { id, recordingRemovedAt: null } })) > 0)
      continue;
    if (await deleteFiles(ctx, recordingPrefix(id))) deletedCount++;
  }
  return deletedCount;
}
