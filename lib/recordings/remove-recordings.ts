import type { WorkerContext } from '@/lib/context';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { isUuid, newId } from '@/lib/infra/ids';
import { oldFolders } from '@/lib/infra/storage/storage-driver';

const batch = 50;
/** How long the segments of a failed recording are kept for inspection. */
const failedDays = 7;
const removingSeconds = 300;

/**
 * Removes from the storage what was recorded and is not wanted any more: of a deleted stream or asset (which has its own
 * copy), of a publish too short to be a recording, and of one that failed some days ago. @returns of how many sessions
 */
export async function removeRecordings(ctx: WorkerContext): Promise<number> {
  const lease = newId();
  // Marked, so that no segment is stored in between; the mark of a process that died runs out.
  const sessions = await ctx.db.$queryRaw<{ id: string }[]>`
    update "Session" set
      "recordingLease" = ${lease}::uuid,
      "recordingDueAt" = now() + ${removingSeconds}::int * interval '1 second'
    where "id" in (
      select "id" from "Session"
      where "recordingRemovedAt" is null and (
        "recording" in ('empty', 'deleted')
        or ("recording" = 'failed' and "endedAt" < now() - ${failedDays}::int * interval '1 day'))
      and ("recordingDueAt" is null or "recordingDueAt" <= now())
      limit ${batch} for update skip locked)
    returning "id"`;
  for (const { id } of sessions) {
    await ctx.storage.deletePrefix(recordingPrefix(id));
    await ctx.db.session.updateMany({
      where: { id, recordingLease: lease },
      data: { recordingRemovedAt: ctx.clock.now(), recordingLease: null, recordingDueAt: null },
    });
  }
  return sessions.length;
}

const dayMs = 24 * 3_600_000;

/**
 * Removes recordings of sessions without a row: their account was removed, and its rows with it.
 * @returns of how many sessions
 */
export async function removeOrphanedRecordings(ctx: WorkerContext): Promise<number> {
  let removed = 0;
  for await (const id of oldFolders(ctx.storage, 'recording/', new Date(ctx.clock.now().getTime() - dayMs))) {
    if (!isUuid(id) || (await ctx.db.session.count({ where: { id, recordingRemovedAt: null } })) > 0)
      continue;
    await ctx.storage.deletePrefix(recordingPrefix(id));
    removed++;
  }
  return removed;
}
