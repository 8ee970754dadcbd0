import { describe, expect, it } from 'vitest';
import { decideCut } from './packager-cut';
import { PACKAGER_LIMITS } from './packager-limits';

/** A frame for which nothing is cut. */
const INPUT = {
  sinceSegmentMs: 1000,
  sincePartMs: 100,
  segmentBytes: 0,
  partSamples: 3,
  frameMs: 40,
  canStartSegment: false,
  isIndependent: true,
  maxMs: 10_400,
};

describe('cut decisions', () => {
  it.each([
    ['the part is empty', 'none', { sincePartMs: 0, sinceSegmentMs: 9000, canStartSegment: true }],
    ['the part is not full', 'none', {}],
    ['a later frame boundary is nearer to the part length', 'none', { sincePartMs: 480 }],
    ['this frame boundary is nearest to the part length', 'part', { sincePartMs: 481 }],
    ['the part has too many samples', 'part', { partSamples: 4096 }],
    ['a keyframe comes too early for a segment', 'none', { canStartSegment: true, sinceSegmentMs: 1860 }],
    ['a keyframe comes at 2 s', 'segment', { canStartSegment: true, sinceSegmentMs: 2000 }],
    [
      'a keyframe comes a rounding error before 2 s',
      'segment',
      { canStartSegment: true, sinceSegmentMs: 1967 },
    ],
    [
      'a keyframe of an open GOP comes two frames before 2 s',
      'segment',
      { canStartSegment: true, sinceSegmentMs: 1920 },
    ],
    ['no keyframe has come after 8 s', 'part', { sinceSegmentMs: 8000, sincePartMs: 500 }],
    ['one more frame still fits', 'part', { sinceSegmentMs: 10_360, sincePartMs: 500 }],
    ['the segment would be too long with one more frame', 'forced', { sinceSegmentMs: 10_361 }],
    ['one more frame would exceed the declared duration', 'forced', { sinceSegmentMs: 2361, maxMs: 2400 }],
    [
      'a keyframe comes soon after a forced cut',
      'segment',
      { canStartSegment: true, isIndependent: false, sinceSegmentMs: 40 },
    ],
    ['the segment has 64 MB', 'forced', { segmentBytes: 64 * 1024 * 1024 }],
  ] as const)('if %s: %s', (_name, expectedCut, inputChange) => {
    expect(decideCut({ ...INPUT, ...inputChange }, PACKAGER_LIMITS)).toBe(expectedCut);
  });

  it.each([
    [60, 1000 / 60],
    [30, 1000 / 30],
    [25, 40],
    [24, 1000 / 24],
    [15, 1000 / 15],
    [15, 66.7],
    [12, 1000 / 12],
    [10, 100],
  ])('parts at %d fps keep the declared 550 ms and fill 85 %% of it', (_fps, frameMs) => {
    const cutAfter = (frames: number) =>
      decideCut({ ...INPUT, sinceSegmentMs: 0, sincePartMs: frames * frameMs, frameMs }, PACKAGER_LIMITS);
    let frames = 0;
    while (frames < 100 && cutAfter(frames) !== 'part') frames++;
    expect(frames * frameMs).toBeLessThanOrEqual(550);
    expect(frames * frameMs).toBeGreaterThanOrEqual(0.85 * 550);
  });
});
