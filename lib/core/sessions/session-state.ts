import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * The states of a session: one publish with all its reconnects. `live`: a publisher is connected. `waiting`: the
 * reconnect window is open. `ended`: final.
 *
 * `published`: the encoder reconnected. `reclaimed`: a live node that was considered dead still has the publish.
 * `unpublished`: the connection of the encoder ended. `clock`: the reconnect window is over; a live session must be
 * unpublished first, even if its node died. `replaced`: another session of the same stream starts.
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
  /** When the last media arrived, in milliseconds. The reconnect window starts at this time. */
  readonly lastMediaAt: number;
}

/** Times in milliseconds of the database's clock. */
export type SessionEvent =
  | { readonly type: 'published' | 'clock'; readonly at: number }
  | { readonly type: Exclude<EventOf<typeof sessionMachine>, 'published' | 'clock'> };

/** The state of a session that is created for late segments. */
export const lateSessionState: SessionState = 'ended';

/**
 * The state of a session after an event; null if the event is not possible. A publish after the reconnect window starts
 * another session.
 * @param windowMs reconnect window in milliseconds (SESSION_RECONNECT_SECONDS)
 */
export function nextSessionState(
  session: SessionFacts,
  event: SessionEvent,
  windowMs: number,
): SessionState | null {
  const isInside = (time: number) => time - session.lastMediaAt <= windowMs;
  if (event.type === 'published' && !isInside(event.at)) return null;
  if (event.type === 'clock' && isInside(event.at)) return null;
  return sessionMachine.nextState(session.state, event.type);
}
