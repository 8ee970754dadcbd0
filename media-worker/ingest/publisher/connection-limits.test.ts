import { expect, it, vi } from 'vitest';
import { ConnectionLimits, type Full, type Slot } from './connection-limits';

const enterWithDrop = (limits: ConnectionLimits, group: string, drop = vi.fn()) => ({
  slot: limits.enter(group, drop),
  drop,
});
const addPublisher = (limits: ConnectionLimits, group: string): Slot => {
  const slot = limits.enter(group, () => expect.unreachable());
  if ('full' in slot) throw new Error('full');
  slot.keep();
  return slot;
};
const noop = () => undefined;

it('accepts publishers of one group up to the limit, and returns their number above it', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 2 });
  const first = addPublisher(limits, 'a');
  addPublisher(limits, 'a');
  expect(limits.enter('a', noop)).toEqual<Full>({ full: 'the address', open: 2, limit: 2 });
  addPublisher(limits, 'b');
  expect(limits.total).toBe(3);
  first.leave();
  first.leave();
  expect(limits.total).toBe(2);
  addPublisher(limits, 'a');
});

it('accepts publishers up to the total limit', () => {
  const limits = new ConnectionLimits({ connections: 2, connectionsPerAddress: 2 });
  addPublisher(limits, 'a');
  const second = addPublisher(limits, 'b');
  expect(limits.enter('c', noop)).toEqual<Full>({ full: 'the server', open: 2, limit: 2 });
  second.leave();
  addPublisher(limits, 'c');
  expect(limits.total).toBe(2);
});

it('drops the oldest connection without a publish in a full group', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 3 });
  addPublisher(limits, 'a');
  const [old, young] = [enterWithDrop(limits, 'a'), enterWithDrop(limits, 'a')];
  const next = enterWithDrop(limits, 'a');
  expect([old, young, next].map(({ drop }) => drop.mock.calls.length)).toEqual([1, 0, 0]);
  expect(limits.total).toBe(3);
});

it('drops the oldest connection of the largest group when the server is full', () => {
  const limits = new ConnectionLimits({ connections: 5, connectionsPerAddress: 4 });
  const honest = enterWithDrop(limits, 'honest');
  const flood = Array.from({ length: 4 }, () => enterWithDrop(limits, 'flood'));
  addPublisher(limits, 'another');
  expect(honest.drop).not.toHaveBeenCalled();
  expect(flood.map(({ drop }) => drop.mock.calls.length)).toEqual([1, 0, 0, 0]);
  expect(limits.total).toBe(5);
});
