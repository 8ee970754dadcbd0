import type { SystemContext } from '@/lib/context';
import { quietChildren } from './child-stream';

/**
 * The publisher of this stream is gone: its session waits for a reconnect, and its child object is idle.
 * Nothing happens when it waits already.
 */
export async function parkSession(ctx: SystemContext, streamId: string): Promise<void> {
  await ctx.db.session.updateMany({
    where: { parentId: streamId, state: 'live' },
    data: { state: 'waiting' },
  });
  await quietChildren(ctx, streamId);
}
