import { type InTransaction, type SystemContext, transact } from '@/lib/domain/context';
import { type SessionEndCause, sessionEnds } from '@/lib/core/sessions/session-ends';
import { nextSessionState, sessionMachine } from '@/lib/core/sessions/session-state';
import type { Prisma, Session } from '@/lib/generated/prisma/client';
import { notify } from '@/lib/infra/notifications';
import { endRecording } from './advance-recording';
import { markChildStreamsIdle } from './child-stream';
import { readDatabaseTime } from '@/lib/infra/db';
import { factsOf } from './internal';

/**
 * Ends a session and its recording.
 * @param where condition on the state that was read, so that a concurrent publish that resumes the session wins
 * @returns whether it ended
 */
async function endSession(
  tx: SystemContext,
  cause: SessionEndCause,
  { where, endedAt }: { readonly where: Prisma.SessionWhereInput; readonly endedAt: Date },
): Promise<boolean> {
  const [endedSession] = await tx.db.session.updateManyAndReturn({
    where,
    data: { state: sessionMachine.stateAfter(sessionEnds[cause]), endedAt },
  });
  if (!endedSession) return false;
  // The caller's row may be outdated: the recording may have started since the session was read, so the updated row is used.
  await endRecording(tx, endedSession);
  tx.log.info({ sessionId: endedSession.id, cause }, 'session ended');
  return true;
}

/**
 * Ends a waiting session whose reconnect window is over, counted from its last media. Its recording becomes due.
 * @returns whether it ended
 */
export async function endExpiredSession(ctx: SystemContext, sessionId: string): Promise<boolean> {
  const state = { in: sessionMachine.statesBefore(sessionEnds.window_over) };
  const session = await ctx.db.session.findFirst({ where: { id: sessionId, state } });
  if (!session) return false;
  const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
  const now = await readDatabaseTime(ctx.db);
  const nextState = nextSessionState(factsOf(session), { type: 'clock', at: now.getTime() }, windowMs);
  if (nextState === null) return false;
  const where = { id: session.id, state: session.state, lastSeen: session.lastSeen };
  return transact(ctx, (tx) => endSession(tx, 'window_over', { where, endedAt: now }));
}

/** Ends the last session of a stream because a publish starts a new session. Its recording becomes due. */
export async function endReplacedSession(
  tx: InTransaction<SystemContext>,
  { id, parentId }: Pick<Session, 'id' | 'parentId'>,
  endedAt: Date,
): Promise<void> {
  const where = { id, state: { in: sessionMachine.statesBefore(sessionEnds.later_publish) } };
  await endSession(tx, 'later_publish', { where, endedAt });
  await notify(tx.db, 'session_due', id);
  await markChildStreamsIdle(tx, parentId);
}

/**
 * Starts the reconnect window of a session whose publisher is gone, and marks its child stream as idle. Does nothing if
 * the session is already waiting.
 */
export async function startReconnectWindow(ctx: SystemContext, streamId: string): Promise<void> {
  const waitingSessions = await ctx.db.session.updateManyAndReturn({
    where: { parentId: streamId, state: { in: sessionMachine.statesBefore('unpublished') } },
    data: { state: sessionMachine.stateAfter('unpublished') },
    select: { id: true },
  });
  for (const { id } of waitingSessions) await notify(ctx.db, 'session_due', id);
  await markChildStreamsIdle(ctx, streamId);
}
