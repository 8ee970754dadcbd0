import { transact, type SystemContext } from '@/lib/context';
import { nextSessionState, sessionStatesBefore } from '@/lib/core/session-state';
import { notify } from '@/lib/infra/notifications';
import { stepRecording } from './recording';
import { databaseNow, factsOf } from './internal';

const batch = 200;

/**
 * Ends waiting sessions whose reconnect window is over, counted from their last media; what was recorded in them is due
 * to be finished. @returns how many ended
 */
export async function endExpiredSessions(ctx: SystemContext): Promise<number> {
  const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
  const now = await databaseNow(ctx);
  const waiting = await ctx.db.session.findMany({
    where: {
      state: { in: sessionStatesBefore('clock') },
      OR: [
        { lastSeen: { lt: new Date(now.getTime() - windowMs) } },
        { lastSeen: null, createdAt: { lt: new Date(now.getTime() - windowMs) } },
      ],
    },
    take: batch,
  });
  let ended = 0;
  for (const session of waiting) {
    const next = nextSessionState(factsOf(session), { type: 'clock', at: now.getTime() }, windowMs);
    if (!('state' in next)) continue;
    // Conditional on what was read: a publish that resumes the session at this moment wins.
    ended += await transact(ctx, async (tx) => {
      const { count } = await tx.db.session.updateMany({
        where: { id: session.id, state: session.state, lastSeen: session.lastSeen },
        data: { state: next.state, endedAt: now },
      });
      if (count > 0 && session.record) {
        await stepRecording(tx, session, 'ended');
        await notify(tx.db, 'recording_due', session.id);
      }
      return count;
    });
  }
  return ended;
}
