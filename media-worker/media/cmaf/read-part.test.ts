import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMediaPart } from './media-part';
import { readMoof } from './read-part';

const data = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const start = fc.nat(2 ** 48);
const duration = fc.nat(100_000);
const videoSample = fc.record({
  data,
  duration,
  compositionOffset: fc.integer({ min: -9_000, max: 9_000 }),
  key: fc.boolean(),
});
const audioSample = fc.record({ data, duration });
const samplesOf = <S>(sample: fc.Arbitrary<S>) =>
  fc.record({ start, samples: fc.array(sample, { minLength: 1, maxLength: 20 }) });

describe('readMoof', () => {
  test('reads back the samples of a part and their positions', () => {
    fc.assert(
      fc.property(samplesOf(videoSample), samplesOf(audioSample), (video, audio) => {
        const part = Buffer.concat(buildMediaPart({ sequence: 1, video, audio }));
        const tracks = readMoof(part.subarray(0, part.readUInt32BE(0)));
        expect(tracks.map(({ track }) => track)).toEqual([1, 2]);
        [video, audio].forEach(({ start: expectedStart, samples }, index) => {
          const track = tracks[index];
          expect(track?.start).toBe(expectedStart);
          expect(track?.durations).toEqual(samples.map((sample) => sample.duration));
          let offset = track?.offset ?? 0;
          samples.forEach((sample, nth) => {
            const size = track?.sizes[nth] ?? 0;
            expect(part.subarray(offset, offset + size).equals(sample.data)).toBe(true);
            offset += size;
          });
        });
        expect(tracks[0]?.keys).toEqual(video.samples.map(({ key }) => key));
        expect(tracks[0]?.compositionOffsets).toEqual(
          video.samples.map(({ compositionOffset }) => compositionOffset),
        );
        expect([tracks[1]?.keys, tracks[1]?.compositionOffsets]).toEqual([[], []]);
      }),
    );
  });

  test('returns for a damaged or truncated box, or throws an Error', () => {
    const part = Buffer.concat(
      buildMediaPart({
        sequence: 1,
        video: {
          start: 0,
          samples: [{ data: Buffer.from('x'), duration: 1, compositionOffset: 0, key: true }],
        },
        audio: undefined,
      }),
    );
    const moof = part.subarray(0, part.readUInt32BE(0));
    fc.assert(
      fc.property(fc.nat(moof.length - 1), fc.nat(255), fc.nat(moof.length), (offset, value, length) => {
        const damagedMoof = Buffer.from(moof.subarray(0, length));
        if (offset < damagedMoof.length) damagedMoof[offset] = value;
        try {
          readMoof(damagedMoof);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });

  test.each([
    ['no bytes', Buffer.alloc(0)],
    ['a free box', Buffer.from('0000000866726565', 'hex')],
  ])('throws for %s instead of a moof box', (_name, bytes) => {
    expect(() => readMoof(bytes)).toThrow('A part must begin with moof');
  });
});
