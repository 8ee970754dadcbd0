import { describe, expect, test } from 'vitest';
import { drainMachine, drainMs } from './drain';

describe('draining node', () => {
  test.each(drainMachine.states)('returns to service when the drain is withdrawn: %s', (state) =>
    expect(drainMachine.next(state, 'withdrawn')).toBe('serving'),
  );

  test('keeps its streams until the timeout', () => {
    expect(drainMachine.next('serving', 'requested')).toBe('draining');
    expect(drainMachine.next('draining', 'requested')).toBe('draining');
    expect(drainMachine.next('draining', 'timed_out')).toBe('drained');
  });

  test('stays drained, so that an encoder that was admitted late is disconnected at the next heartbeat', () =>
    expect(drainMachine.next('drained', 'requested')).toBe('drained'));

  test('ignores a timeout after the drain was withdrawn', () =>
    expect(drainMachine.next('serving', 'timed_out')).toBeNull());
});

test.each([
  [undefined, 0, 0],
  [undefined, 1, 5_000],
  [0, 3, 0],
  [90, 0, 90_000],
])('DRAIN_SECONDS %s with %i other nodes: %i ms', (seconds, otherNodes, ms) =>
  expect(drainMs(seconds, otherNodes)).toBe(ms),
);
