import { describe, expect, test } from 'vitest';
import { drainEvents, drainMs, drainStates, nextDrainState } from './drain';

describe('draining node', () => {
  test.each(drainStates)('returns to service when the drain is withdrawn: %s', (state) =>
    expect(nextDrainState(state, 'withdrawn')).toEqual({ state: 'serving', disconnects: false }),
  );

  test('keeps its streams until the timeout', () => {
    expect(nextDrainState('serving', 'requested')).toEqual({ state: 'draining', disconnects: false });
    expect(nextDrainState('draining', 'requested')).toEqual({ state: 'draining', disconnects: false });
    expect(nextDrainState('draining', 'timed_out')).toEqual({ state: 'drained', disconnects: true });
  });

  test('disconnects an encoder that was admitted late, at the next heartbeat', () =>
    expect(nextDrainState('drained', 'requested')).toEqual({ state: 'drained', disconnects: true }));

  test('ignores a timeout after the drain was withdrawn', () =>
    expect(nextDrainState('serving', 'timed_out')).toEqual({ state: 'serving', disconnects: false }));

  test('never disconnects encoders while in service', () => {
    for (const state of drainStates)
      for (const event of drainEvents) {
        const next = nextDrainState(state, event);
        expect(next.disconnects && next.state === 'serving').toBe(false);
      }
  });
});

test.each([
  [undefined, 0, 0],
  [undefined, 1, 5_000],
  [0, 3, 0],
  [90, 0, 90_000],
])('DRAIN_SECONDS %s with %i other nodes: %i ms', (seconds, otherNodes, ms) =>
  expect(drainMs(seconds, otherNodes)).toBe(ms),
);
