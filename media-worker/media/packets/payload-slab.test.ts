import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PayloadSlab } from './flv-reader';

test('stored payloads are unchanged by later ones', () => {
  const sizes = fc.array(fc.oneof(fc.nat(3_000), fc.integer({ min: 60_000, max: 140_000 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const slab = new PayloadSlab();
      const source = Buffer.alloc(140_000);
      const copies = lengths.map((length, index) => slab.store(source.fill(index).subarray(0, length)));
      expect(copies.every((payload, index) => payload.equals(Buffer.alloc(lengths[index] ?? 0, index)))).toBe(
        true,
      );
    }),
    { numRuns: 30 },
  );
});

test('small payloads share memory: a thousand of them are in fewer than ten buffers', () => {
  const slab = new PayloadSlab();
  const copies = Array.from({ length: 1_000 }, () => slab.store(Buffer.alloc(1_000)));
  expect(new Set(copies.map(({ buffer }) => buffer)).size).toBeLessThan(10);
});

test('a large payload has its own buffer', () => {
  const payload = new PayloadSlab().store(Buffer.alloc(100_000));
  expect(payload.buffer.byteLength).toBe(100_000);
});
