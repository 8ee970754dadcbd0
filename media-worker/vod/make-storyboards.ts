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
} from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { assetKey } from '@/lib/core/storage-keys';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { filesBelow } from './make-hls';
import { makeStoryboard } from './make-pictures';
import { FfmpegFailed } from '../ffmpeg/run-ffmpeg-job';
import type { JobHandler } from '../process/workers';
import type { AddJobs } from '@/media-worker/process/nudges';
import { scratchFolder } from '@/media-worker/tasks/task-runs';

/** Low priority: nothing waits for these pictures. */
const concurrency = 1;
/** The storage, or the machine, could not do it. */
const retryMs = 30 * 60_000;

/** What making the pictures of an asset needs on the disk, as long as it runs. */
export const storyboardScratch = (assetId: string): string => `storyboard-${assetId}`;

/** Works on the queue `storyboards`. */
export function storyboards(ctx: WorkerContext, queues: JobQueues): JobHandler<'storyboards'> {
  return {
    concurrency,
    unhurried: true,
    run: ({ assetId }, signal) => makeStoryboardOf(ctx, assetId, signal),
    afterwards: ({ assetId }) => storyboardJobs(ctx, queues).some([assetId]),
  };
}

/** One job of an asset at a time, at the time its row says. */
export function storyboardJobs(ctx: WorkerContext, queues: JobQueues): AddJobs {
  const add = async (planned: readonly PlannedStoryboard[]) => {
    for (const { assetId, delayMs } of planned) {
      await queues.enqueue('storyboards', { assetId }, { jobId: assetId, delayMs });
    }
  };
  return {
    some: async (ids) => add(await planStoryboards(ctx, ids)),
    all: async () => {
      const due = await listDueStoryboards(ctx);
      await add(due);
      if (due.length > 0) await queues.wake('storyboards');
    },
  };
}

/** Makes the pictures of the timeline after an asset is ready. Run twice, it makes the same files. */
export async function makeStoryboardOf(
  ctx: WorkerContext,
  assetId: string,
  signal: AbortSignal,
): Promise<void> {
  const due = await readDueStoryboard(ctx, assetId);
  if (!due) return;
  const scratch = join(scratchFolder(ctx.settings.dataDir), storyboardScratch(assetId));
  try {
    await make(ctx, due, scratch, signal);
  } catch (error) {
    // Still due: the next job continues.
    if (signal.aborted) return;
    if (error instanceof FfmpegFailed) {
      ctx.log.info({ assetId, reason: error.message }, 'storyboard not generated');
      await completeStoryboard(ctx, { assetId, made: false, bytes: 0 });
    } else {
      ctx.log.warn({ err: error, assetId }, 'storyboard postponed');
      await postponeStoryboard(ctx, { assetId, laterMs: retryMs });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function make(
  ctx: WorkerContext,
  { assetId, videoKey, spec }: DueStoryboard,
  scratch: string,
  signal: AbortSignal,
): Promise<void> {
  await ctx.storage.withFile(videoKey, (path) =>
    makeStoryboard(path, scratch, spec, { signal, duration: spec.duration }),
  );
  let bytes = 0;
  for (const file of await filesBelow(scratch)) {
    const path = join(scratch, file);
    bytes += (await stat(path)).size;
    const contentType = file.endsWith('.vtt') ? 'text/vtt' : 'image/jpeg';
    await ctx.storage.putFile(assetKey(assetId, file), path, { contentType });
  }
  await completeStoryboard(ctx, { assetId, made: true, bytes });
}
