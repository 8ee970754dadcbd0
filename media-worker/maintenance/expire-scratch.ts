import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@/lib/core/units';
import { isStoryboardDue } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { isUnfinishedTask } from '@/lib/domain/tasks';
import { isUuid } from '@/lib/infra/ids';
import { storyboardScratch } from '@/media-worker/vod/import/make-storyboards';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';

const UUID_LENGTH = 36;

/** Deletes scratch folders (temporary files of tasks) that no unfinished task or storyboard needs, on the disk of this node. */
export async function expireScratch(ctx: WorkerContext): Promise<void> {
  const folder = scratchFolder(ctx.settings.dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    const id = name.slice(-UUID_LENGTH);
    if (!isUuid(id)) continue;
    if (prefixesWithoutRow.includes(name.slice(0, -UUID_LENGTH))) await deleteIfOld(ctx, join(folder, name));
    const isTaskFolder = name === id;
    if (!isTaskFolder && name !== storyboardScratch(id)) continue;
    const isNeeded = isTaskFolder ? await isUnfinishedTask(ctx, id) : await isStoryboardDue(ctx, id);
    if (!isNeeded) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Prefixes of scratch folders that belong to no row: a killed process leaves them behind. */
const prefixesWithoutRow = ['index-', 'reencode-', 'rendition-'];

/** Deletes a folder that has not changed for a day, which is longer than any work with such a folder takes. */
async function deleteIfOld({ clock }: Pick<WorkerContext, 'clock'>, folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null);
  if (stats && stats.mtimeMs < clock.now().getTime() - DAY_MS)
    await rm(folder, { recursive: true, force: true });
}
