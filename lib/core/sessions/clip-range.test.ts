import { describe, expect, test } from 'vitest';
import { selectClipSegments, resolveClipRange, reachesClipEnd } from './clip-range';
import type { RenditionSegment } from './recording-timeline';

const HOUR_MS = 3_600_000;
const liveSession = { startMs: 10_000, endMs: 100_000, live: true };
const endedSession = { ...liveSession, live: false };

describe('resolveClipRange', () => {
  test.each([
    [{ startTime: 20_000, endTime: 30_000 }, liveSession, { startMs: 20_000, endMs: 30_000 }],
    [{ startTime: 20_000 }, liveSession, { startMs: 20_000, endMs: 100_000 }],
    [{ startTime: 0, endTime: 11_000 }, liveSession, { startMs: 0, endMs: 11_000 }],
    [{ startTime: 99_000, endTime: 160_000 }, liveSession, { startMs: 99_000, endMs: 160_000 }],
    [{ startTime: 99_000, endTime: 200_000 }, endedSession, { startMs: 99_000, endMs: 200_000 }],
    [{ startTime: 20_000, endTime: 21_000 }, liveSession, { startMs: 20_000, endMs: 21_000 }],
    [
      { startTime: 20_000, endTime: 20_000 },
      liveSession,
      { field: 'endTime', message: 'must be after startTime' },
    ],
    [
      { startTime: 20_000, endTime: 20_999 },
      liveSession,
      { field: 'endTime', message: 'a clip lasts at least 1 second' },
    ],
    [{ startTime: 99_500 }, liveSession, { field: 'endTime', message: 'a clip lasts at least 1 second' }],
    [
      { startTime: 100_000, endTime: 101_000 },
      liveSession,
      { field: 'startTime', message: 'is after the end of what can be clipped' },
    ],
    [{ startTime: 99_000, endTime: 160_001 }, liveSession, { field: 'endTime', message: 'is in the future' }],
    [
      { startTime: 0, endTime: 10_000 },
      liveSession,
      { field: 'endTime', message: 'is before the beginning of what can be clipped' },
    ],
    [
      { startTime: 0, endTime: HOUR_MS },
      { ...endedSession, endMs: 2 * HOUR_MS },
      { startMs: 0, endMs: HOUR_MS },
    ],
    [
      { startTime: 0, endTime: HOUR_MS + 1 },
      { ...endedSession, endMs: 2 * HOUR_MS },
      { field: 'endTime', message: 'a clip lasts at most 60 minutes' },
    ],
    [
      { startTime: 0 },
      { ...endedSession, endMs: 2 * HOUR_MS },
      { field: 'endTime', message: 'is required: a clip lasts at most 60 minutes' },
    ],
  ])('the request %j for the media %j is resolved to %j', (request, available, expected) => {
    expect(resolveClipRange(request, available)).toEqual(expected);
  });

  test('a limit of up to a minute is named in seconds', () => {
    const request = { startTime: 20_000, endTime: 80_001 };
    expect(resolveClipRange(request, endedSession, 60_000)).toEqual({
      field: 'endTime',
      message: 'a clip lasts at most 60 seconds',
    });
    expect(resolveClipRange({ ...request, endTime: 80_000 }, endedSession, 60_000)).toEqual({
      startMs: 20_000,
      endMs: 80_000,
    });
  });
});

const createSegment = (
  msn: number,
  wallClockMs: number,
  { independent = true, period = '1' } = {},
): RenditionSegment => ({
  folder: 'source',
  period,
  msn,
  startMs: msn * 2_000,
  durationMs: 2_000,
  wallClockMs,
  independent,
});
const threeSegments = [createSegment(0, 10_000), createSegment(1, 12_000), createSegment(2, 14_000)];

describe('selectClipSegments', () => {
  test.each([
    // [clip, start and end in ms, sequence numbers, offset in the first segment and duration in s]. Starts are 1 ms earlier,
    // because wall-clock times are rounded.
    ['inside one segment', 12_501, 13_501, [1], 0.5, 1.001],
    ['across a segment boundary', 11_501, 12_501, [0, 1], 1.5, 1.001],
    ['exactly one segment', 12_000, 14_000, [1], 0, 2],
    ['from before the first segment', 0, 11_000, [0], 0, 1],
    ['past the last segment', 15_001, 60_000, [2], 1, 1],
  ])('selects the segments of a clip %s', (_, startMs, endMs, msns, offset, seconds) => {
    const cut = selectClipSegments(threeSegments, { startMs, endMs });
    expect(cut?.segments.map(({ msn }) => msn)).toEqual(msns);
    expect(cut?.offsetSeconds).toBeCloseTo(offset, 6);
    expect(cut?.durationSeconds).toBeCloseTo(seconds, 6);
  });

  test('starts at the segment with the keyframe that the first frame needs', () => {
    const segmentsOfOneGop = [
      createSegment(0, 0),
      createSegment(1, 2_000, { independent: false }),
      createSegment(2, 4_000, { independent: false }),
    ];
    const cut = selectClipSegments(segmentsOfOneGop, { startMs: 4_501, endMs: 6_000 });
    expect(cut?.segments.map(({ msn }) => msn)).toEqual([0, 1, 2]);
    expect(cut?.offsetSeconds).toBeCloseTo(4.5, 6);
  });

  test('starts without a keyframe if that is in another publish', () => {
    const segmentsWithGap = [
      createSegment(0, 0),
      createSegment(1, 2_000, { independent: false, period: '2' }),
    ];
    expect(
      selectClipSegments(segmentsWithGap, { startMs: 2_500, endMs: 4_000 })?.segments.map(({ msn }) => msn),
    ).toEqual([1]);
  });

  test('closes gaps of an interruption', () => {
    const cut = selectClipSegments([createSegment(0, 0), createSegment(1, 60_000, { period: '2' })], {
      startMs: 1_001,
      endMs: 61_000,
    });
    expect(cut).toMatchObject({ offsetSeconds: 1, durationSeconds: 2 });
  });

  test('returns null if nothing was recorded in the range', () => {
    expect(selectClipSegments(threeSegments, { startMs: 0, endMs: 10_000 })).toBeNull();
    expect(selectClipSegments(threeSegments, { startMs: 16_000, endMs: 20_000 })).toBeNull();
    expect(
      selectClipSegments([createSegment(0, 0), createSegment(1, 60_000)], { startMs: 2_000, endMs: 60_000 }),
    ).toBeNull();
    expect(selectClipSegments([], { startMs: 0, endMs: 1_000 })).toBeNull();
  });
});

test('reachesClipEnd is true if the last segment reaches the end of the clip', () => {
  expect(reachesClipEnd(threeSegments, { startMs: 0, endMs: 16_000 })).toBe(true);
  expect(reachesClipEnd(threeSegments, { startMs: 0, endMs: 16_001 })).toBe(false);
  expect(reachesClipEnd([], { startMs: 0, endMs: 1 })).toBe(false);
});
