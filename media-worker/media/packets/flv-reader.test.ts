import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  audioConfig,
  audioFrame,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { FlvReader } from './flv-reader';
import { encodeFlvHeader, encodeFlvTag } from './flv-writer';
import type { MediaPacket } from './media-packet';

const packets: readonly MediaPacket[] = [
  videoConfig(),
  audioConfig(),
  videoFrame(0, { key: true, bytes: 3_000 }),
  audioFrame(21),
  videoFrame(40, { compositionMs: 80 }),
  videoFrame(2 ** 31 + 5),
];
/** A script tag of three bytes, which has no media, and its size. */
const script = Buffer.from('12000003000000000000000500000000000e', 'hex').subarray(0, 11 + 3);
const metadata = Buffer.concat([script, Buffer.from([0, 0, 0, 14])]);

function readAll(chunks: readonly Buffer[]): MediaPacket[] {
  const packetsRead: MediaPacket[] = [];
  const reader = new FlvReader((packet) => packetsRead.push(packet));
  for (const chunk of chunks) reader.push(chunk);
  return packetsRead;
}

describe('FlvReader', () => {
  const file = Buffer.concat([
    encodeFlvHeader({ video: true, audio: true }),
    metadata,
    ...packets.map((packet) => encodeFlvTag(packet)),
  ]);

  it('reads a stream that arrives in one piece', () => {
    expect(readAll([file])).toEqual(packets);
  });

  it('reads a stream that arrives byte by byte', () => {
    expect(readAll([...file].map((byte) => Buffer.from([byte])))).toEqual(packets);
  });

  it('reads a stream that arrives in any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(file.length), { maxLength: 12 }), (cuts) => {
        const positions = [0, ...cuts.toSorted((a, b) => a - b), file.length];
        const chunks = positions.slice(1).map((end, index) => file.subarray(positions[index], end));
        expect(readAll(chunks)).toEqual(packets);
      }),
    );
  });

  it('emits no packet for an incomplete tag', () => {
    expect(readAll([file.subarray(0, file.length - 1)])).toEqual(packets.slice(0, -1));
  });
});
