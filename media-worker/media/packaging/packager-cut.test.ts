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
    ['an empty part', { sincePartMs: 0, sinceSegmentMs: 9000, canStartSegment: true }, 'none'],
    ['a part is not full', {}, 'none'],
    ['the frame boundary nearest to the part length is later', { sincePartMs: 480 }, 'none'],
    ['the boundary nearest to the part length is here', { sincePartMs: 481 }, 'part'],
    ['a part has too many samples', { partSamples: 4096 }, 'part'],
    ['a keyframe too early for a segment', { canStartSegment: true, sinceSegmentMs: 1860 }, 'none'],
    ['a keyframe at 2 s', { canStartSegment: true, sinceSegmentMs: 2000 }, 'segment'],
    ['a keyframe a rounding error before 2 s', { canStartSegment: true, sinceSegmentMs: 1967 }, 'segment'],
    [
      'a keyframe of an open GOP, two frames before 2 s',
      { canStartSegment: true, sinceSegmentMs: 1920 },
      'segment',
    ],
    ['no keyframe at 8 s', { sinceSegmentMs: 8000, sincePartMs: 500 }, 'part'],
    ['one more frame still fits', { sinceSegmentMs: 10_360, sincePartMs: 500 }, 'part'],
    ['one more frame would be too long', { sinceSegmentMs: 10_361 }, 'forced'],
    ['one more frame would exceed the declared duration', { sinceSegmentMs: 2361, maxMs: 2400 }, 'forced'],
    [
      'a keyframe soon after a forced cut',
      { canStartSegment: true, isIndependent: false, sinceSegmentMs: 40 },
      'segment',
    ],
    ['64 MB without a keyframe', { segmentBytes: 64 * 1024 * 1024 }, 'forced'],
  ] as const)('follow the limits: %s', (_name, inputChange, expectedCut) => {
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
