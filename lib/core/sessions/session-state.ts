import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * A live session: one publish with all its reconnects.
 * `live`: a publisher is connected. `waiting`: within the reconnect window. `ended`: final.
 *
 * `published`: the encoder reconnected. `reclaimed`: a live node that was considered dead still has the publish.
 * `clock`: the sweep checks the time, and only ends waiting sessions; a live session first waits, even if its node died.
 * `replaced`: a new session of the same stream starts.
 */
export const sessionMachine = defineMachine({
  states: ['live', 'waiting', 'ended'],
  events: {
    published: { live: 'live', waiting: 'live' },
    reclaimed: { live: 'live', waiting: 'live' },
    unpublished: { live: 'waiting' },
    clock: { waiting: 'ended' },
    replaced: { live: 'ended', waiting: 'ended' },
  },
});
export type SessionState = StateOf<typeof sessionMachine>;

export interface SessionFacts {
  readonly state: SessionState;
  /** When the last media arrived, in milliseconds. The reconnect window starts here, even if processes restart. */
  readonly lastMediaAt: number;
}

/** Times in milliseconds of the database's clock. */
export type SessionEvent =
  | { readonly type: 'published' | 'clock'; readonly at: number }
  | { readonly type: Exclude<EventOf<typeof sessionMachine>, 'published' | 'clock'> };

/** The state of a session that is created for late segments. */
export const lateSessionState: SessionState = 'ended';

/**
 * The state after `event`; null if the event is not possible. A publish after the window starts another session.
 * @param windowMs the reconnect window (SESSION_RECONNECT_SECONDS)
 */
export function nextSessionState(
  session: SessionFacts,
  event: SessionEvent,
  windowMs: number,
): SessionState | null {
  const isInside = (at: number) => at - session.lastMediaAt <= windowMs;
  if (event.type === 'published' && !isInside(event.at)) return null;
  if (event.type === 'clock' && isInside(event.at)) return null;
  return sessionMachine.next(session.state, event.type);
}
