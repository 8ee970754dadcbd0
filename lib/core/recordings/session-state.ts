/**
 * A live session: one publish with all its reconnects.
 * `live`: a publisher is connected. `waiting`: inside the reconnect window. `ended`: final.
 */
export const sessionStates = ['live', 'waiting', 'ended'] as const;
export type SessionState = (typeof sessionStates)[number];

export interface SessionFacts {
  readonly state: SessionState;
  /** When the last media arrived, in milliseconds: the window counts from here, whatever restarts in between. */
  readonly lastMediaAt: number;
}

/**
 * `published`: the encoder reconnected. `reclaimed`: a live node that was considered dead still has the publish.
 * `clock`: the sweep checks it. `replaced`: a new session of the same stream starts.
 */
export const sessionEvents = ['published', 'reclaimed', 'unpublished', 'clock', 'replaced'] as const;

/** Times in milliseconds, all of one clock (the database's). */
export type SessionEvent =
  | { readonly type: 'published' | 'clock'; readonly at: number }
  | { readonly type: Exclude<(typeof sessionEvents)[number], 'published' | 'clock'> };

export type SessionTransition =
  | { readonly state: SessionState }
  | { readonly refused: 'already_ended' | 'out_of_turn' | 'window_over' | 'window_open' };

interface TransitionRule {
  readonly from: readonly SessionState[];
  readonly to: SessionState;
}

const transitions: Readonly<Record<SessionEvent['type'], TransitionRule>> = {
  published: { from: ['live', 'waiting'], to: 'live' },
  reclaimed: { from: ['live', 'waiting'], to: 'live' },
  unpublished: { from: ['live'], to: 'waiting' },
  // The clock only ends waiting sessions; a live one first waits, even when its node died.
  clock: { from: ['waiting'], to: 'ended' },
  replaced: { from: ['live', 'waiting'], to: 'ended' },
};

/** The state of a session created for segments that were found too late. */
export const lateSessionState: SessionState = 'ended';

/**
 * What follows for one session. `window_over` on a publish means: replace this session by another one.
 * @param windowMs the reconnect window (SESSION_RECONNECT_SECONDS)
 */
export function nextSessionState(
  session: SessionFacts,
  event: SessionEvent,
  windowMs: number,
): SessionTransition {
  if (session.state === 'ended') return { refused: 'already_ended' };
  const { from, to } = transitions[event.type];
  if (!from.includes(session.state)) return { refused: 'out_of_turn' };
  if (event.type === 'published' && !insideWindow(session, event.at, windowMs)) {
    return { refused: 'window_over' };
  }
  if (event.type === 'clock' && insideWindow(session, event.at, windowMs)) return { refused: 'window_open' };
  return { state: to };
}

/** Where an event is possible from: the condition of a conditional update. */
export const sessionStatesBefore = (event: SessionEvent['type']): SessionState[] => [
  ...transitions[event].from,
];

/** Where an event leads to. */
export const sessionStateAfter = (event: SessionEvent['type']): SessionState => transitions[event].to;

function insideWindow(session: SessionFacts, at: number, windowMs: number): boolean {
  return at - session.lastMediaAt <= windowMs;
}
