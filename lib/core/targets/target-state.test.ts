import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  targetMachine,
  decideTargetEvent,
  hasReachedTarget,
  type TargetAttempts,
  type TargetEvent,
  type TargetEventName,
  type TargetState,
  type ReportedTarget,
} from './target-state';

const noReport: ReportedTarget = { event: null, connected: false, errorAt: null };

describe('hasReachedTarget', () => {
  const [earlier, later] = [new Date(1_000), new Date(2_000)];
  const untried = { reportedEvent: null, lastError: null, since: null, testedAt: null, testOutcome: null };
  test.each<[string, Partial<TargetAttempts>, boolean | null]>([
    ['without an attempt or a test', {}, null],
    ['that received the last session', { reportedEvent: 'multistream.disconnected', since: later }, true],
    [
      'that failed in the last session',
      { reportedEvent: 'multistream.error', lastError: 'x', since: later },
      false,
    ],
    ['that accepted a test', { testedAt: later, testOutcome: 'accepted' }, true],
    ['that rejected a test', { testedAt: later, testOutcome: 'publish_rejected' }, false],
    [
      'that failed, and accepted a later test',
      { lastError: 'x', since: earlier, testedAt: later, testOutcome: 'accepted' },
      true,
    ],
    [
      'that rejected a test, and received a later session',
      {
        reportedEvent: 'multistream.connected',
        since: later,
        testedAt: earlier,
        testOutcome: 'publish_rejected',
      },
      true,
    ],
  ])('of a target %s is %s', (_, attempts, reached) => {
    expect(hasReachedTarget({ ...untried, ...attempts })).toBe(reached);
  });
});

describe('decideTargetEvent', () => {
  const reportedAs = (event: TargetEventName, errorAt: number | null = null): ReportedTarget => ({
    event,
    connected: event === 'multistream.connected',
    errorAt,
  });
  const lostTarget: ReportedTarget = { event: 'multistream.error', connected: true, errorAt: 0 };
  test.each<[string, TargetState, ReportedTarget, TargetEventName | null]>([
    // The current time is 100,000 ms: a loss is reported at most every 30,000 ms.
    ['the first connection', 'connected', noReport, 'multistream.connected'],
    ['an already reported connection', 'connected', reportedAs('multistream.connected'), null],
    ['a recovery', 'connected', reportedAs('multistream.error', 0), 'multistream.connected'],
    ['the first error', 'error', noReport, 'multistream.error'],
    ['the same error again', 'error', reportedAs('multistream.error', 0), null],
    ['a loss shortly after another', 'error', reportedAs('multistream.connected', 70_001), null],
    ['a loss long after another', 'error', reportedAs('multistream.connected', 70_000), 'multistream.error'],
    ['an end without a start', 'disconnected', noReport, null],
    ['an end', 'disconnected', reportedAs('multistream.connected'), 'multistream.disconnected'],
    ['an end after a loss', 'disconnected', lostTarget, 'multistream.disconnected'],
    ['an end without a connection', 'disconnected', reportedAs('multistream.error', 0), null],
    ['an already reported end', 'disconnected', reportedAs('multistream.disconnected'), null],
    ['an attempt', 'connecting', reportedAs('multistream.error', 0), null],
    ['a pause', 'waiting', reportedAs('multistream.connected'), null],
  ])('the event about %s is $3', (_, state, lastReport, event) => {
    expect(decideTargetEvent(state, lastReport, 100_000).event).toBe(event);
  });

  const steps = fc.array(
    fc.record({
      event: fc.constantFrom(...targetMachine.events),
      afterMs: fc.integer({ min: 0, max: 40_000 }),
    }),
    { maxLength: 60 },
  );

  /** The events that receivers get about one target, in order. */
  function receivedEvents(events: readonly { event: TargetEvent; afterMs: number }[]) {
    let state: TargetState = 'disconnected';
    let lastReport = noReport;
    let now = 0;
    const received: { name: TargetEventName; at: number; state: TargetState }[] = [];
    for (const { event, afterMs } of events) {
      now += afterMs;
      state = targetMachine.nextState(state, event) ?? state;
      const { event: name, reported } = decideTargetEvent(state, lastReport, now);
      lastReport = reported;
      if (name) received.push({ name, at: now, state });
    }
    return { received, state, lastReport };
  }

  test('reports a connection and its end once each, at most one error per 30 s, and an end only after a connection', () => {
    fc.assert(
      fc.property(steps, (events) => {
        const { received } = receivedEvents(events);
        const errors = received.filter(({ name }) => name === 'multistream.error');
        let [isOpen, isLost] = [false, false];
        for (const { name } of received) {
          if (name === 'multistream.connected') expect(isOpen && !isLost).toBe(false);
          if (name === 'multistream.disconnected') expect(isOpen).toBe(true);
          isOpen = name === 'multistream.connected' || (isOpen && name === 'multistream.error');
          isLost = name === 'multistream.error';
        }
        for (const [index, { at }] of errors.entries()) {
          if (index > 0) expect(at - (errors[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
        }
      }),
    );
  });

  test('reports the current state in the end: connected while media is sent, disconnected afterwards', () => {
    fc.assert(
      fc.property(steps, (events) => {
        const { state, lastReport } = receivedEvents(events);
        if (state === 'connected') expect(lastReport.event).toBe('multistream.connected');
        if (state === 'disconnected') expect(lastReport.connected).toBe(false);
      }),
    );
  });
});
