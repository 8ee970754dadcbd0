import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLadder, type RequestedRendition } from './ladder';
import { omitUndefined } from '@/lib/core/omit-undefined';

const createProfile = (
  width: number,
  height: number,
  more: Partial<RequestedRendition> = {},
): RequestedRendition => ({
  name: `${height}p`,
  width,
  height,
  bitrate: 1_000_000,
  fps: 0,
  ...more,
});
const hd = createProfile(1280, 720);
const sd = createProfile(854, 480);
const profile360p = createProfile(640, 360);
const createSource = (width: number, height: number, fps: number | undefined = 30) => ({
  width,
  height,
  fps,
});
const sizes = (profiles: readonly RequestedRendition[], sourceVideo: ReturnType<typeof createSource>) =>
  createLadder(profiles, sourceVideo).renditions.map(
    ({ name, width, height }) => `${name} ${width}x${height}`,
  );

describe('ladder', () => {
  it.each([
    ['larger', createSource(1920, 1080), ['720p 1280x720', '480p 854x480', '360p 640x360']],
    [
      'as large as the first rendition',
      createSource(1280, 720),
      ['720p 1280x720', '480p 854x480', '360p 640x360'],
    ],
    ['as large as the second rendition', createSource(854, 480), ['480p 854x480', '360p 640x360']],
    ['smaller than all renditions', createSource(320, 180), []],
    ['4:3', createSource(1440, 1080), ['720p 960x720', '480p 640x480', '360p 480x360']],
    ['very wide', createSource(2560, 1080), ['720p 1280x540', '480p 854x360', '360p 640x270']],
    ['in portrait', createSource(1080, 1920), ['720p 720x1280', '480p 480x854', '360p 360x640']],
    ['in portrait and small', createSource(480, 854), ['480p 480x854', '360p 360x640']],
    ['square', createSource(1080, 1080), ['720p 720x720', '480p 480x480', '360p 360x360']],
    ['of odd size', createSource(641, 361), ['360p 640x360']],
  ])('for a source that is %s', (_name, sourceVideo, expectedSizes) => {
    expect(sizes([hd, sd, profile360p], sourceVideo)).toEqual(expectedSizes);
  });

  it('explains each profile it leaves out', () => {
    expect(createLadder([hd, profile360p], createSource(640, 360)).skipped).toEqual([
      'rendition "720p" (1280x720) is left out: the source is only 640x360',
    ]);
    expect(createLadder([profile360p], createSource(640, 360)).skipped).toEqual([]);
  });

  it('accepts a portrait profile for a portrait picture', () => {
    expect(sizes([createProfile(360, 640, { name: 'tall' })], createSource(720, 1280))).toEqual([
      'tall 360x640',
    ]);
  });

  it.each([
    ['0 keeps the source', 0, undefined, 30, null],
    ['a lower rate is a maximum', 15, undefined, 30, 15],
    ['a fraction', 30_000, 1001, 60, 30_000 / 1001],
    ['the rate of the source', 30, undefined, 30, null],
    ['30 of 29.97', 30, undefined, 29.97, null],
    ['29.97 of 30', 30_000, 1001, 30, null],
    ['a higher rate duplicates no frames', 60, undefined, 30, null],
    ['an unknown source rate is limited', 30, undefined, undefined, 30],
  ])('keeps or limits the frame rate: %s', (_name, fps, fpsDen, sourceFps, expected) => {
    const requestedProfile = createProfile(640, 360, { fps, ...omitUndefined({ fpsDen }) });
    const [rendition] = createLadder([requestedProfile], {
      width: 1280,
      height: 720,
      fps: sourceFps,
    }).renditions;
    expect(rendition?.fps).toBe(expected);
  });

  it.each([
    [{}, { bitrate: 1_000_000, quality: null, gopFrames: null, profile: 'main' }],
    [{ bitrate: 400 }, { bitrate: 16_000 }],
    [
      { quality: 23, profile: 'H264High' },
      { quality: 23, profile: 'high' },
    ],
    [
      { profile: 'H264Baseline', gop: '0' },
      { profile: 'baseline', gopFrames: null },
    ],
    [
      { profile: 'H264ConstrainedHigh', gop: '1.5' },
      { profile: 'high', gopFrames: 45 },
    ],
    [{ gop: 'intra' }, { gopFrames: 1 }],
    [{ gop: '2', fps: 15 }, { gopFrames: 30 }],
  ])('applies the profile options %j', (more, expected) => {
    expect(
      createLadder([createProfile(640, 360, more)], createSource(1280, 720)).renditions[0],
    ).toMatchObject(expected);
  });

  it('has even sizes that are not larger than the source, in the shape of the source', () => {
    const side = fc.integer({ min: 128, max: 7680 });
    fc.assert(
      fc.property(side, side, side, side, (boxWidth, boxHeight, width, height) => {
        const { renditions, skipped } = createLadder(
          [createProfile(boxWidth, boxHeight)],
          createSource(width, height),
        );
        expect(renditions.length + skipped.length).toBe(1);
        for (const rendition of renditions) {
          expect([rendition.width % 2, rendition.height % 2]).toEqual([0, 0]);
          expect(rendition.width).toBeLessThanOrEqual(width);
          expect(rendition.height).toBeLessThanOrEqual(height);
          const widthError = Math.abs(rendition.width - (rendition.height * width) / height);
          expect(widthError).toBeLessThanOrEqual(2 + (2 * width) / height);
        }
      }),
    );
  });
});
