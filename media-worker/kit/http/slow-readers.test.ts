import { expect, test } from 'vitest';
import { SlowReaders } from './slow-readers';

type Request = Parameters<SlowReaders['paceOf']>[0];
const requestFrom = (remoteAddress: string) => ({ socket: { remoteAddress } }) as Request;

/** Opens a limit for slow readers, and collects the names of disconnected readers. */
function openReaders(limits: { readonly perAddress: number; readonly total: number }) {
  const readers = new SlowReaders(limits);
  const disconnectedNames: string[] = [];
  const open = (name: string, address = '192.0.2.1') =>
    readers.paceOf(requestFrom(address), () => void disconnectedNames.push(name));
  return { readers, disconnectedNames, open };
}

test('above the limit of an address, the reader at that address that has waited longest is disconnected', () => {
  const { readers, disconnectedNames, open } = openReaders({ perAddress: 100, total: 1_000 });
  const [first, second] = [open('first'), open('second')];
  first.wait({ ownBytes: 40, sharedBuffers: [] });
  second.wait({ ownBytes: 40, sharedBuffers: [] });
  // The reader continues, and stops again.
  first.go();
  first.wait({ ownBytes: 40, sharedBuffers: [] });
  open('elsewhere', '192.0.2.2').wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnectedNames).toEqual([]);
  open('third').wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnectedNames).toEqual(['second']);
  // The response of the second reader has ended.
  second.go();
  expect(readers.bytes).toBe(120);
});

test('above the total limit, the reader that has waited longest at any address is disconnected', () => {
  const { disconnectedNames, open } = openReaders({ perAddress: 100, total: 150 });
  for (let n = 1; n <= 5; n++) open(`reader ${n}`, `192.0.2.${n}`).wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnectedNames).toEqual(['reader 1', 'reader 2']);
});

test('an IPv6 network counts as one address', () => {
  const { disconnectedNames, open } = openReaders({ perAddress: 100, total: 1_000 });
  for (let n = 1; n <= 3; n++)
    open(`reader ${n}`, `2001:db8::${n}`).wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnectedNames).toEqual(['reader 1']);
});

test('shared bytes count once for all readers', () => {
  const { readers, disconnectedNames, open } = openReaders({ perAddress: 100, total: 100 });
  const segment = new ArrayBuffer(90);
  const paces = Array.from({ length: 1_000 }, (_, n) => open(`reader ${n}`));
  for (const pace of paces) pace.wait({ ownBytes: 0, sharedBuffers: [segment] });
  expect([readers.bytes, disconnectedNames]).toEqual([90, []]);
  for (const pace of paces) pace.go();
  expect(readers.bytes).toBe(0);
});

test('a body that is larger than the limit is sent to one reader', () => {
  const { disconnectedNames, open } = openReaders({ perAddress: 100, total: 100 });
  open('first').wait({ ownBytes: 0, sharedBuffers: [new ArrayBuffer(150)] });
  expect(disconnectedNames).toEqual([]);
  open('second').wait({ ownBytes: 0, sharedBuffers: [new ArrayBuffer(150)] });
  expect(disconnectedNames).toEqual(['first']);
});
