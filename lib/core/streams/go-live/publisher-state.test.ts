import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  connectionProblems,
  isOnAir,
  problemOfStatus,
  publisherMachine,
  reconnectDelayMs,
} from './publisher-state';

test('the state machine has the documented transitions', () => {
  expect(publisherMachine.events).toEqual([
    ...['requested', 'granted', 'denied', 'closed', 'started', 'connected', 'failed', 'lost', 'gave_up'],
    'stopped',
  ]);
  expect(publisherMachine.table().map((row) => row.join(' '))).toEqual([
    '**idle** requesting – – – – – – – – –',
    '**requesting** – previewing idle – – – – – – –',
    '**previewing** – – – idle connecting – – – – –',
    '**connecting** – – – – – live previewing – – previewing',
    '**live** – – – – – – – reconnecting – ended',
    '**reconnecting** – – – – – live – – ended ended',
    '**ended** requesting – – – – – – – – –',
  ]);
});

test('only stopping or giving up ends a publish', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...publisherMachine.states),
      fc.constantFrom(...publisherMachine.events),
      (state, event) => {
        const next = publisherMachine.nextState(state, event);
        if (next === null || !isOnAir(state) || isOnAir(next)) return;
        expect([next, ['stopped', 'gave_up'].includes(event)]).toEqual(['ended', true]);
      },
    ),
  ));

test.each([
  [404, 'rejected'],
  [406, 'no_codec'],
  [503, 'busy'],
  [429, 'busy'],
  [500, 'server_error'],
  [422, 'server_error'],
])('the HTTP status %i is the problem %s', (status, problem) =>
  expect(problemOfStatus(status)).toBe(problem),
);

test('the first attempt after a loss is immediate, and the delays grow to eight seconds', () => {
  const delays = [0, 1, 2, 3, 4, 5, 50].map((failures) =>
    reconnectDelayMs({ elapsedMs: 0, failures, problem: null }),
  );
  expect(delays).toEqual([0, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test('reconnecting ends after 20 s of rejections, and after three minutes of other problems', () => {
  const delay = (elapsedMs: number, problem: (typeof connectionProblems)[number]) =>
    reconnectDelayMs({ elapsedMs, failures: 1, problem });
  expect([delay(19_999, 'rejected'), delay(20_000, 'rejected')]).toEqual([1_000, null]);
  expect([delay(179_000, 'unreachable'), delay(180_000, 'unreachable')]).toEqual([1_000, null]);
  expect(delay(0, 'no_codec')).toBeNull();
});

test('reconnecting ends after any sequence of problems', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...connectionProblems), fc.integer({ min: 1, max: 15_000 })), {
        minLength: 400,
        maxLength: 400,
      }),
      (attempts) => {
        let elapsedMs = 0;
        for (const [index, [problem, tookMs]] of attempts.entries()) {
          elapsedMs += tookMs;
          const wait = reconnectDelayMs({ elapsedMs, failures: index + 1, problem });
          if (wait === null) return;
          elapsedMs += wait;
        }
        expect.fail(`continues after ${elapsedMs} ms`);
      },
    ),
  ));
