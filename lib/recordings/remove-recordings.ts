import type { WorkerContext } from '@/lib/context';
import { recordingPrefix } from '@/lib/core/storage-keys';

const batch = 50;
/** What could not be made into a recording is kept for so long, for somebody to look at. */
const failedDays = 7;

/**
 * Removes from the storage what was recorded and is not wanted any more: of a deleted stream or asset (which has its own
 * copy), of a publish too short to be a recording, and of one that failed some days ago. @returns of how many sessions
 */
export async function removeRecordings(ctx: WorkerContext): Promise<number> {
  const sessions = await ctx.db.$queryRaw<{ id: string }[]>`
    select "id" from "Session"
    where "recordingRemovedAt" is null and (
      "recording" in ('empty', 'deleted')
      or ("recording" = 'failed' and "endedAt" < now() - ${failedDays}::int * interval '1 day'))
    and ("recordingDueAt" is null or "recordingDueAt" <= now())
    limit ${batch}`;
  for (const { id } of sessions) {
    await ctx.storage.deletePrefix(recordingPrefix(id));
    await ctx.db.session.updateMany({ where: { id }, data: { recordingRemovedAt: ctx.clock.now() } });
  }
  return sessions.length;
}
