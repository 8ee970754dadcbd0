import { describe, expect, test } from 'vitest';
import { drainMachine, drainTimeoutMs } from './drain';

describe('draining node', () => {
  test.each(drainMachine.states)('returns to service when the drain is withdrawn: %s', (state) =>
    expect(drainMachine.nextState(state, 'withdrawn')).toBe('serving'),
  );

  test('keeps its streams until the timeout', () => {
    expect(drainMachine.nextState('serving', 'requested')).toBe('draining');
    expect(drainMachine.nextState('draining', 'requested')).toBe('draining');
    expect(drainMachine.nextState('draining', 'timed_out')).toBe('drained');
  });

  test('stays drained while the drain is requested', () =>
    expect(drainMachine.nextState('drained', 'requested')).toBe('drained'));

  test('ignores a timeout after the drain was withdrawn', () =>
    expect(drainMachine.nextState('serving', 'timed_out')).toBeNull());
});

test.each([
  [undefined, 0, 0],
  [undefined, 1, 5_000],
  [0, 3, 0],
  [90, 0, 90_000],
])('DRAIN_SECONDS=%s with %i other nodes gives the streams %i ms', (seconds, otherNodes, ms) =>
  expect(drainTimeoutMs(seconds, otherNodes)).toBe(ms),
);
