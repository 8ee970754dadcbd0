import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';
import type { EventName } from '@/lib/core/webhooks/events';

/**
 * The states of a multistream target that gets one rendition of a live stream. `disconnected`: nothing should be sent.
 * `waiting`: there is nothing to send, because the encoder is away or the rendition is not made yet. `connecting`: an
 * attempt runs, and no media has been sent. `connected`: media is being sent. `error`: the attempt failed, and the next
 * attempt starts after a delay.
 *
 * `began`: an attempt starts. `flowing`: a second of media was sent. `failed`: the target rejected or ended the connection or
 * stopped taking media, or the rendition is missing. `paused`: there is nothing to send. `stopped`: nothing should be sent
 * anymore.
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

/**
 * States of a target while its attempts fail. Consecutive failed attempts are one problem, which started with
 * the first one.
 */
const failingStates: readonly TargetState[] = ['connecting', 'error'];

/** Whether a problem or a connection continues when the state changes. */
export const isSameCondition = (from: TargetState, to: TargetState): boolean =>
  from === to || (failingStates.includes(from) && failingStates.includes(to));

/** What has been reported about a target by events. Times are in milliseconds. */
export interface ReportedTarget {
  readonly event: TargetEventName | null;
  /** Whether a connection was reported whose end was not. */
  readonly connected: boolean;
  readonly errorAt: number | null;
}

export type TargetEventName = Extract<EventName, `multistream.${string}`>;

/** Events of a target that mean, if they are its last event, that the last attempt reached it. */
export const reachedTargetEvents = ['multistream.connected', 'multistream.disconnected'] as const;

/** Facts about the last attempt to send to a target, and about the last test of its URL. */
export interface TargetAttempts {
  readonly reportedEvent: string | null;
  readonly lastError: string | null;
  /** When the state after the last attempt started; null: nothing was ever sent. */
  readonly since: Date | null;
  /** End of the last test; null: the URL was not tested. */
  readonly testedAt: Date | null;
  readonly testOutcome: string | null;
}

/** Whether the last attempt or the last test, whichever is newer, reached a target; null without a result. */
export function hasReachedTarget(attempts: TargetAttempts): boolean | null {
  const { reportedEvent, lastError, since, testedAt, testOutcome } = attempts;
  if (testedAt !== null && (since === null || testedAt > since)) return testOutcome === 'accepted';
  if (reachedTargetEvents.some((event) => event === reportedEvent)) return true;
  return lastError === null ? null : false;
}

/** Minimum time between error events of an unstable target. */
const MIN_ERROR_INTERVAL_MS = 30_000;

/** The event to send, and the reported state after it. */
export interface TargetReportDecision {
  readonly event: TargetEventName | null;
  readonly reported: ReportedTarget;
}

/**
 * Chooses the event for the state of a target by what has been reported about it.
 * @param now milliseconds of the same clock as `errorAt`
 */
export function decideTargetEvent(
  state: TargetState,
  lastReport: ReportedTarget,
  now: number,
): TargetReportDecision {
  const event = chooseEvent(state, lastReport, now);
  switch (event) {
    case 'multistream.connected':
      return { event, reported: { ...lastReport, event, connected: true } };
    case 'multistream.error':
      return { event, reported: { ...lastReport, event, errorAt: now } };
    case 'multistream.disconnected':
      return { event, reported: { ...lastReport, event, connected: false } };
    case null:
      // Sending ended before the target connected, so its next error is reported again.
      return {
        event,
        reported:
          state === 'disconnected' && !lastReport.connected ? { ...lastReport, event: null } : lastReport,
      };
  }
}

/**
 * Chooses the event for a state. A connection, a problem and an end are reported once each, for any number of attempts, and
 * an end only after a connection. An error that follows another error too soon is reported if it persists.
 */
function chooseEvent(state: TargetState, lastReport: ReportedTarget, now: number): TargetEventName | null {
  switch (state) {
    case 'connected':
      return lastReport.event === 'multistream.connected' ? null : 'multistream.connected';
    case 'error':
      if (lastReport.event === 'multistream.error') return null;
      return lastReport.errorAt === null || now - lastReport.errorAt >= MIN_ERROR_INTERVAL_MS
        ? 'multistream.error'
        : null;
    case 'disconnected':
      return lastReport.connected ? 'multistream.disconnected' : null;
    case 'waiting':
    case 'connecting':
      return null;
  }
}
