import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { windUpAccounts } from '@/lib/accounts';
import { expireUploads, isStoryboardDue, removeBytes, removeOrphans } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { isUuid } from '@/lib/infra/ids';
import { removeOrphanedRecordings } from '@/lib/recordings';
import { isUnfinishedTask } from '@/lib/tasks';
import { storyboardScratch } from './make-storyboards';
import { scratchFolder } from './task-runner';

const dayMs = 24 * 3_600_000;
const firstSearchMs = 10 * 60_000;
const uuidLength = 36;

/** Removes what nobody can ask for any more: a little every minute, and once a day what only a search finds. */
export function createTidying(ctx: WorkerContext): () => Promise<void> {
  // Not at once: a process that keeps being restarted would search all day.
  let searchAt = ctx.clock.monotonic() + firstSearchMs;
  return async () => {
    await expireUploads(ctx);
    const gone = await windUpAccounts(ctx);
    if (gone > 0) ctx.log.info({ gone }, 'deleted accounts removed');
    const removed = await removeBytes(ctx);
    if (removed > 0) ctx.log.info({ removed }, 'bytes of deleted assets removed');
    await removeScratch(ctx);
    if (ctx.clock.monotonic() < searchAt) return;
    searchAt = ctx.clock.monotonic() + dayMs;
    const orphans = (await removeOrphans(ctx)) + (await removeOrphanedRecordings(ctx));
    if (orphans > 0) ctx.log.warn({ orphans }, 'folders without an asset or a session removed');
    await ctx.storage.removeOldParts(new Date(ctx.clock.now().getTime() - dayMs));
  };
}

/** Folders of what is over, or was asked of a process that died; what goes on still needs its own. */
async function removeScratch(ctx: WorkerContext): Promise<void> {
  const folder = scratchFolder(ctx.settings.dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    const id = name.slice(-uuidLength);
    if (!isUuid(id)) continue;
    const ofTask = name === id;
    if (!ofTask && name !== storyboardScratch(id)) continue;
    const needed = ofTask ? await isUnfinishedTask(ctx, id) : await isStoryboardDue(ctx, id);
    if (!needed) await rm(join(folder, name), { recursive: true, force: true });
  }
}
