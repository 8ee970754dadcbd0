import { describe, expect, it } from 'vitest';
import { bandwidthOf, codecOf, levelOf, vodLadder, type VodSource } from './vod-ladder';

const film: VodSource = { width: 1920, height: 1080, fps: 30, bitrate: 6_128_000, hasAudio: true };
const summary = (source: VodSource) =>
  vodLadder(source).map(({ name, width, height, bitrate }) => [name, width, height, bitrate]);

describe('vodLadder', () => {
  it('goes down from the size of the source', () => {
    expect(summary(film)).toEqual([
      ['720p', 1280, 720, 2_800_000],
      ['480p', 854, 480, 1_400_000],
      ['360p', 640, 360, 800_000],
      ['240p', 426, 240, 400_000],
    ]);
    expect(summary({ ...film, width: 3840, height: 2160, bitrate: 20_000_000 })[0]).toEqual([
      '1080p',
      1920,
      1080,
      5_000_000,
    ]);
  });

  it('has nothing of the size of the source or above it', () => {
    expect(summary({ ...film, width: 426, height: 240 })).toEqual([]);
    expect(vodLadder({ ...film, width: 640, height: 361 }).map(({ name }) => name)).toEqual(['360p', '240p']);
  });

  it('counts the shorter side of portrait video', () => {
    expect(vodLadder({ ...film, width: 1080, height: 1920 })[0]).toMatchObject({
      name: '720p',
      width: 720,
      height: 1280,
    });
  });

  it('gives simple content fewer bits, and no less than a picture needs', () => {
    const lecture = summary({ ...film, bitrate: 2_128_000 });
    expect(lecture[0]).toEqual(['720p', 1280, 720, 1_089_000]);
    const still = summary({ ...film, bitrate: 200_000 });
    expect(still.map(([, , , bitrate]) => bitrate)).toEqual([900_000, 500_000, 300_000, 180_000]);
  });

  it('gives more frames more bits', () => {
    const [fast] = vodLadder({ ...film, fps: 60, bitrate: 20_000_000 });
    expect(fast?.bitrate).toBe(4_709_000);
    expect(vodLadder({ ...film, fps: undefined })).toEqual(vodLadder(film));
  });

  it('lists more bits than the ceiling, for the first frames of a segment', () => {
    expect(bandwidthOf({ bitrate: 1_000_000 }, { hasAudio: true })).toEqual({
      bandwidth: 1_378_000,
      averageBandwidth: 1_128_000,
    });
    expect(bandwidthOf({ bitrate: 1_000_000 }, { hasAudio: false }).bandwidth).toBe(1_250_000);
  });
});

describe('levelOf', () => {
  it.each([
    [426, 240, 30, 400_000, '2.1', 'avc1.640015'],
    [854, 480, 30, 1_400_000, '3.1', 'avc1.64001f'],
    [1280, 720, 30, 2_800_000, '3.1', 'avc1.64001f'],
    [1280, 720, 60, 4_700_000, '3.2', 'avc1.640020'],
    [1920, 1080, 30, 5_000_000, '4.0', 'avc1.640028'],
    [1920, 1080, 60, 8_400_000, '4.2', 'avc1.64002a'],
    [3840, 2160, 60, 8_400_000, '5.2', 'avc1.640034'],
  ])('%i×%i at %i frames and %i bit/s is level %s', (width, height, fps, bitrate, level, codec) => {
    expect(levelOf({ width, height }, fps, bitrate)).toBe(level);
    expect(codecOf({ level })).toBe(codec);
  });
});
