import type { SystemContext } from '@/lib/context';

/** Where a stream is published to; `url` is null when its row names no node. */
export interface LocatedLive {
  readonly url: string | null;
}

/** The internal address of the node with the live publish of this playback id; null if it can't be played. */
export async function locateLive(ctx: SystemContext, playbackId: string): Promise<LocatedLive | null> {
  const stream = await ctx.db.stream.findFirst({
    where: { playbackId, deletedAt: null, suspended: false, parentId: null, account: { suspended: false } },
    select: { liveNode: { select: { url: true } } },
  });
  return stream && { url: stream.liveNode?.url ?? null };
}
