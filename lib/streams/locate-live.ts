import type { SystemContext } from '@/lib/context';

/** The internal address of the node that holds the running publish of this playback id; `null` when nothing is live. */
export async function locateLive(ctx: SystemContext, playbackId: string): Promise<string | null> {
  const stream = await ctx.db.stream.findFirst({
    where: { playbackId, deletedAt: null, suspended: false, account: { suspended: false } },
    select: { liveNode: { select: { url: true } } },
  });
  return stream?.liveNode?.url ?? null;
}
