import { MINUTE_MS } from '@/lib/core/units';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  completeStoryboard,
  listDueStoryboards,
  planStoryboards,
  postponeStoryboard,
  readDueStoryboard,
  type PlannedStoryboard,
  type DueStoryboard,
} from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { assetKey } from '@/lib/core/storage-keys';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { listFilesBelow } from './files-below';
import { makeStoryboard, type StoryboardSource } from './make-pictures';
import { openReadableIndex } from './readable-index';
import { FfmpegFailed } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import type { AddJobs } from '@/media-worker/kit/process/job-notifications';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';

/** One storyboard at a time, because nothing waits for it. */
const CONCURRENCY = 1;
/** Delay after an error of the storage or the machine. */
const RETRY_DELAY_MS = 30 * MINUTE_MS;

/** Name of the scratch folder for the storyboard of an asset, whose stored files are in the folder `filesId`. */
export const storyboardScratch = (filesId: string): string => `storyboard-${filesId}`;

/** Creates the handler of the queue `storyboards`. */
export function createStoryboardHandler(ctx: WorkerContext, queues: JobQueues): JobHandler<'storyboards'> {
  return {
    concurrency: CONCURRENCY,
    isLowPriority: true,
    run: ({ assetId }, signal) => makeStoryboardOf(ctx, assetId, signal),
    afterwards: ({ assetId }) => createStoryboardJobs(ctx, queues).addFor([assetId]),
  };
}

/** Adds one job per asset, due at the time in its row. */
export function createStoryboardJobs(ctx: WorkerContext, queues: JobQueues): AddJobs {
  const enqueueAll = async (storyboards: readonly PlannedStoryboard[]) => {
    for (const { assetId, delayMs } of storyboards) {
      await queues.enqueue('storyboards', { assetId }, { jobId: assetId, delayMs });
    }
  };
  return {
    addFor: async (ids) => enqueueAll(await planStoryboards(ctx, ids)),
    addAll: async () => {
      const dueStoryboards = await listDueStoryboards(ctx);
      await enqueueAll(dueStoryboards);
      if (dueStoryboards.length > 0) await queues.wake('storyboards');
    },
  };
}

/** Creates the storyboard of a ready asset. A second run creates the same files. */
export async function makeStoryboardOf(
  ctx: WorkerContext,
  assetId: string,
  signal: AbortSignal,
): Promise<void> {
  const dueStoryboard = await readDueStoryboard(ctx, assetId);
  if (!dueStoryboard) return;
  const scratch = join(scratchFolder(ctx.settings.dataDir), storyboardScratch(dueStoryboard.filesId));
  try {
    await createStoryboard(ctx, dueStoryboard, scratch, signal);
  } catch (error) {
    // The row stays due, so the next job continues.
    if (signal.aborted) return;
    if (error instanceof FfmpegFailed) {
      ctx.log.info({ assetId, reason: error.message }, 'storyboard not generated');
      await completeStoryboard(ctx, { filesId: dueStoryboard.filesId, hasStoryboard: false, bytes: 0 });
    } else {
      ctx.log.warn({ err: error, assetId }, 'storyboard postponed');
      await postponeStoryboard(ctx, { filesId: dueStoryboard.filesId, delayMs: RETRY_DELAY_MS });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function createStoryboard(
  ctx: WorkerContext,
  { filesId, videoKey, spec }: DueStoryboard,
  scratch: string,
  signal: AbortSignal,
): Promise<void> {
  const source: StoryboardSource = {
    index: await openReadableIndex(ctx, filesId),
    withFile: (use) => ctx.storage.withFile(videoKey, use),
  };
  await makeStoryboard(source, scratch, spec, { signal, durationSeconds: spec.duration });
  let bytes = 0;
  for (const file of await listFilesBelow(scratch)) {
    const path = join(scratch, file);
    bytes += (await stat(path)).size;
    const contentType = file.endsWith('.vtt') ? 'text/vtt' : 'image/jpeg';
    await ctx.storage.putFile(assetKey(filesId, file), path, { contentType });
  }
  await completeStoryboard(ctx, { filesId, hasStoryboard: true, bytes });
}
