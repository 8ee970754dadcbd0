import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';
import {
  audioConfig,
  audioFrame,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { encodeFlvHeader, encodeFlvTag, encodeRelayTag } from './flv-writer';
import type { MediaPacket } from './media-packet';

const header = encodeFlvHeader({ video: true, audio: true });
const readBack = (packets: readonly MediaPacket[], shiftMs = 0) =>
  demuxFlv(Buffer.concat([header, ...packets.map((packet) => encodeFlvTag(packet, shiftMs))]));

describe('an FLV stream', () => {
  it.each([
    [{ video: true, audio: true }, 5],
    [{ video: true, audio: false }, 1],
    [{ video: false, audio: true }, 4],
  ])('announces %j and no other track', (tracks, flags) => {
    expect(encodeFlvHeader(tracks).toString('hex')).toBe(
      `464c5601${flags.toString().padStart(2, '0')}0000000900000000`,
    );
  });

  it('is parsed back unchanged', () => {
    const packets = [
      videoConfig(),
      audioConfig(),
      videoFrame(0, { key: true, compositionMs: 66 }),
      audioFrame(20),
      videoFrame(40, { compositionMs: -40 }),
    ];
    expect(readBack(packets)).toEqual(packets);
  });

  it('has the size of its body in the header of a tag, and the size of the tag after it', () => {
    const tag = encodeFlvTag(videoFrame(40, { bytes: 300 }));
    expect(tag.readUInt32BE(tag.length - 4)).toBe(tag.length - 4);
    expect(tag.readUIntBE(1, 3)).toBe(tag.length - 4 - 11);
  });

  it('keeps any time and offset', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 31),
        fc.integer({ min: -500, max: 500 }),
        fc.boolean(),
        (dts, compositionMs, key) => {
          expect(readBack([videoFrame(dts, { compositionMs, key })])).toEqual([
            videoFrame(dts, { compositionMs, key }),
          ]);
        },
      ),
    );
  });

  it('shifts decode and presentation times', () => {
    const [packet] = readBack([videoFrame(70_000, { compositionMs: 80 })], -70_000);
    expect(packet).toMatchObject({ dts: 0, pts: 80 });
  });

  it('wraps after 2^32 ms and rounds the audio clock', () => {
    expect(readBack([audioFrame(2 ** 32 + 21)])[0]?.dts).toBe(21);
    expect(readBack([audioFrame(21.333)])[0]?.dts).toBe(21);
  });

  it('rejects codecs that plain FLV cannot carry', () => {
    expect(() => encodeFlvTag(videoFrame(0, { codec: 'hevc' }))).toThrow(RangeError);
    expect(() => encodeFlvTag(audioFrame(0, 'mp3'))).toThrow(RangeError);
  });

  it('limits a composition time to 24 bits', () => {
    expect(readBack([videoFrame(0, { compositionMs: 2 ** 40 })])[0]?.pts).toBe(2 ** 23 - 1);
  });
});

describe('FLV between processes', () => {
  it.each(['hevc', 'av1', 'avc'] as const)('%s is parsed back unchanged', (codec) => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.integer({ min: -500, max: 500 }),
        fc.boolean(),
        (dts, composition, key) => {
          const compositionMs = codec === 'av1' ? 0 : composition;
          const packets = [
            { ...videoConfig(), codec },
            { ...videoFrame(dts, { key, compositionMs }), codec },
          ];
          const tags = packets.map((packet) => encodeRelayTag(packet) ?? Buffer.alloc(0));
          expect(demuxFlv(Buffer.concat([header, ...tags]))).toEqual(packets);
        },
      ),
    );
  });

  it('codecs that are not packaged are not sent', () => {
    expect(encodeRelayTag({ ...videoFrame(0), codec: 'vp9' })).toBeNull();
    expect(encodeRelayTag({ ...audioFrame(0), codec: 'opus' })).toBeNull();
  });
});
