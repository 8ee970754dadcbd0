import { defineMachine, type EventOf, type StateOf } from '../state-machine';

/**
 * The states of a live node. `draining`: the streams of the node have time to end, or to move to another node. `drained`:
 * the remaining encoders are disconnected. A node in these two states admits no new publishes. The events `requested` and
 * `withdrawn` repeat with every heartbeat.
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

/** Default timeout if another node can take over: a disconnected encoder reconnects within seconds. */
const DEFAULT_DRAIN_MS = 5_000;

/**
 * Time until a drained node has no streams: playlists of disconnected encoders stay for 8 s before their streams end in the
 * database.
 */
export const DRAIN_SETTLE_MS = 9_000;

/**
 * How long the streams of a draining node may continue, in milliseconds.
 * @param seconds value of the setting DRAIN_SECONDS; undefined if it is not set
 * @param otherNodes number of live nodes that could take the streams; without any, waiting would only delay the end
 */
export function drainTimeoutMs(seconds: number | undefined, otherNodes: number): number {
  if (seconds !== undefined) return seconds * 1_000;
  return otherNodes > 0 ? DEFAULT_DRAIN_MS : 0;
}
