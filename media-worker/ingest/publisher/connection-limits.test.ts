import { expect, it, vi } from 'vitest';
import { ConnectionLimits, type Full, type Slot } from './connection-limits';

const takeSlotWithClose = (limits: ConnectionLimits, group: string, close = vi.fn()) => ({
  slot: limits.takeSlot(group, close),
  close,
});
const addPublisher = (limits: ConnectionLimits, group: string): Slot => {
  const slot = limits.takeSlot(group, () => expect.unreachable());
  if ('fullLimit' in slot) throw new Error('full');
  slot.keep();
  return slot;
};
const noop = () => undefined;

it('accepts publishers of one group up to the limit, and rejects further ones with the number of open connections', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 2 });
  const firstSlot = addPublisher(limits, 'a');
  addPublisher(limits, 'a');
  expect(limits.takeSlot('a', noop)).toEqual<Full>({ fullLimit: 'the address', openCount: 2, limit: 2 });
  addPublisher(limits, 'b');
  expect(limits.total).toBe(3);
  firstSlot.release();
  firstSlot.release();
  expect(limits.total).toBe(2);
  addPublisher(limits, 'a');
});

it('accepts publishers up to the total limit', () => {
  const limits = new ConnectionLimits({ connections: 2, connectionsPerAddress: 2 });
  addPublisher(limits, 'a');
  const secondSlot = addPublisher(limits, 'b');
  expect(limits.takeSlot('c', noop)).toEqual<Full>({ fullLimit: 'the server', openCount: 2, limit: 2 });
  secondSlot.release();
  addPublisher(limits, 'c');
  expect(limits.total).toBe(2);
});

it('closes the oldest connection without a publish in a full group', () => {
  const limits = new ConnectionLimits({ connections: 10, connectionsPerAddress: 3 });
  addPublisher(limits, 'a');
  const [firstSlot, secondSlot] = [takeSlotWithClose(limits, 'a'), takeSlotWithClose(limits, 'a')];
  const thirdSlot = takeSlotWithClose(limits, 'a');
  expect([firstSlot, secondSlot, thirdSlot].map(({ close }) => close.mock.calls.length)).toEqual([1, 0, 0]);
  expect(limits.total).toBe(3);
});

it('closes the oldest connection without a publish of the largest group when the server is full', () => {
  const limits = new ConnectionLimits({ connections: 5, connectionsPerAddress: 4 });
  const honest = takeSlotWithClose(limits, 'honest');
  const flood = Array.from({ length: 4 }, () => takeSlotWithClose(limits, 'flood'));
  addPublisher(limits, 'another');
  expect(honest.close).not.toHaveBeenCalled();
  expect(flood.map(({ close }) => close.mock.calls.length)).toEqual([1, 0, 0, 0]);
  expect(limits.total).toBe(5);
});
