import { expect, test } from 'vitest';
import { clipBounds, initialDraft, handleRange, withEnd, withStart } from './clip-draft';

const videoBounds = { min: 0, max: 600 };
/** @param ranges pairs of start and end in seconds */
const seekable = (...ranges: [number, number][]): TimeRanges => ({
  length: ranges.length,
  start: (index) => ranges[index]?.[0] ?? 0,
  end: (index) => ranges[index]?.[1] ?? 0,
});

test.each([
  ['a video can be clipped as a whole', 600, seekable([0, 600]), videoBounds],
  [
    // 1,012 - 300 = 712.
    'a live stream with a short window can be clipped from 300 s before its end',
    Infinity,
    seekable([1_000, 1_012]),
    { min: 712, max: 1_012 },
  ],
  [
    'a live stream with a long window can be clipped from the start of the window',
    Infinity,
    seekable([100, 1_012]),
    { min: 100, max: 1_012 },
  ],
])('%s', (_title, duration, seekableRanges, bounds) => {
  expect(clipBounds({ duration, seekable: seekableRanges })).toEqual(bounds);
});

test.each([
  [100, { start: 85, end: 100 }],
  [0, { start: 0, end: 15 }],
  [600, { start: 585, end: 600 }],
])('the initial clip at %d s has 15 seconds', (seconds, draft) => {
  expect(initialDraft(seconds, videoBounds)).toEqual(draft);
});

test('the initial clip of a shorter video is the whole video', () => {
  expect(initialDraft(1, { min: 0, max: 4 })).toEqual({ start: 0, end: 4 });
});

test.each([
  [95, { start: 95, end: 100 }],
  [99.5, { start: 99.5, end: 100.5 }],
  [-3, { start: 0, end: 100 }],
  [700, { start: 599, end: 600 }],
])('moving the start to %d keeps the clip within its limits', (seconds, draft) => {
  expect(withStart({ start: 85, end: 100 }, seconds, videoBounds)).toEqual(draft);
});

test.each([
  [90, { start: 85, end: 90 }],
  [85.5, { start: 84.5, end: 85.5 }],
  [0, { start: 0, end: 1 }],
  [700, { start: 85, end: 600 }],
])('moving the end to %d keeps the clip within its limits', (seconds, draft) => {
  expect(withEnd({ start: 85, end: 100 }, seconds, videoBounds)).toEqual(draft);
});

test('if a clip would be longer than an hour, its other end follows', () => {
  const longVideoBounds = { min: 0, max: 10_000 };
  expect(withStart({ start: 5_000, end: 8_000 }, 1_000, longVideoBounds)).toEqual({
    start: 1_000,
    end: 4_600,
  });
  expect(withEnd({ start: 1_000, end: 4_000 }, 8_000, longVideoBounds)).toEqual({ start: 4_400, end: 8_000 });
});

test('if the clip of a viewer would be longer than a minute, its other end follows', () => {
  const viewerClipBounds = { ...videoBounds, maxSeconds: 60 };
  expect(withStart({ start: 85, end: 100 }, 10, viewerClipBounds)).toEqual({ start: 10, end: 70 });
  expect(withEnd({ start: 85, end: 100 }, 200, viewerClipBounds)).toEqual({ start: 140, end: 200 });
});

test('the handles reach one minute beyond the clip', () => {
  expect(handleRange({ start: 85, end: 100 }, videoBounds)).toEqual({ min: 25, max: 160 });
});
