import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEditList } from './presented-ranges';

// 10 seconds of media: 128,000 ticks from tick 1,024 on.
const media = { timescale: 12_800, movieTimescale: 1_000, mediaStart: 1_024, mediaEnd: 129_024 };
/** @param duration ticks of the movie, here milliseconds. @param mediaTime ticks of the track; -1 for an empty edit */
const edit = (duration: number, mediaTime: number, rate = 1) => ({ duration, mediaTime, rate });

test('media without an edit list is presented at its own times', () => {
  expect(applyEditList([], media)).toEqual([{ from: 1_024, to: 129_024, at: 0.08, length: 10 }]);
});

test('an edit cuts off the start, and an empty edit delays the media', () => {
  expect(applyEditList([edit(700, -1), edit(4_000, 17_664)], media)).toEqual([
    { from: 17_664, to: 68_864, at: 0.7, length: 4 },
  ]);
});

test('an edit that ends within a movie tick of the media end ends with the media', () => {
  expect(applyEditList([edit(9_999, 1_024)], media)).toEqual([
    { from: 1_024, to: 129_024, at: 0, length: 10 },
  ]);
});

test('a last edit without a duration, as in fragmented files, extends to the media end', () => {
  expect(applyEditList([edit(0, 1_024)], media)).toEqual([{ from: 1_024, to: 129_024, at: 0, length: 10 }]);
});

test('edits cut out a middle part and hold a frame', () => {
  expect(applyEditList([edit(2_000, 1_024), edit(3_000, 65_024), edit(4_000, 1_024, 0)], media)).toEqual([
    { from: 1_024, to: 26_624, at: 0, length: 2 },
    { from: 65_024, to: 103_424, at: 2, length: 3 },
    { from: 1_024, to: 1_024, at: 5, length: 4 },
  ]);
});

test('adjacent edits are merged', () => {
  expect(applyEditList([edit(2_000, 1_024), edit(3_000, 26_624)], media)).toEqual([
    { from: 1_024, to: 65_024, at: 0, length: 5 },
  ]);
});

describe('a movie with ticks of one second', () => {
  const coarse = { ...media, movieTimescale: 1 };

  test('keeps edits separate that skip or repeat less than a second', () => {
    expect(applyEditList([edit(2, 1_024), edit(3, 31_744)], coarse)).toEqual([
      { from: 1_024, to: 26_624, at: 0, length: 2 },
      { from: 31_744, to: 70_144, at: 2, length: 3 },
    ]);
  });

  test('shows each edit only until the next one, also near the end of the media', () => {
    expect(applyEditList([edit(3, 85_000), edit(2, 1_024)], coarse)).toEqual([
      { from: 85_000, to: 123_400, at: 0, length: 3 },
      { from: 1_024, to: 26_624, at: 3, length: 2 },
    ]);
  });

  test('extends the last edit to the media end only if little is added', () => {
    expect(applyEditList([edit(3, 90_000)], coarse)?.[0]?.to).toBe(129_024);
    expect(applyEditList([edit(3, 85_000)], coarse)?.[0]?.to).toBe(123_400);
  });
});

test('an edit list that changes the speed is not supported and gives null', () => {
  expect(applyEditList([edit(2_000, 1_024, 0.5)], media)).toBeNull();
});

test('ranges of any edit list are consecutive and within the media', () => {
  const anyEdits = fc.record({
    duration: fc.nat(0xffffffff),
    mediaTime: fc.integer({ min: -1, max: 200_000 }),
    rate: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(fc.array(anyEdits, { maxLength: 8 }), (edits) => {
      let end = -Infinity;
      for (const { from, to, at, length } of applyEditList(edits, media) ?? []) {
        expect(at).toBeGreaterThanOrEqual(end - 0.003);
        expect(length).toBeGreaterThan(0);
        if (to > from) expect(to).toBeLessThanOrEqual(media.mediaEnd);
        end = at + length;
      }
    }),
  );
});
