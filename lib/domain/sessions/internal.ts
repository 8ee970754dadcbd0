import type { SystemContext } from '@/lib/domain/context';
import type { Session } from '@/lib/generated/prisma/client';
import type { SessionFacts } from '@/lib/core/recordings/session-state';

/** Session rules use database time: process clocks may jump. */
export async function databaseNow(ctx: SystemContext): Promise<Date> {
  const [row] = await ctx.db.$queryRaw<{ now: Date }[]>`select now() as now`;
  if (!row) throw new Error('The database did not tell the time');
  return row.now;
}

/** Input of the state machine from a row. Without media the window counts from the start. */
export function factsOf(row: Pick<Session, 'state' | 'lastSeen' | 'createdAt'>): SessionFacts {
  return { state: row.state, lastMediaAt: (row.lastSeen ?? row.createdAt).getTime() };
}
