import type { SystemContext } from '@/lib/context';
import { nextSessionState } from '@/lib/core/session-state';
import { databaseNow, factsOf } from './internal';

const batch = 200;

/** Ends waiting sessions whose reconnect window is over, counted from their last media; returns how many. */
export async function endExpiredSessions(ctx: SystemContext): Promise<number> {
  const windowMs = ctx.settings.sessionReconnectSeconds * 1_000;
  const now = await databaseNow(ctx);
  const waiting = await ctx.db.session.findMany({
    where: {
      state: 'waiting',
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
    if (!('state' in next) || next.state !== 'ended') continue;
    // Conditional on what was read: a publish that resumes the session at this moment wins.
    const { count } = await ctx.db.session.updateMany({
      where: { id: session.id, state: 'waiting', lastSeen: session.lastSeen },
      data: { state: 'ended', endedAt: now },
    });
    ended += count;
  }
  return ended;
}
