import { expect, it } from 'vitest';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import { streamStatus } from './stream-status';

it.each([
  [false, false, 'idle', 'idle'],
  [true, false, 'live', 'live'],
  [false, true, 'suspended', 'warn'],
  [true, true, 'suspended', 'warn'],
])('a stream with isActive = %s and suspended = %s is shown as %s', (isActive, suspended, state, tone) => {
  expect(streamStatus({ isActive, suspended })).toEqual({ state, tone });
});

it('a live stream that waits for its encoder is shown as reconnecting', () => {
  const waitingStream = { isActive: true, suspended: false, issues: [reconnectingIssue] };
  expect(streamStatus(waitingStream)).toEqual({ state: 'reconnecting', tone: 'warn' });
});
