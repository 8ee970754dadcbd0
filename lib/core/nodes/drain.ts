import { defineMachine, type EventOf, type StateOf } from '../state-machine';

/**
 * A live node. `draining`: its streams have time to end, or to move to another node. `drained`: the remaining encoders
 * are disconnected. Both admit no new publishes. `requested` and `withdrawn` repeat with every heartbeat.
 */
export const drainMachine = defineMachine({
  states: ['serving', 'draining', 'drained'],
  events: {
    requested: { serving: 'draining', draining: 'draining', drained: 'drained' },
    withdrawn: { serving: 'serving', draining: 'serving', drained: 'serving' },
    timed_out: { draining: 'drained' },
  },
});

export type DrainState = StateOf<typeof drainMachine>;
export type DrainEvent = EventOf<typeof drainMachine>;

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
