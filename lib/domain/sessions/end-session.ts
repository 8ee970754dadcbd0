import { type SystemContext, transact } from '@/lib/domain/context';
import { nextSessionState, sessionMachine } from '@/lib/core/sessions/session-state';
import { notify } from '@/lib/infra/notifications';
import { endRecording } from './step-recording';
import { idleChildStreams } from './child-stream';
import { databaseNow } from '@/lib/infra/db';
import { factsOf } from './internal';

/**
 * Ends a waiting session whose reconnect window is over, counted from its last media. Its recording becomes due.
 * @returns whether it ended
 */
export async function endExpiredSession(ctx: SystemContext, sessionId: string): Promise<boolean> {
  const state = { in: sessionMachine.before('clock') };
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, state } });
  if (!session) return false;
  const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
  const now = await databaseNow(ctx.db);
  const next = nextSessionState(factsOf(session), { type: 'clock', at: now.getTime() }, windowMs);
  if (next === null) return false;
  // The update is conditional on the state that was read, so that a publish that resumes the session concurrently wins.
  return transact(ctx, async (tx) => {
    const [endedSession] = await tx.db.session.updateManyAndReturn({
      where: { id: session.id, state: session.state, lastSeen: session.lastSeen },
      data: { state: next, endedAt: now },
    });
    // The updated row may have a recording that the first read did not see.
    if (endedSession) await endRecording(tx, endedSession);
    return endedSession !== undefined;
  });
}

/**
 * Starts the reconnect window of a session whose publisher is gone, and marks its child object as idle. Does nothing if
 * the session is already waiting.
 */
export async function startReconnectWindow(ctx: SystemContext, streamId: string): Promise<void> {
  const parkedSessions = await ctx.db.session.updateManyAndReturn({
    where: { parentId: streamId, state: { in: sessionMachine.before('unpublished') } },
    data: { state: sessionMachine.after('unpublished') },
    select: { id: true },
  });
  for (const { id } of parkedSessions) await notify(ctx.db, 'session_due', id);
  await idleChildStreams(ctx, streamId);
}
