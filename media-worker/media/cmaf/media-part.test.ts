import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMediaPart } from './media-part';
import type { PartContent, VideoSample } from './media-part';
import { findBox, readBoxes } from './testing/read-boxes';

const frame = (fill: number, size: number, overrides: Partial<VideoSample> = {}): VideoSample => ({
  data: Buffer.alloc(size, fill),
  duration: 3000,
  compositionOffset: 0,
  key: false,
  ...overrides,
});

/**
 * The data of the samples of a `traf`, located by its `trun`.
 * @param entryBytes bytes of each sample in the `trun`
 */
function samplesOf(part: Buffer, traf: string, entryBytes: number): Buffer[] {
  const trun = findBox(part, `moof/${traf}/trun`).body;
  let offset = trun.readUInt32BE(8);
  return Array.from({ length: trun.readUInt32BE(4) }, (_unused, index) => {
    const size = trun.readUInt32BE(12 + index * entryBytes + 4);
    offset += size;
    return part.subarray(offset - size, offset);
  });
}

const partBytes = (content: PartContent): Buffer => Buffer.concat(buildMediaPart(content));

describe('buildMediaPart', () => {
  it('locates the samples of both tracks', () => {
    const video = [frame(1, 10, { key: true }), frame(2, 0), frame(3, 7)];
    const audio = [{ data: Buffer.from('one'), duration: 1024 }, { data: Buffer.from('two!'), duration: 2048 }]; // prettier-ignore
    const part = partBytes({
      sequence: 7,
      video: { start: 0, samples: video },
      audio: { start: 5, samples: audio },
    });
    expect(readBoxes(part).map(({ type }) => type)).toEqual(['moof', 'mdat']);
    expect(samplesOf(part, 'traf', 16)).toEqual(video.map(({ data }) => data));
    expect(samplesOf(part, 'traf#1', 8)).toEqual(audio.map(({ data }) => data));
    expect(findBox(part, 'moof/mfhd').body.readUInt32BE(4)).toBe(7);
  });

  it('writes decode times of 50 hours in 64 bits', () => {
    const start = 50 * 3600 * 90_000 + 7;
    const part = partBytes({ sequence: 1, video: { start, samples: [frame(1, 4)] }, audio: undefined });
    const { body } = findBox(part, 'moof/traf/tfdt');
    expect(body.readUInt8(0)).toBe(1);
    expect(body.readBigUInt64BE(4)).toBe(BigInt(start));
  });

  it('writes negative composition offsets and sync flags', () => {
    const samples = [frame(1, 4, { key: true }), frame(1, 4, { compositionOffset: -3000 })];
    const part = partBytes({ sequence: 1, video: { start: 0, samples }, audio: undefined });
    const { body } = findBox(part, 'moof/traf/trun');
    // Version 1, and flags for the data offset and four fields of each sample: duration, size, flags, composition offset.
    expect(body.readUInt32BE(0)).toBe(0x01000f01);
    expect(body.readUInt32BE(12 + 8)).toBe(0x02000000);
    expect(body.readUInt32BE(12 + 16 + 8)).toBe(0x01010000);
    expect(body.readInt32BE(12 + 16 + 12)).toBe(-3000);
  });

  it('contains every payload once and no other bytes, for any samples', () => {
    const sizes = fc.array(fc.nat(300), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.option(sizes), sizes, (videoSizes, audioSizes) => {
        const video = videoSizes && {
          start: 1,
          samples: videoSizes.map((size, index) => frame(index, size)),
        };
        const audio = {
          start: 2,
          samples: audioSizes.map((size) => ({ data: Buffer.alloc(size, 9), duration: 1 })),
        };
        const part = partBytes({ sequence: 1, video: video ?? undefined, audio });
        const payloads = [...(video?.samples ?? []), ...audio.samples].map(({ data }) => data);
        expect(findBox(part, 'mdat').body).toEqual(Buffer.concat(payloads));
        expect(samplesOf(part, video ? 'traf#1' : 'traf', 8)).toEqual(audio.samples.map(({ data }) => data));
      }),
    );
  });
});
