import { describe, expect, test } from 'vitest';
import { clipCut, clipRange, coversClip } from './clip-range';
import type { Cell } from './recording-timeline';

const hour = 3_600_000;
const live = { startMs: 10_000, endMs: 100_000, live: true };
const over = { ...live, live: false };

describe('clipRange', () => {
  test.each([
    [{ startTime: 20_000, endTime: 30_000 }, live, { startMs: 20_000, endMs: 30_000 }],
    [{ startTime: 20_000 }, live, { startMs: 20_000, endMs: 100_000 }],
    [{ startTime: 0, endTime: 11_000 }, live, { startMs: 0, endMs: 11_000 }],
    [{ startTime: 99_000, endTime: 160_000 }, live, { startMs: 99_000, endMs: 160_000 }],
    [{ startTime: 99_000, endTime: 200_000 }, over, { startMs: 99_000, endMs: 200_000 }],
    [{ startTime: 20_000, endTime: 21_000 }, live, { startMs: 20_000, endMs: 21_000 }],
    [{ startTime: 20_000, endTime: 20_000 }, live, { field: 'endTime', message: 'must be after startTime' }],
    [
      { startTime: 20_000, endTime: 20_999 },
      live,
      { field: 'endTime', message: 'a clip lasts at least 1 second' },
    ],
    [{ startTime: 99_500 }, live, { field: 'endTime', message: 'a clip lasts at least 1 second' }],
    [
      { startTime: 100_000, endTime: 101_000 },
      live,
      { field: 'startTime', message: 'is after the end of what can be clipped' },
    ],
    [{ startTime: 99_000, endTime: 160_001 }, live, { field: 'endTime', message: 'is in the future' }],
    [
      { startTime: 0, endTime: 10_000 },
      live,
      { field: 'endTime', message: 'is before the beginning of what can be clipped' },
    ],
    [
      { startTime: 0, endTime: hour },
      { ...over, endMs: 2 * hour },
      { startMs: 0, endMs: hour },
    ],
    [
      { startTime: 0, endTime: hour + 1 },
      { ...over, endMs: 2 * hour },
      { field: 'endTime', message: 'a clip lasts at most 60 minutes' },
    ],
    [
      { startTime: 0 },
      { ...over, endMs: 2 * hour },
      { field: 'endTime', message: 'is required: a clip lasts at most 60 minutes' },
    ],
  ])('%o of %o → %o', (request, available, expected) => {
    expect(clipRange(request, available)).toEqual(expected);
  });

  test('a limit below an hour is in seconds', () => {
    const expected = { startTime: 20_000, endTime: 80_001 };
    expect(clipRange(expected, over, 60_000)).toEqual({
      field: 'endTime',
      message: 'a clip lasts at most 60 seconds',
    });
    expect(clipRange({ ...expected, endTime: 80_000 }, over, 60_000)).toEqual({
      startMs: 20_000,
      endMs: 80_000,
    });
  });
});

const cell = (msn: number, wallMs: number, { independent = true, period = '1' } = {}): Cell => ({
  folder: 'source',
  period,
  msn,
  startMs: msn * 2_000,
  durationMs: 2_000,
  wallMs,
  independent,
});
const three = [cell(0, 10_000), cell(1, 12_000), cell(2, 14_000)];

describe('clipCut', () => {
  test.each([
    ['inside one segment', 12_501, 13_501, [1], 0.5, 1.001],
    ['across a segment boundary', 11_501, 12_501, [0, 1], 1.5, 1.001],
    ['exactly one segment', 12_000, 14_000, [1], 0, 2],
    ['from before the first segment', 0, 11_000, [0], 0, 1],
    ['past the last segment', 15_001, 60_000, [2], 1, 1],
  ])('%s', (_, startMs, endMs, msns, offset, seconds) => {
    const cut = clipCut(three, { startMs, endMs });
    expect(cut?.cells.map(({ msn }) => msn)).toEqual(msns);
    expect(cut?.offset).toBeCloseTo(offset, 6);
    expect(cut?.seconds).toBeCloseTo(seconds, 6);
  });

  test('starts at the segment with the keyframe that the first frame needs', () => {
    const long = [cell(0, 0), cell(1, 2_000, { independent: false }), cell(2, 4_000, { independent: false })];
    const cut = clipCut(long, { startMs: 4_501, endMs: 6_000 });
    expect(cut?.cells.map(({ msn }) => msn)).toEqual([0, 1, 2]);
    expect(cut?.offset).toBeCloseTo(4.5, 6);
  });

  test('does not search the keyframe in another publish', () => {
    const cellsWithGap = [cell(0, 0), cell(1, 2_000, { independent: false, period: '2' })];
    expect(clipCut(cellsWithGap, { startMs: 2_500, endMs: 4_000 })?.cells.map(({ msn }) => msn)).toEqual([1]);
  });

  test('closes gaps of an interruption', () => {
    const cut = clipCut([cell(0, 0), cell(1, 60_000, { period: '2' })], { startMs: 1_001, endMs: 61_000 });
    expect(cut).toMatchObject({ offset: 1, seconds: 2 });
  });

  test('returns null if nothing was recorded in the range', () => {
    expect(clipCut(three, { startMs: 0, endMs: 10_000 })).toBeNull();
    expect(clipCut(three, { startMs: 16_000, endMs: 20_000 })).toBeNull();
    expect(clipCut([cell(0, 0), cell(1, 60_000)], { startMs: 2_000, endMs: 60_000 })).toBeNull();
    expect(clipCut([], { startMs: 0, endMs: 1_000 })).toBeNull();
  });
});

test('coversClip returns true when the last segment reaches the end', () => {
  expect(coversClip(three, { startMs: 0, endMs: 16_000 })).toBe(true);
  expect(coversClip(three, { startMs: 0, endMs: 16_001 })).toBe(false);
  expect(coversClip([], { startMs: 0, endMs: 1 })).toBe(false);
});
