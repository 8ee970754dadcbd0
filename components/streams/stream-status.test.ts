import { expect, it } from 'vitest';
import { reconnecting } from '@/lib/core/streams/stream-doctor';
import { streamStatus } from './stream-status';

it.each([
  [false, false, 'Idle', 'idle'],
  [true, false, 'Live', 'live'],
  [false, true, 'Suspended', 'warn'],
  [true, true, 'Suspended', 'warn'],
])('active %s, suspended %s reads %s', (isActive, suspended, label, tone) => {
  expect(streamStatus({ isActive, suspended })).toEqual({ label, tone });
});

it('says that the encoder is being waited for', () => {
  const live = { isActive: true, suspended: false, issues: [reconnecting] };
  expect(streamStatus(live)).toEqual({ label: 'Reconnecting', tone: 'warn' });
});
