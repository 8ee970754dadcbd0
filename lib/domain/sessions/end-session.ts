import { type SystemContext, transact } from '@/lib/domain/context';
import {
  nextSessionState,
  sessionStateAfter,
  sessionStatesBefore,
} from '@/lib/core/recordings/session-state';
import { notify } from '@/lib/infra/notifications';
import { endRecording } from './step-recording';
import { idleChildStreams } from './child-stream';
import { databaseNow } from '@/lib/infra/db';
import { factsOf } from './internal';

/**
 * Ends a waiting session whose reconnect window is over, counted from its last media; what was recorded in it is due to be
 * finished. @returns whether it ended
 */
export async function endExpiredSession(ctx: SystemContext, sessionId: string): Promise<boolean> {
  const state = { in: sessionStatesBefore('clock') };
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, state } });
  if (!session) return false;
  const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
  const now = await databaseNow(ctx.db);
  const next = nextSessionState(factsOf(session), { type: 'clock', at: now.getTime() }, windowMs);
  if (!('state' in next)) return false;
  // Conditional on what was read: a publish that resumes the session at this moment wins.
  return transact(ctx, async (tx) => {
    const [ended] = await tx.db.session.updateManyAndReturn({
      where: { id: session.id, state: session.state, lastSeen: session.lastSeen },
      data: { state: next.state, endedAt: now },
    });
    // From the row that is locked now: its recording may have been found since the read above.
    if (ended) await endRecording(tx, ended);
    return ended !== undefined;
  });
}

/**
 * The publisher of this stream is gone: its session waits for a reconnect, and its child object is idle.
 * Nothing happens when it waits already.
 */
export async function startReconnectWindow(ctx: SystemContext, streamId: string): Promise<void> {
  const parked = await ctx.db.session.updateManyAndReturn({
    where: { parentId: streamId, state: { in: sessionStatesBefore('unpublished') } },
    data: { state: sessionStateAfter('unpublished') },
    select: { id: true },
  });
  for (const { id } of parked) await notify(ctx.db, 'session_due', id);
  await idleChildStreams(ctx, streamId);
}
