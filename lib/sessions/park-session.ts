import type { SystemContext } from '@/lib/context';
import { sessionStateAfter, sessionStatesBefore } from '@/lib/core/session-state';
import { notify } from '@/lib/infra/notifications';
import { quietChildren } from './child-stream';

/**
 * The publisher of this stream is gone: its session waits for a reconnect, and its child object is idle.
 * Nothing happens when it waits already.
 */
export async function parkSession(ctx: SystemContext, streamId: string): Promise<void> {
  const parked = await ctx.db.session.updateManyAndReturn({
    where: { parentId: streamId, state: { in: sessionStatesBefore('unpublished') } },
    data: { state: sessionStateAfter('unpublished') },
    select: { id: true },
  });
  for (const { id } of parked) await notify(ctx.db, 'session_due', id);
  await quietChildren(ctx, streamId);
}
