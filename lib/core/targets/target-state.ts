import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';
import type { EventName } from '@/lib/core/webhooks/events';

/**
 * Sending one rendition of a live stream to one multistream target.
 * `disconnected`: nothing is sent. `waiting`: there is nothing to send: the encoder is away, or the rendition is not made
 * yet. `connecting`: an attempt runs, no media has been sent. `connected`: media is being sent. `error`: the attempt
 * failed; the next one starts after a delay.
 *
 * `began`: an attempt starts. `flowing`: a second of media was sent. `failed`: refused, ended, stalled, or the rendition is
 * missing. `paused`: there is nothing to send. `stopped`: nothing should be sent anymore.
 */
export const targetMachine = defineMachine({
  states: ['disconnected', 'waiting', 'connecting', 'connected', 'error'],
  events: {
    began: { disconnected: 'connecting', waiting: 'connecting', error: 'connecting' },
    flowing: { connecting: 'connected', connected: 'connected' },
    failed: { waiting: 'error', connecting: 'error', connected: 'error' },
    paused: {
      disconnected: 'waiting',
      waiting: 'waiting',
      connecting: 'waiting',
      connected: 'waiting',
      error: 'waiting',
    },
    stopped: {
      waiting: 'disconnected',
      connecting: 'disconnected',
      connected: 'disconnected',
      error: 'disconnected',
    },
  },
});
export type TargetState = StateOf<typeof targetMachine>;
export type TargetEvent = EventOf<typeof targetMachine>;

/** Consecutive failed attempts are one problem, which started with the first attempt. */
const failingStates: readonly TargetState[] = ['connecting', 'error'];

/** Whether the problem or connection of the state `from` continues in `to`. */
export const isSameCondition = (from: TargetState, to: TargetState): boolean =>
  from === to || (failingStates.includes(from) && failingStates.includes(to));

/** The last event sent about a target, and the time of its last error event (milliseconds). */
export interface ReportedTarget {
  readonly event: TargetEventName | null;
  /** Whether a connection was reported, but not its end. */
  readonly connected: boolean;
  readonly errorAt: number | null;
}

export type TargetEventName = Extract<EventName, `multistream.${string}`>;

/** Minimum time between error events of an unstable target. */
const minErrorIntervalMs = 30_000;

/** The event to send, and the reported state after it. */
export interface TargetReportDecision {
  readonly event: TargetEventName | null;
  readonly reported: ReportedTarget;
}

/** Chooses the event for a state, considering earlier reports. */
export function decideTargetEvent(
  state: TargetState,
  lastReport: ReportedTarget,
  now: number,
): TargetReportDecision {
  const event = eventFor(state, lastReport, now);
  switch (event) {
    case 'multistream.connected':
      return { event, reported: { ...lastReport, event, connected: true } };
    case 'multistream.error':
      return { event, reported: { ...lastReport, event, errorAt: now } };
    case 'multistream.disconnected':
      return { event, reported: { ...lastReport, event, connected: false } };
    case null:
      // The push ended before it connected, so its next error is reported again.
      return {
        event,
        reported:
          state === 'disconnected' && !lastReport.connected ? { ...lastReport, event: null } : lastReport,
      };
  }
}

/**
 * A connection, a loss and an end are each reported once, regardless of the number of attempts, and no end without a
 * connection. A suppressed error is reported if it persists.
 */
function eventFor(state: TargetState, lastReport: ReportedTarget, now: number): TargetEventName | null {
  switch (state) {
    case 'connected':
      return lastReport.event === 'multistream.connected' ? null : 'multistream.connected';
    case 'error':
      if (lastReport.event === 'multistream.error') return null;
      return lastReport.errorAt === null || now - lastReport.errorAt >= minErrorIntervalMs
        ? 'multistream.error'
        : null;
    case 'disconnected':
      return lastReport.connected ? 'multistream.disconnected' : null;
    case 'waiting':
    case 'connecting':
      return null;
  }
}
