import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { windUpAccounts } from '@/lib/accounts';
import { expireUploads, removeBytes, removeOrphans } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { removeOrphanedRecordings } from '@/lib/recordings';
import { isUnfinishedTask } from '@/lib/tasks';
import { scratchFolder } from './task-runner';

const dayMs = 24 * 3_600_000;

/** Removes what nobody can ask for any more: a little every minute, and once a day what only a search finds. */
export function createTidying(ctx: WorkerContext): () => Promise<void> {
  // Not at once: a process that keeps being restarted would search all day.
  let searchedAt = ctx.clock.monotonic();
  return async () => {
    await expireUploads(ctx);
    const gone = await windUpAccounts(ctx);
    if (gone > 0) ctx.log.info({ gone }, 'deleted accounts removed');
    const removed = await removeBytes(ctx);
    if (removed > 0) ctx.log.info({ removed }, 'bytes of deleted assets removed');
    await removeScratch(ctx);
    if (ctx.clock.monotonic() - searchedAt < dayMs) return;
    searchedAt = ctx.clock.monotonic();
    const orphans = (await removeOrphans(ctx)) + (await removeOrphanedRecordings(ctx));
    if (orphans > 0) ctx.log.warn({ orphans }, 'folders without an asset or a session removed');
    await ctx.storage.removeOldParts(new Date(ctx.clock.now().getTime() - dayMs));
  };
}

/** Folders of tasks that are over; those of tasks that go on are still needed. */
async function removeScratch(ctx: WorkerContext): Promise<void> {
  const folder = scratchFolder(ctx.settings.dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/^[0-9a-f-]{36}$/.test(name) || (await isUnfinishedTask(ctx, name))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
