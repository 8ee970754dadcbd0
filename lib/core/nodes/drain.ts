/**
 * A live node on its way out of service. `draining`: its streams have time to end, or to move to another node. `drained`:
 * encoders that are left are disconnected. Both take no new publishes.
 */
export const drainStates = ['serving', 'draining', 'drained'] as const;
export type DrainState = (typeof drainStates)[number];

/** `requested` and `withdrawn` are repeated at every heartbeat. */
export const drainEvents = ['requested', 'withdrawn', 'timed_out'] as const;
export type DrainEvent = (typeof drainEvents)[number];

interface DrainStep {
  readonly state: DrainState;
  /** Every encoder has to be disconnected now. */
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
    // A publish that was being admitted when the drain began may have come after the others were disconnected.
    requested: { state: 'drained', disconnects: true },
    withdrawn: { state: 'serving', disconnects: false },
    timed_out: { state: 'drained', disconnects: true },
  },
};

export const nextDrainState = (state: DrainState, event: DrainEvent): DrainStep => table[state][event];

/** With another node to go to, an encoder that is told to stop needs seconds. */
const defaultDrainMs = 5_000;

/** Playlists of disconnected encoders stay for 8 s; then the database is told. */
export const settleMs = 9_000;

/**
 * How long the streams of a draining node have.
 * @param seconds the setting, if there is one
 * @param otherNodes live nodes that could take them: without any, waiting would only delay the end
 */
export function drainMs(seconds: number | undefined, otherNodes: number): number {
  if (seconds !== undefined) return seconds * 1_000;
  return otherNodes > 0 ? defaultDrainMs : 0;
}
