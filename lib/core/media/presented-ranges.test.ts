import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEditList } from './presented-ranges';

// 10 seconds of media: 128,000 ticks from tick 1,024 on.
const media = { timescale: 12_800, movieTimescale: 1_000, mediaStart: 1_024, mediaEnd: 129_024 };
/** @param duration ticks of the movie, here milliseconds. @param mediaTime ticks of the track; -1 for an empty edit */
const createEdit = (duration: number, mediaTime: number, rate = 1) => ({ duration, mediaTime, rate });

test('media without an edit list is presented at its own times', () => {
  expect(applyEditList([], media)).toEqual([
    { fromTicks: 1_024, toTicks: 129_024, startSeconds: 0.08, durationSeconds: 10 },
  ]);
});

test('an edit cuts off the start and the end, and an empty edit delays the media', () => {
  expect(applyEditList([createEdit(700, -1), createEdit(4_000, 17_664)], media)).toEqual([
    { fromTicks: 17_664, toTicks: 68_864, startSeconds: 0.7, durationSeconds: 4 },
  ]);
});

test('an edit that ends within a movie tick of the media end ends with the media', () => {
  expect(applyEditList([createEdit(9_999, 1_024)], media)).toEqual([
    { fromTicks: 1_024, toTicks: 129_024, startSeconds: 0, durationSeconds: 10 },
  ]);
});

test('a last edit without a duration, as in fragmented files, extends to the media end', () => {
  expect(applyEditList([createEdit(0, 1_024)], media)).toEqual([
    { fromTicks: 1_024, toTicks: 129_024, startSeconds: 0, durationSeconds: 10 },
  ]);
});

test('edits cut out a middle part and hold a frame', () => {
  expect(
    applyEditList([createEdit(2_000, 1_024), createEdit(3_000, 65_024), createEdit(4_000, 1_024, 0)], media),
  ).toEqual([
    { fromTicks: 1_024, toTicks: 26_624, startSeconds: 0, durationSeconds: 2 },
    { fromTicks: 65_024, toTicks: 103_424, startSeconds: 2, durationSeconds: 3 },
    { fromTicks: 1_024, toTicks: 1_024, startSeconds: 5, durationSeconds: 4 },
  ]);
});

test('adjacent edits are merged', () => {
  expect(applyEditList([createEdit(2_000, 1_024), createEdit(3_000, 26_624)], media)).toEqual([
    { fromTicks: 1_024, toTicks: 65_024, startSeconds: 0, durationSeconds: 5 },
  ]);
});

describe('a movie with ticks of one second', () => {
  const coarseMedia = { ...media, movieTimescale: 1 };

  test('keeps edits separate that skip or repeat less than a second', () => {
    expect(applyEditList([createEdit(2, 1_024), createEdit(3, 31_744)], coarseMedia)).toEqual([
      { fromTicks: 1_024, toTicks: 26_624, startSeconds: 0, durationSeconds: 2 },
      { fromTicks: 31_744, toTicks: 70_144, startSeconds: 2, durationSeconds: 3 },
    ]);
  });

  test('shows each edit only until the next one, also near the end of the media', () => {
    expect(applyEditList([createEdit(3, 85_000), createEdit(2, 1_024)], coarseMedia)).toEqual([
      { fromTicks: 85_000, toTicks: 123_400, startSeconds: 0, durationSeconds: 3 },
      { fromTicks: 1_024, toTicks: 26_624, startSeconds: 3, durationSeconds: 2 },
    ]);
  });

  test('extends the last edit to the media end only if at most 0.1 s is added', () => {
    // Three seconds are 38,400 ticks. The first edit ends 624 ticks (0.05 s) before the media, the second one 5,624 ticks.
    expect(applyEditList([createEdit(3, 90_000)], coarseMedia)?.[0]?.toTicks).toBe(129_024);
    expect(applyEditList([createEdit(3, 85_000)], coarseMedia)?.[0]?.toTicks).toBe(123_400);
  });
});

test('an edit list that changes the speed is not supported and gives null', () => {
  expect(applyEditList([createEdit(2_000, 1_024, 0.5)], media)).toBeNull();
});

test('ranges of any edit list are consecutive and within the media', () => {
  const anyEdits = fc.record({
    duration: fc.nat(0xffffffff),
    mediaTime: fc.integer({ min: -1, max: 200_000 }),
    rate: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(fc.array(anyEdits, { maxLength: 8 }), (edits) => {
      let endSeconds = -Infinity;
      for (const { fromTicks, toTicks, startSeconds, durationSeconds } of applyEditList(edits, media) ?? []) {
        expect(startSeconds).toBeGreaterThanOrEqual(endSeconds - 0.003);
        expect(durationSeconds).toBeGreaterThan(0);
        if (toTicks > fromTicks) expect(toTicks).toBeLessThanOrEqual(media.mediaEnd);
        endSeconds = startSeconds + durationSeconds;
      }
    }),
  );
});
