import type { WorkerContext } from '@/lib/context';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { isUuid } from '@/lib/infra/ids';
import { oldFolders } from '@/lib/infra/storage/old-folders';

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
