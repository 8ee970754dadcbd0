import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOpusUnits } from './opus-units';

/** A packet of 20 ms (CELT, one frame). */
const packet = (size: number) => Buffer.concat([Buffer.from([0xf8]), Buffer.alloc(size - 1, 1)]);

/** @param flags bits of the control header: trims and extension */
function controlledUnit(data: Buffer, flags = 0, headerExtension: readonly number[] = []): Buffer {
  const sizes = [...Array.from({ length: Math.floor(data.length / 255) }, () => 255), data.length % 255];
  return Buffer.concat([Buffer.from([0x7f, 0xe0 | flags, ...sizes, ...headerExtension]), data]);
}

test('the packets of one PES packet follow each other in time', () => {
  const packets = [packet(3), packet(255), packet(300)];
  const pes = Buffer.concat([
    controlledUnit(packets[0] ?? Buffer.alloc(0)),
    controlledUnit(packets[1] ?? Buffer.alloc(0), 0x18, [0, 9, 0, 9]),
    controlledUnit(packets[2] ?? Buffer.alloc(0), 0x04, [2, 7, 7]),
  ]);
  expect(parseOpusUnits(pes)).toEqual(packets.map((data, index) => ({ atMs: index * 20, data })));
});

test.each([
  [0x08, 20],
  [0x18, 60],
  [0x63, 0],
  [0xe0, 2.5],
  [0xf9, 40],
])('a packet with the TOC byte %i lasts %d ms', (toc, ms) => {
  const pes = Buffer.concat([controlledUnit(Buffer.from([toc])), controlledUnit(packet(2))]);
  expect(parseOpusUnits(pes)[1]?.atMs).toBe(ms);
});

test('any bytes give only packets within them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const pes = Buffer.concat([controlledUnit(packet(4)), Buffer.from(bytes)]);
      const [first, ...laterUnits] = parseOpusUnits(pes);
      expect(first?.data).toEqual(packet(4));
      expect(laterUnits.every(({ data }) => data.length > 0 && data.length <= bytes.length)).toBe(true);
    }),
  );
});
