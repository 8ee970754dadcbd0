import type { Session } from '@/lib/generated/prisma/client';
import type { SessionFacts } from '@/lib/core/sessions/session-state';

/** Input of the state machine, from a row. The reconnect window of a session without media is counted from its start. */
export function factsOf(row: Pick<Session, 'state' | 'lastSeen' | 'createdAt'>): SessionFacts {
  return { state: row.state, lastMediaAt: (row.lastSeen ?? row.createdAt).getTime() };
}
