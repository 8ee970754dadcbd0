import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BitWriter } from '@/media-worker/media/cmaf/testing/bit-writer';
import type { AacUnit } from './adts-reader';
import { LatmReader } from './latm-reader';

/** A LATM element with AAC-LC, 48 kHz, two channels in `StreamMuxConfig` version 0. */
function latmElement(units: readonly Buffer[], hasConfig = true): Buffer {
  const writer = new BitWriter().bits(hasConfig ? 0 : 1, 1);
  if (hasConfig) {
    writer.bits(0, 1).bits(1, 1).bits(units.length - 1, 6).bits(0, 7); // prettier-ignore
    writer.bits(0x1190, 16).bits(0, 3).bits(0xff, 8).bits(0, 2);
  }
  for (const unit of units) {
    for (let remainingSize = unit.length; remainingSize >= 0; remainingSize -= 255)
      writer.bits(Math.min(remainingSize, 255), 8);
    for (const byte of unit) writer.bits(byte, 8);
  }
  const body = writer.bits(0, 7).bytes();
  const head = Buffer.alloc(3);
  head.writeUIntBE((0x2b7 << 13) | body.length, 0, 3);
  return Buffer.concat([head, body]);
}

function readUnits(pieces: readonly Buffer[], ticks: readonly (number | null)[] = [0]): AacUnit[] {
  const units: AacUnit[] = [];
  const reader = new LatmReader((unit) => units.push(unit));
  for (const [index, piece] of pieces.entries()) reader.push(piece, ticks[index] ?? null);
  return units;
}

it('reads elements with and without a configuration, with one unit or several', () => {
  const units = [3, 255, 700].map((size) => Buffer.alloc(size, size & 0xff));
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = units;
  const found = readUnits([
    Buffer.concat([latmElement([first, second]), latmElement([third, first], false)]),
  ]);
  expect(found.map(({ unit }) => unit)).toEqual([first, second, third, first]);
  expect(found.map(({ ticks }) => ticks)).toEqual([0, 1_920, 3_840, 5_760]);
  expect(found[0]?.config.toString('hex')).toBe('1190');
});

it('reads elements that continue in the next packet, after unrelated bytes', () => {
  const stream = Buffer.concat([
    Buffer.from([0x56, 1]),
    latmElement([Buffer.alloc(90, 7)]),
    latmElement([Buffer.alloc(9, 8)]),
  ]);
  const pieces = [stream.subarray(0, 50), stream.subarray(50, 55), stream.subarray(55)];
  expect(readUnits(pieces, [0, null, 9_000]).map(({ ticks, unit }) => [ticks, unit.length])).toEqual([
    [0, 90],
    [9_000, 9],
  ]);
});

it('reads any bytes without an exception', () => {
  const good = latmElement([Buffer.alloc(40, 5)]);
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.nat(good.length - 1),
      fc.nat(255),
      (noise, damagedOffset, value) => {
        const broken = Buffer.from(good);
        broken[damagedOffset] = value;
        for (const { unit } of readUnits([Buffer.from(noise), broken, Buffer.from(noise)]))
          expect(unit.length).toBeLessThan(8_192);
      },
    ),
  );
});
