import { expect, test } from 'vitest';
import { SlowReaders } from './slow-readers';

type Request = Parameters<SlowReaders['paceOf']>[0];
const requestFrom = (remoteAddress: string) => ({ socket: { remoteAddress } }) as Request;

/** Readers at two addresses, and the names of disconnected ones. */
function slowReaders(limits: { readonly perAddress: number; readonly total: number }) {
  const readers = new SlowReaders(limits);
  const disconnected: string[] = [];
  const open = (name: string, address = '192.0.2.1') =>
    readers.paceOf(requestFrom(address), () => void disconnected.push(name));
  return { readers, disconnected, open };
}

test('beyond the bound of an address, the one that waits longest is cut off', () => {
  const { readers, disconnected, open } = slowReaders({ perAddress: 100, total: 1_000 });
  const [first, second] = [open('first'), open('second')];
  first.wait({ ownBytes: 40, sharedBuffers: [] });
  second.wait({ ownBytes: 40, sharedBuffers: [] });
  // The reader continues, and stops again.
  first.go();
  first.wait({ ownBytes: 40, sharedBuffers: [] });
  open('elsewhere', '192.0.2.2').wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnected).toEqual([]);
  open('third').wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnected).toEqual(['second']);
  // Its response has ended.
  second.go();
  expect(readers.bytes).toBe(120);
});

test('beyond the bound of all, the one that waits longest anywhere is cut off', () => {
  const { disconnected, open } = slowReaders({ perAddress: 100, total: 150 });
  for (let n = 1; n <= 5; n++) open(`reader ${n}`, `192.0.2.${n}`).wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnected).toEqual(['reader 1', 'reader 2']);
});

test('a network of IPv6 is one address', () => {
  const { disconnected, open } = slowReaders({ perAddress: 100, total: 1_000 });
  for (let n = 1; n <= 3; n++)
    open(`reader ${n}`, `2001:db8::${n}`).wait({ ownBytes: 40, sharedBuffers: [] });
  expect(disconnected).toEqual(['reader 1']);
});

test('what many readers share counts once', () => {
  const { readers, disconnected, open } = slowReaders({ perAddress: 100, total: 100 });
  const segment = new ArrayBuffer(90);
  const paces = Array.from({ length: 1_000 }, (_, n) => open(`reader ${n}`));
  for (const pace of paces) pace.wait({ ownBytes: 0, sharedBuffers: [segment] });
  expect([readers.bytes, disconnected]).toEqual([90, []]);
  for (const pace of paces) pace.go();
  expect(readers.bytes).toBe(0);
});

test('a body that is larger than the bound is sent to one reader', () => {
  const { disconnected, open } = slowReaders({ perAddress: 100, total: 100 });
  open('first').wait({ ownBytes: 0, sharedBuffers: [new ArrayBuffer(150)] });
  expect(disconnected).toEqual([]);
  open('second').wait({ ownBytes: 0, sharedBuffers: [new ArrayBuffer(150)] });
  expect(disconnected).toEqual(['first']);
});
