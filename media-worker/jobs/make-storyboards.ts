import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  endStoryboardOrder,
  renewStoryboardOrder,
  returnStoryboardOrder,
  takeStoryboardOrder,
  type StoryboardOrder,
} from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { assetKey } from '@/lib/core/storage-keys';
import { every } from '../every';
import { filesBelow } from '../vod/make-hls';
import { makeStoryboard } from '../vod/make-pictures';
import { FfmpegFailed } from '../vod/run-ffmpeg-job';
import { scratchFolder } from './task-runner';

const renewMs = 15_000;
/** The storage, or the machine, could not do it: nobody waits for these pictures. */
const afterErrorMs = 30 * 60_000;

/** What making the pictures of an asset needs on the disk, as long as it runs. */
export const storyboardScratch = (assetId: string): string => `storyboard-${assetId}`;

/** Makes the pictures of the timeline after an asset is ready, one asset after the other, until none is due. */
export async function makeStoryboards(ctx: WorkerContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const order = await takeStoryboardOrder(ctx);
    if (!order) return;
    const scratch = join(scratchFolder(ctx.settings.dataDir), storyboardScratch(order.assetId));
    const alive = every(renewMs, 'storyboard', ctx.log, () => renewStoryboardOrder(ctx, order.assetId));
    try {
      try {
        await make(ctx, order, scratch, signal);
      } finally {
        await alive.close();
      }
    } catch (error) {
      const { assetId } = order;
      if (hasEnded(signal)) await returnStoryboardOrder(ctx, { assetId, laterMs: 0 });
      else if (error instanceof FfmpegFailed) {
        ctx.log.info({ assetId, reason: error.message }, 'storyboard not generated');
        await endStoryboardOrder(ctx, { assetId, made: false, bytes: 0 });
      } else {
        await returnStoryboardOrder(ctx, { assetId, laterMs: afterErrorMs });
        throw error;
      }
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}

/** Asked again, because it changes while something is awaited. */
const hasEnded = (signal: AbortSignal): boolean => signal.aborted;

async function make(
  ctx: WorkerContext,
  { assetId, videoKey, spec }: StoryboardOrder,
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
  await endStoryboardOrder(ctx, { assetId, made: true, bytes });
}
