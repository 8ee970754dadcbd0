import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  renditionBandwidthOf,
  h264CodecOf,
  h264LevelOf,
  createProfileLadder,
  adaptRendition,
  createVodLadder,
  type VodSource,
} from './vod-ladder';

const source1080p: VodSource = { width: 1920, height: 1080, fps: 30, bitrate: 6_128_000, hasAudio: true };
const summarize = (source: VodSource) =>
  createVodLadder(source).map(({ name, width, height, bitrate }) => [name, width, height, bitrate]);

describe('createVodLadder', () => {
  it('descends from the size of the source', () => {
    expect(summarize(source1080p)).toEqual([
      ['720p', 1280, 720, 2_800_000],
      ['480p', 854, 480, 1_400_000],
      ['360p', 640, 360, 800_000],
      ['240p', 426, 240, 400_000],
    ]);
    expect(summarize({ ...source1080p, width: 3840, height: 2160, bitrate: 20_000_000 })[0]).toEqual([
      '1080p',
      1920,
      1080,
      5_000_000,
    ]);
  });

  it('has no rendition as large as the source or larger', () => {
    expect(summarize({ ...source1080p, width: 426, height: 240 })).toEqual([]);
    expect(createVodLadder({ ...source1080p, width: 640, height: 361 }).map(({ name }) => name)).toEqual([
      '360p',
      '240p',
    ]);
  });

  it('uses the shorter side of portrait video', () => {
    expect(createVodLadder({ ...source1080p, width: 1080, height: 1920 })[0]).toMatchObject({
      name: '720p',
      width: 720,
      height: 1280,
    });
  });

  it('has lower bitrates for simple content, down to a minimum', () => {
    const lecture = summarize({ ...source1080p, bitrate: 2_128_000 });
    // 720p has 4/9 of the area: 2,000,000 bit/s × (4/9) ** 0.75.
    expect(lecture[0]).toEqual(['720p', 1280, 720, 1_089_000]);
    const still = summarize({ ...source1080p, bitrate: 200_000 });
    expect(still.map(([, , , bitrate]) => bitrate)).toEqual([900_000, 500_000, 300_000, 180_000]);
  });

  it('has higher bitrates for higher frame rates', () => {
    const [fast] = createVodLadder({ ...source1080p, fps: 60, bitrate: 20_000_000 });
    // 2,800,000 bit/s × 2 ** 0.75.
    expect(fast?.bitrate).toBe(4_709_000);
    expect(createVodLadder({ ...source1080p, fps: undefined })).toEqual(createVodLadder(source1080p));
  });

  it('lists a bandwidth above the maximum bitrate, for the first frames of a segment', () => {
    // The bandwidth is 1.25 times the bitrate; audio adds 128,000 bit/s.
    expect(renditionBandwidthOf({ bitrate: 1_000_000 }, { hasAudio: true })).toEqual({
      bandwidth: 1_378_000,
      averageBandwidth: 1_128_000,
    });
    expect(renditionBandwidthOf({ bitrate: 1_000_000 }, { hasAudio: false }).bandwidth).toBe(1_250_000);
  });
});

describe('createProfileLadder', () => {
  it('fits profiles into the source, in order, each with a unique name', () => {
    const profiles = [
      { name: 'Small', width: 640, height: 360, bitrate: 700_000, fps: 15 },
      { name: 'Full', width: 1920, height: 1080, bitrate: 4_000_000, fps: 0 },
      { name: 'Low', width: 640, height: 360, bitrate: 300_000, fps: 0, quality: 28 },
      { name: 'Cinema', width: 3840, height: 2160, bitrate: 9_000_000, fps: 0 },
    ];
    expect(createProfileLadder(profiles, source1080p)).toEqual([
      { name: '360p', width: 640, height: 360, fps: 15, bitrate: 700_000, quality: 23, level: '3.0' },
      { name: '1080p', width: 1920, height: 1080, fps: null, bitrate: 4_000_000, quality: 23, level: '4.0' },
      { name: '360p_2', width: 640, height: 360, fps: null, bitrate: 300_000, quality: 28, level: '3.0' },
    ]);
  });
});

describe('adaptRendition', () => {
  const [, , small] = createVodLadder(source1080p);
  const rendition = small ?? expect.unreachable();

  it('keeps the number of lines and the shape of the source, and does not upscale', () => {
    const sizeFor = (width: number, height: number) => {
      const result = adaptRendition(rendition, { width, height }, 30);
      return [result.width, result.height, result.level];
    };
    expect(sizeFor(1920, 1080)).toEqual([640, 360, '3.0']);
    expect(sizeFor(1080, 1920)).toEqual([360, 640, '3.0']);
    expect(sizeFor(320, 240)).toEqual([320, 240, '3.0']);
    expect(sizeFor(3840, 1080)).toEqual([1280, 360, '3.1']);
  });

  it('returns the rendition itself for the source of its ladder', () => {
    expect(adaptRendition(rendition, source1080p, 30)).toBe(rendition);
  });

  it('returns even sizes that are not larger than the source, whose odd sizes are rounded up, or than 360p', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4096 }), fc.integer({ min: 2, max: 4096 }), (width, height) => {
        const result = adaptRendition(rendition, { width, height }, undefined);
        expect([result.width % 2, result.height % 2]).toEqual([0, 0]);
        expect(result.width).toBeLessThanOrEqual(width + 1);
        expect(Math.min(result.width, result.height)).toBeLessThanOrEqual(360);
      }),
    );
  });
});

describe('h264LevelOf', () => {
  it.each([
    [426, 240, 30, 400_000, '2.1', 'avc1.640015'],
    [854, 480, 30, 1_400_000, '3.1', 'avc1.64001f'],
    [1280, 720, 30, 2_800_000, '3.1', 'avc1.64001f'],
    [1280, 720, 60, 4_700_000, '3.2', 'avc1.640020'],
    [1920, 1080, 30, 5_000_000, '4.0', 'avc1.640028'],
    [1920, 1080, 60, 8_400_000, '4.2', 'avc1.64002a'],
    [3840, 2160, 60, 8_400_000, '5.2', 'avc1.640034'],
  ])(
    '%i×%i at %i frames per second and %i bit/s is level %s',
    (width, height, fps, bitrate, level, codec) => {
      expect(h264LevelOf({ width, height }, fps, bitrate)).toBe(level);
      expect(h264CodecOf({ level })).toBe(codec);
    },
  );
});
