import { expect, it, vi } from 'vitest';
import { ConnectionLimits, type Full, type Slot } from './connection-limits';

const enter = (limits: ConnectionLimits, group: string, drop = vi.fn()) => ({
  slot: limits.enter(group, drop),
  drop,
});
const publisher = (limits: ConnectionLimits, group: string): Slot => {
  const slot = limits.enter(group, () => expect.unreachable());
  if ('full' in slot) throw new Error('full');
  slot.keep();
  return slot;
};
const noop = () => undefined;

it('accepts publishers of one group up to the limit, and returns their number above it', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 2 });
  const first = publisher(limits, 'a');
  publisher(limits, 'a');
  expect(limits.enter('a', noop)).toEqual<Full>({ full: 'the address', open: 2, limit: 2 });
  publisher(limits, 'b');
  expect(limits.total).toBe(3);
  first.leave();
  first.leave();
  expect(limits.total).toBe(2);
  publisher(limits, 'a');
});

it('accepts publishers up to the total limit', () => {
  const limits = new ConnectionLimits({ connections: 2, connectionsPerAddress: 2 });
  publisher(limits, 'a');
  const second = publisher(limits, 'b');
  expect(limits.enter('c', noop)).toEqual<Full>({ full: 'the server', open: 2, limit: 2 });
  second.leave();
  publisher(limits, 'c');
  expect(limits.total).toBe(2);
});

it('drops the oldest connection without a publish in a full group', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 3 });
  publisher(limits, 'a');
  const [old, young] = [enter(limits, 'a'), enter(limits, 'a')];
  const next = enter(limits, 'a');
  expect([old, young, next].map(({ drop }) => drop.mock.calls.length)).toEqual([1, 0, 0]);
  expect(limits.total).toBe(3);
});

it('drops the oldest connection of the largest group when the server is full', () => {
  const limits = new ConnectionLimits({ connections: 5, connectionsPerAddress: 4 });
  const honest = enter(limits, 'honest');
  const flood = Array.from({ length: 4 }, () => enter(limits, 'flood'));
  publisher(limits, 'another');
  expect(honest.drop).not.toHaveBeenCalled();
  expect(flood.map(({ drop }) => drop.mock.calls.length)).toEqual([1, 0, 0, 0]);
  expect(limits.total).toBe(5);
});
