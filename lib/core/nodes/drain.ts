/**
 * Drain states of a live node. `draining`: its streams have time to end, or to move to another node. `drained`: the
 * remaining encoders are disconnected. Both admit no new publishes.
 */
export const drainStates = ['serving', 'draining', 'drained'] as const;
export type DrainState = (typeof drainStates)[number];

/** `requested` and `withdrawn` repeat with every heartbeat. */
export const drainEvents = ['requested', 'withdrawn', 'timed_out'] as const;
export type DrainEvent = (typeof drainEvents)[number];

interface DrainStep {
  readonly state: DrainState;
  /** Whether every encoder has to be disconnected now. */
  readonly disconnects: boolean;
}

const table: Readonly<Record<DrainState, Readonly<Record<DrainEvent, DrainStep>>>> = {
  serving: {
    requested: { state: 'draining', disconnects: false },
    withdrawn: { state: 'serving', disconnects: false },
    timed_out: { state: 'serving', disconnects: false },
  },
  draining: {
    requested: { state: 'draining', disconnects: false },
    withdrawn: { state: 'serving', disconnects: false },
    timed_out: { state: 'drained', disconnects: true },
  },
  drained: {
    // Disconnects again: a publish that was being admitted when the drain started may have arrived later.
    requested: { state: 'drained', disconnects: true },
    withdrawn: { state: 'serving', disconnects: false },
    timed_out: { state: 'drained', disconnects: true },
  },
};

export const nextDrainState = (state: DrainState, event: DrainEvent): DrainStep => table[state][event];

/** If another node can take over, a disconnected encoder needs only seconds. */
const defaultDrainMs = 5_000;

/** Playlists of disconnected encoders stay for 8 s before their streams end in the database. */
export const settleMs = 9_000;

/**
 * How long the streams of a draining node may continue.
 * @param seconds of the setting; undefined: default
 * @param otherNodes live nodes that could take the streams: without any, waiting would only delay the end
 */
export function drainMs(seconds: number | undefined, otherNodes: number): number {
  if (seconds !== undefined) return seconds * 1_000;
  return otherNodes > 0 ? defaultDrainMs : 0;
}
