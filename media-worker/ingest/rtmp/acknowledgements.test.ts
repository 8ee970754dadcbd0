import { expect, it } from 'vitest';
import { Acknowledgements } from './acknowledgements';

it('an acknowledgement is due when as many bytes as the window have arrived since the last one', () => {
  const counter = new Acknowledgements();
  counter.setWindow(100_000);
  expect([60_000, 60_000, 60_000, 60_000].map((bytes) => counter.addReceived(bytes))).toEqual([
    null,
    120_000,
    null,
    240_000,
  ]);
});

it('a tiny window is raised, because it would require a reply to every packet', () => {
  const counter = new Acknowledgements();
  counter.setWindow(0);
  expect(counter.addReceived(1000)).toBeNull();
  expect(counter.addReceived(64 * 1024)).toBe(64 * 1024 + 1000);
});

it('a huge window is lowered, because the encoder would wait too long', () => {
  const counter = new Acknowledgements();
  counter.setWindow(0xffffffff);
  expect(counter.addReceived(2_500_000)).toBe(2_500_000);
});

it('bytes are counted modulo 2^32', () => {
  const counter = new Acknowledgements();
  expect(counter.addReceived(2 ** 32 - 10)).toBe(2 ** 32 - 10);
  expect(counter.addReceived(2_500_010)).toBe(2_500_000);
});
