import type { EventName } from '@/lib/core/webhooks/events';

/**
 * Sending one rendition of a live stream to one multistream target.
 * `disconnected`: nothing is sent. `waiting`: it would be, but there is nothing to send: the encoder is away, or the
 * rendition is not made yet. `connecting`: an attempt runs, no media has passed. `connected`: media passes.
 * `error`: the attempt failed; the next one starts after a delay.
 */
export const targetStates = ['disconnected', 'waiting', 'connecting', 'connected', 'error'] as const;
export type TargetState = (typeof targetStates)[number];

/**
 * `began`: an attempt starts. `flowing`: a second of media has passed. `failed`: refused, ended, stalled, or the
 * rendition did not come. `paused`: there is nothing to send. `stopped`: nothing should be sent anymore.
 */
export const targetEvents = ['began', 'flowing', 'failed', 'paused', 'stopped'] as const;
export type TargetEvent = (typeof targetEvents)[number];

/** null: the event means nothing in this state, and changes nothing. */
const table: Readonly<Record<TargetState, Readonly<Record<TargetEvent, TargetState | null>>>> = {
  disconnected: { began: 'connecting', flowing: null, failed: null, paused: 'waiting', stopped: null },
  waiting: {
    began: 'connecting',
    flowing: null,
    failed: 'error',
    paused: 'waiting',
    stopped: 'disconnected',
  },
  connecting: {
    began: null,
    flowing: 'connected',
    failed: 'error',
    paused: 'waiting',
    stopped: 'disconnected',
  },
  connected: {
    began: null,
    flowing: 'connected',
    failed: 'error',
    paused: 'waiting',
    stopped: 'disconnected',
  },
  error: { began: 'connecting', flowing: null, failed: null, paused: 'waiting', stopped: 'disconnected' },
};

/** The state after `event`; null when it is refused. */
export function nextTargetState(state: TargetState, event: TargetEvent): TargetState | null {
  return table[state][event];
}

/** Where `event` is possible from: the condition of a conditional update. */
export function targetStatesBefore(event: TargetEvent): TargetState[] {
  return targetStates.filter((state) => table[state][event] !== null);
}

/** The last event sent about a target, and the time of its last error event (milliseconds). */
export interface TargetTold {
  readonly event: TargetEventName | null;
  /** A connection was reported, and no end since. */
  readonly connected: boolean;
  readonly errorAt: number | null;
}

export type TargetEventName = Extract<EventName, `multistream.${string}`>;

/** Shortest time between error events of an unstable target. */
const quietMs = 30_000;

/** What receivers hear now, and what they know afterwards. */
export interface TargetNews {
  readonly event: TargetEventName | null;
  readonly told: TargetTold;
}

/** The event for a state, given what was reported before, and what is reported then. */
export function targetNews(state: TargetState, told: TargetTold, now: number): TargetNews {
  const event = eventWorth(state, told, now);
  switch (event) {
    case 'multistream.connected':
      return { event, told: { ...told, event, connected: true } };
    case 'multistream.error':
      return { event, told: { ...told, event, errorAt: now } };
    case 'multistream.disconnected':
      return { event, told: { ...told, event, connected: false } };
    case null:
      // It never connected and is over: the next error is news again.
      return { event, told: state === 'disconnected' && !told.connected ? { ...told, event: null } : told };
  }
}

/**
 * The event that the state is worth, given what receivers know. They hear of a connection, a loss and an end once
 * each, however often it is tried in between, and of no end without a connection; an error that was held back is told when it still stands later.
 */
function eventWorth(state: TargetState, told: TargetTold, now: number): TargetEventName | null {
  switch (state) {
    case 'connected':
      return told.event === 'multistream.connected' ? null : 'multistream.connected';
    case 'error':
      if (told.event === 'multistream.error') return null;
      return told.errorAt === null || now - told.errorAt >= quietMs ? 'multistream.error' : null;
    case 'disconnected':
      return told.connected ? 'multistream.disconnected' : null;
    case 'waiting':
    case 'connecting':
      return null;
  }
}
