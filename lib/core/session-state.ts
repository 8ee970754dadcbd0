/**
 * A live session: one publish with all its reconnects (specification §2.2, §8).
 * `live`: somebody publishes. `waiting`: inside the reconnect window. `ended`: final.
 */
export const sessionStates = ['live', 'waiting', 'ended'] as const;
export type SessionState = (typeof sessionStates)[number];

export interface SessionFacts {
  readonly state: SessionState;
  /** When the last media arrived, in milliseconds: the window counts from here, whatever restarts in between. */
  readonly lastMediaAt: number;
}

/** Times in milliseconds, all of one clock (the database's). */
export type SessionEvent =
  | { readonly type: 'published'; readonly at: number }
  | { readonly type: 'unpublished' }
  | { readonly type: 'clock'; readonly at: number };

export type SessionTransition =
  { readonly state: SessionState } | { readonly refused: 'already_ended' | 'window_over' };

/**
 * What follows for one session. `window_over` on a publish means: end this session, start another one.
 * @param windowMs the reconnect window (SESSION_RECONNECT_SECONDS)
 */
export function nextSessionState(
  session: SessionFacts,
  event: SessionEvent,
  windowMs: number,
): SessionTransition {
  if (session.state === 'ended') return { refused: 'already_ended' };
  switch (event.type) {
    case 'published':
      return insideWindow(session, event.at, windowMs) ? { state: 'live' } : { refused: 'window_over' };
    case 'unpublished':
      return { state: 'waiting' };
    case 'clock':
      // A live session is ended by its publisher, or parked first when its node died: never by the clock alone.
      if (session.state === 'live' || insideWindow(session, event.at, windowMs))
        return { state: session.state };
      return { state: 'ended' };
  }
}

function insideWindow(session: SessionFacts, at: number, windowMs: number): boolean {
  return at - session.lastMediaAt <= windowMs;
}
