import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader, CodecDataError } from './bit-reader';
import { BitWriter } from './testing/bit-writer';

describe('BitReader', () => {
  it('reads back any written fields', () => {
    const field = fc.oneof(
      fc.record({ as: fc.constant('ue' as const), value: fc.nat(2 ** 31 - 2) }),
      fc.record({ as: fc.constant('se' as const), value: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }) }),
      fc.record({ as: fc.constant('bits' as const), value: fc.nat(2 ** 31 - 1) }),
    );
    fc.assert(
      fc.property(fc.array(field, { maxLength: 30 }), (fields) => {
        const writer = new BitWriter();
        for (const { as, value } of fields) writer[as](value, 32);
        const reader = new BitReader(writer.bytes(), 'test');
        for (const { as, value } of fields)
          expect(as === 'bits' ? reader.bits(32) : reader[as]()).toBe(value);
        expect(reader.bitsLeft).toBeLessThan(8);
      }),
    );
  });

  it('reads a signed 0 as 0', () => {
    expect(new BitReader(Buffer.from([0x80]), 'test').se()).toBe(0);
  });

  it.each([
    ['a field', (reader: BitReader) => reader.bits(17)],
    ['a skip', (reader: BitReader) => reader.skip(17)],
    ['a code without an end', (reader: BitReader) => reader.ue()],
  ])('throws an error with the name of the structure if %s ends beyond its end', (_name, readField) => {
    const reader = new BitReader(Buffer.alloc(2), 'SPS');
    expect(() => readField(reader)).toThrow(new CodecDataError('SPS is truncated'));
  });

  it('rejects a code longer than 32 bits', () => {
    expect(() => new BitReader(Buffer.alloc(16), 'SPS').ue()).toThrow('longer than 32 bits');
  });

  it('aligns to the next byte, and stays at an aligned one', () => {
    const reader = new BitReader(Buffer.from([0xff, 0x12, 0x34]), 'test');
    reader.skip(3);
    reader.alignToByte();
    reader.alignToByte();
    expect(reader.bits(16)).toBe(0x1234);
  });
});
