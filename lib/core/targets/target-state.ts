import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';
import type { EventName } from '@/lib/core/webhooks/events';

/**
 * Sending one rendition of a live stream to one multistream target.
 * `disconnected`: nothing is sent. `waiting`: it would be, but there is nothing to send: the encoder is away, or the
 * rendition is not made yet. `connecting`: an attempt runs, no media has passed. `connected`: media passes.
 * `error`: the attempt failed; the next one starts after a delay.
 *
 * `began`: an attempt starts. `flowing`: a second of media has passed. `failed`: refused, ended, stalled, or the
 * rendition did not come. `paused`: there is nothing to send. `stopped`: nothing should be sent anymore.
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

/** Attempts that fail one after the other are one problem, which began with the first of them. */
const failing: readonly TargetState[] = ['connecting', 'error'];

/** Whether what began with the state `from` still goes on in `to`. */
export const goesOn = (from: TargetState, to: TargetState): boolean =>
  from === to || (failing.includes(from) && failing.includes(to));

/** The last event sent about a target, and the time of its last error event (milliseconds). */
export interface ReportedTarget {
  readonly event: TargetEventName | null;
  /** A connection was reported, but not its end. */
  readonly connected: boolean;
  readonly errorAt: number | null;
}

export type TargetEventName = Extract<EventName, `multistream.${string}`>;

/** Shortest time between error events of an unstable target. */
const minErrorIntervalMs = 30_000;

/** The event to send, and the reported state after it. */
export interface TargetReportDecision {
  readonly event: TargetEventName | null;
  readonly reported: ReportedTarget;
}

/** The event for a state, given what was reported before. */
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
      // The push ended without connecting, so its next error is reported again.
      return {
        event,
        reported:
          state === 'disconnected' && !lastReport.connected ? { ...lastReport, event: null } : lastReport,
      };
  }
}

/**
 * A connection, a loss and an end are each reported once, however many attempts there are in between, and no end
 * without a connection. A suppressed error is reported if it persists.
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
