import type { SystemContext } from '@/lib/context';

/** The publisher of this stream is gone: its session waits for a reconnect. Nothing happens when it waits already. */
export async function parkSession(ctx: SystemContext, streamId: string): Promise<void> {
  await ctx.db.session.updateMany({
    where: { parentId: streamId, state: 'live' },
    data: { state: 'waiting' },
  });
}
