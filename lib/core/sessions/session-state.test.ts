import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextSessionState, type SessionState } from './session-state';

const WINDOW_MS = 360_000;

describe('nextSessionState', () => {
  test.each([
    ['live', { type: 'published', at: WINDOW_MS }, 'live'],
    ['live', { type: 'published', at: WINDOW_MS + 1 }, null],
    ['live', { type: 'unpublished' }, 'waiting'],
    ['live', { type: 'reclaimed' }, 'live'],
    ['live', { type: 'replaced' }, 'ended'],
    ['live', { type: 'clock', at: 0 }, null],
    ['live', { type: 'clock', at: WINDOW_MS * 10 }, null],
    ['waiting', { type: 'published', at: WINDOW_MS }, 'live'],
    ['waiting', { type: 'published', at: WINDOW_MS + 1 }, null],
    ['waiting', { type: 'unpublished' }, null],
    ['waiting', { type: 'reclaimed' }, 'live'],
    ['waiting', { type: 'replaced' }, 'ended'],
    ['waiting', { type: 'clock', at: WINDOW_MS }, null],
    ['waiting', { type: 'clock', at: WINDOW_MS + 1 }, 'ended'],
    ['ended', { type: 'published', at: 0 }, null],
    ['ended', { type: 'unpublished' }, null],
    ['ended', { type: 'reclaimed' }, null],
    ['ended', { type: 'replaced' }, null],
    ['ended', { type: 'clock', at: WINDOW_MS * 2 }, null],
  ] as const)('in the state %s, the event %j leads to %s', (state, event, expected) => {
    expect(nextSessionState({ state, lastMediaAt: 0 }, event, WINDOW_MS)).toBe(expected);
  });
});

/** Publishes of some length after gaps of some length, with sweeps in between. */
const publishes = fc.array(
  fc.record({ gap: fc.nat({ max: WINDOW_MS * 2 }), length: fc.nat({ max: 100_000 }), swept: fc.boolean() }),
  { minLength: 1, maxLength: 20 },
);

describe('sessions of a stream', () => {
  test('a reconnect within the window never creates a second session, and a reconnect after it always does', () => {
    fc.assert(
      fc.property(publishes, (life) => {
        let now = 0;
        let session: { state: SessionState; lastMediaAt: number } | null = null;
        let count = 0;
        let expected = 0;
        for (const { gap, length, swept } of life) {
          now += gap;
          if (session && swept) {
            const clock = nextSessionState(session, { type: 'clock', at: now }, WINDOW_MS);
            session.state = clock ?? session.state;
          }
          if (!session || gap > WINDOW_MS) expected += 1;
          const publish = session && nextSessionState(session, { type: 'published', at: now }, WINDOW_MS);
          if (!session || publish === null) {
            count += 1;
            session = { state: 'live', lastMediaAt: now };
          }
          now += length;
          session = { state: 'waiting', lastMediaAt: now };
          expect(count).toBe(expected);
        }
      }),
    );
  });
});
