import { expect, it } from 'vitest';
import { streamStatus } from './stream-status';

it.each([
  [false, false, 'Idle', 'idle'],
  [true, false, 'Live', 'live'],
  [false, true, 'Suspended', 'warn'],
  [true, true, 'Suspended', 'warn'],
])('active %s, suspended %s reads %s', (isActive, suspended, label, tone) => {
  expect(streamStatus({ isActive, suspended })).toEqual({ label, tone });
});
