import { expect, it } from 'vitest';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import { streamStatus } from './stream-status';

it.each([
  [false, false, 'idle', 'idle'],
  [true, false, 'live', 'live'],
  [false, true, 'suspended', 'warn'],
  [true, true, 'suspended', 'warn'],
])('a stream with isActive %s and suspended %s is %s', (isActive, suspended, state, tone) => {
  expect(streamStatus({ isActive, suspended })).toEqual({ state, tone });
});

it('a stream is shown as waiting for its encoder', () => {
  const live = { isActive: true, suspended: false, issues: [reconnectingIssue] };
  expect(streamStatus(live)).toEqual({ state: 'reconnecting', tone: 'warn' });
});
