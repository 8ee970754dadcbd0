import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { framePlan } from './frame-plan';

/** Frames at 25 ticks per second, one tick each, in decode order. @param pts by frame @param keys indexes of keyframes */
const film = (pts: readonly number[], keys: readonly number[]) => ({
  count: pts.length,
  pts: (frame: number) => pts[frame] ?? 0,
  isIdr: (frame: number) => keys.includes(frame),
  mediaEnd: Math.max(...pts) + 1,
  timescale: 25,
});
const steady = (count: number, gop: number) =>
  film(
    Array.from({ length: count }, (_, frame) => frame),
    Array.from({ length: Math.ceil(count / gop) }, (_, index) => index * gop),
  );
const range = (from: number, to: number, at = 0) => ({ from, to, at, length: (to - from) / 25 });
const brief = (plan: ReturnType<typeof framePlan>) =>
  plan.map(({ kind, first, last, at, until }) => [kind, first, last, at, until]);

describe('picturePlan', () => {
  test('copies a whole film', () => {
    expect(brief(framePlan([range(0, 100)], steady(100, 25)))).toEqual([['copy', 0, 99, 0, 4]]);
  });

  test('copies from a keyframe on', () => {
    expect(brief(framePlan([range(25, 60)], steady(100, 25)))).toEqual([['copy', 25, 59, 0, 1.4]]);
  });

  test('encodes frames between a cut and the next keyframe', () => {
    const plan = framePlan([range(30, 60)], steady(100, 25));
    expect(brief(plan)).toEqual([
      ['encode', 25, 49, 0, 0.8],
      ['copy', 50, 59, 0.8, 1.2],
    ]);
    expect(plan[0]).toMatchObject({ from: 30, to: 50 });
  });

  test('encodes frames that refer to frames hidden by a cut', () => {
    // Frame 3 is decoded before frames 1 and 2, but shown after them.
    const reorderedFilm = film([0, 3, 1, 2, 6, 4, 5, 7, 10, 8, 9], [0, 7]);
    const plan = framePlan([range(0, 9)], reorderedFilm);
    expect(brief(plan)).toEqual([
      ['copy', 0, 6, 0, 0.28],
      ['encode', 7, 9, 0.28, 0.36],
    ]);
    expect(plan[1]).toMatchObject({ from: 7 });
  });

  test('encodes a held frame alone', () => {
    const heldFrame = { from: 30, to: 30, at: 2, length: 4 };
    expect(brief(framePlan([heldFrame], steady(100, 25)))).toEqual([['encode', 25, 30, 2, 6]]);
  });

  test('starts a new run after a long gap', () => {
    const filmWithGap = film([0, 1, 2, 1_000, 1_001], [0]);
    expect(brief(framePlan([range(0, 1_002)], filmWithGap))).toEqual([
      ['copy', 0, 2, 0, 40],
      ['encode', 0, 4, 40, 40.08],
    ]);
  });
});

test('starts each run with a keyframe, and copies no frame that is cut off', () => {
  const cuts = fc.array(fc.tuple(fc.nat(190), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(cuts, fc.integer({ min: 2, max: 40 }), fc.boolean(), (pairs, gop, reorders) => {
      const order = Array.from({ length: 200 }, (_, frame) => frame);
      if (reorders)
        for (let frame = 1; frame + 1 < 200; frame += 2)
          if (frame % gop !== 0 && (frame + 1) % gop !== 0)
            [order[frame], order[frame + 1]] = [frame + 1, frame];
      const keys = order.filter((frame) => frame % gop === 0);
      let at = 0;
      const ranges = pairs.map(([from, length]) => {
        const to = Math.min(200, from + length);
        const editedRange = range(from, to, at);
        at += editedRange.length;
        return editedRange;
      });
      const frames = film(order, keys);
      let end = 0;
      for (const run of framePlan(ranges, frames)) {
        expect(frames.isIdr(run.first)).toBe(true);
        expect(run.at).toBeCloseTo(end, 6);
        end = run.until;
        if (run.kind === 'encode') continue;
        for (let frame = run.first; frame <= run.last; frame++) {
          const presentationTime = frames.pts(frame) / 25 + run.shift;
          expect(presentationTime).toBeGreaterThanOrEqual(run.at - 1e-9);
          expect(presentationTime).toBeLessThan(run.until);
        }
      }
      expect(end).toBeCloseTo(at, 6);
    }),
  );
});
