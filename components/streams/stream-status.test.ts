import { expect, it } from 'vitest';
import { reconnecting } from '@/lib/core/streams/stream-doctor';
import { streamStatus } from './stream-status';

it.each([
  [false, false, 'idle', 'idle'],
  [true, false, 'live', 'live'],
  [false, true, 'suspended', 'warn'],
  [true, true, 'suspended', 'warn'],
])('active %s, suspended %s is %s', (isActive, suspended, state, tone) => {
  expect(streamStatus({ isActive, suspended })).toEqual({ state, tone });
});

it('shows that the stream waits for the encoder', () => {
  const live = { isActive: true, suspended: false, issues: [reconnecting] };
  expect(streamStatus(live)).toEqual({ state: 'reconnecting', tone: 'warn' });
});
