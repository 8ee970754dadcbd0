import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '@/lib/core/units';
import { isStoryboardDue } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { isUnfinishedTask } from '@/lib/domain/tasks';
import { isUuid } from '@/lib/infra/ids';
import { storyboardScratch } from '@/media-worker/vod/import/make-storyboards';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';

const uuidLength = 36;

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
