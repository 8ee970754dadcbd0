import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OggError, OggReader } from './ogg-reader';

/** @param segments sizes of the segments */
function page(segments: readonly number[], content: Buffer): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head.writeUInt8(segments.length, 26);
  return Buffer.concat([head, Buffer.from(segments), content]);
}

/** Packets in pages of a few segments each: long packets continue in the next page. */
function oggOf(packets: readonly Buffer[], segmentsPerPage: number): Buffer {
  const segments = packets.flatMap((packet) => [
    ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
    packet.length % 255,
  ]);
  const content = Buffer.concat([...packets]);
  const pages: Buffer[] = [];
  for (let firstSegment = 0, offset = 0; firstSegment < segments.length; firstSegment += segmentsPerPage) {
    const pageSegments = segments.slice(firstSegment, firstSegment + segmentsPerPage);
    const bytes = pageSegments.reduce((sum, size) => sum + size, 0);
    pages.push(page(pageSegments, content.subarray(offset, offset + bytes)));
    offset += bytes;
  }
  return Buffer.concat(pages);
}

describe('packets of an Ogg stream', () => {
  test('are read unchanged if the stream arrives in pieces of any size', () => {
    const packet = fc.uint8Array({ minLength: 1, maxLength: 700 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 12 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 900 }),
        (packets, segmentsPerPage, chunk) => {
          const packetsRead: Buffer[] = [];
          const reader = new OggReader((oggPacket) => packetsRead.push(oggPacket));
          const bytes = oggOf(packets, segmentsPerPage);
          for (let offset = 0; offset < bytes.length; offset += chunk)
            reader.push(bytes.subarray(offset, offset + chunk));
          expect(packetsRead).toEqual(packets);
        },
      ),
    );
  });

  test('longer than any Opus packet are rejected', () => {
    const reader = new OggReader(() => undefined);
    const endless = page(
      Array.from({ length: 255 }, () => 255),
      Buffer.alloc(255 * 255),
    );
    expect(() => reader.push(Buffer.concat([endless, endless]))).toThrow(OggError);
  });
});

test('input that is not an Ogg stream is rejected', () => {
  expect(() => new OggReader(() => undefined).push(Buffer.alloc(100))).toThrow(OggError);
});
