import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextSessionState,
  sessionEvents,
  sessionStateAfter,
  sessionStates,
  sessionStatesBefore,
  type SessionEvent,
  type SessionState,
} from './session-state';

const windowMs = 360_000;

describe('nextSessionState', () => {
  test.each([
    ['live', { type: 'published', at: windowMs }, { state: 'live' }],
    ['live', { type: 'published', at: windowMs + 1 }, { refused: 'window_over' }],
    ['live', { type: 'unpublished' }, { state: 'waiting' }],
    ['live', { type: 'reclaimed' }, { state: 'live' }],
    ['live', { type: 'replaced' }, { state: 'ended' }],
    ['live', { type: 'clock', at: 0 }, { refused: 'out_of_turn' }],
    ['live', { type: 'clock', at: windowMs * 10 }, { refused: 'out_of_turn' }],
    ['waiting', { type: 'published', at: windowMs }, { state: 'live' }],
    ['waiting', { type: 'published', at: windowMs + 1 }, { refused: 'window_over' }],
    ['waiting', { type: 'unpublished' }, { refused: 'out_of_turn' }],
    ['waiting', { type: 'reclaimed' }, { state: 'live' }],
    ['waiting', { type: 'replaced' }, { state: 'ended' }],
    ['waiting', { type: 'clock', at: windowMs }, { refused: 'window_open' }],
    ['waiting', { type: 'clock', at: windowMs + 1 }, { state: 'ended' }],
    ['ended', { type: 'published', at: 0 }, { refused: 'already_ended' }],
    ['ended', { type: 'unpublished' }, { refused: 'already_ended' }],
    ['ended', { type: 'reclaimed' }, { refused: 'already_ended' }],
    ['ended', { type: 'replaced' }, { refused: 'already_ended' }],
    ['ended', { type: 'clock', at: windowMs * 2 }, { refused: 'already_ended' }],
  ] as const)('%s + %o → %o', (state, event, wanted) => {
    expect(nextSessionState({ state, lastMediaAt: 0 }, event, windowMs)).toEqual(wanted);
  });
});

test('conditions of updates are what the machine takes, whatever the window says', () => {
  for (const type of sessionEvents) {
    // Inside the window a publish resumes the session; after it the clock ends it.
    const event: SessionEvent =
      type === 'published' ? { type, at: 0 } : type === 'clock' ? { type, at: windowMs + 1 } : { type };
    for (const state of sessionStates) {
      const next = nextSessionState({ state, lastMediaAt: 0 }, event, windowMs);
      expect(sessionStatesBefore(type).includes(state)).toBe('state' in next);
      if ('state' in next) expect(next.state).toBe(sessionStateAfter(type));
    }
  }
});

/** A stream's life: publishes of some length after gaps of some length, with the sweeper looking in between. */
const publishes = fc.array(
  fc.record({ gap: fc.nat({ max: windowMs * 2 }), length: fc.nat({ max: 100_000 }), swept: fc.boolean() }),
  { minLength: 1, maxLength: 20 },
);

describe('sessions over a stream’s life', () => {
  test('a reconnect inside the window never makes a second session, and one after it always does', () => {
    fc.assert(
      fc.property(publishes, (life) => {
        let now = 0;
        let session: { state: SessionState; lastMediaAt: number } | null = null;
        let count = 0;
        let wanted = 0;
        for (const { gap, length, swept } of life) {
          now += gap;
          if (session && swept) {
            const clock = nextSessionState(session, { type: 'clock', at: now }, windowMs);
            if ('state' in clock) session.state = clock.state;
          }
          if (!session || gap > windowMs) wanted += 1;
          const publish = session && nextSessionState(session, { type: 'published', at: now }, windowMs);
          if (!session || !publish || 'refused' in publish) {
            count += 1;
            session = { state: 'live', lastMediaAt: now };
          }
          now += length;
          session = { state: 'waiting', lastMediaAt: now };
          expect(count).toBe(wanted);
        }
      }),
    );
  });
});
