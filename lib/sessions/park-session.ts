import type { SystemContext } from '@/lib/context';
import { sessionStateAfter, sessionStatesBefore } from '@/lib/core/session-state';
import { quietChildren } from './child-stream';

/**
 * The publisher of this stream is gone: its session waits for a reconnect, and its child object is idle.
 * Nothing happens when it waits already.
 */
export async function parkSession(ctx: SystemContext, streamId: string): Promise<void> {
  await ctx.db.session.updateMany({
    where: { parentId: streamId, state: { in: sessionStatesBefore('unpublished') } },
    data: { state: sessionStateAfter('unpublished') },
  });
  await quietChildren(ctx, streamId);
}
