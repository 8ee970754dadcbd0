import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planFrames } from './frame-plan';

/**
 * Frames in decode order, at 25 ticks per second.
 * @param pts presentation time of each frame, in ticks
 * @param keys indexes of the keyframes
 */
const createFrames = (pts: readonly number[], keys: readonly number[]) => ({
  count: pts.length,
  pts: (frame: number) => pts[frame] ?? 0,
  isIdr: (frame: number) => keys.includes(frame),
  mediaEndTicks: Math.max(...pts) + 1,
  timescale: 25,
});
const steadyFrames = (count: number, gop: number) =>
  createFrames(
    Array.from({ length: count }, (_, frame) => frame),
    Array.from({ length: Math.ceil(count / gop) }, (_, index) => index * gop),
  );
const createRange = (fromTicks: number, toTicks: number, startSeconds = 0) => ({
  fromTicks,
  toTicks,
  startSeconds,
  durationSeconds: (toTicks - fromTicks) / 25,
});
/** [kind, first frame, last frame, start in seconds, end in seconds] of each run. */
const summarize = (plan: ReturnType<typeof planFrames>) =>
  plan.map(({ kind, firstFrame, lastFrame, startSeconds, endSeconds }) => [
    kind,
    firstFrame,
    lastFrame,
    startSeconds,
    endSeconds,
  ]);

describe('planFrames', () => {
  test('copies a video without cuts as a whole', () => {
    expect(summarize(planFrames([createRange(0, 100)], steadyFrames(100, 25)))).toEqual([
      ['copy', 0, 99, 0, 4],
    ]);
  });

  test('copies all frames if the cut is at a keyframe', () => {
    expect(summarize(planFrames([createRange(25, 60)], steadyFrames(100, 25)))).toEqual([
      ['copy', 25, 59, 0, 1.4],
    ]);
  });

  test('encodes frames between a cut and the next keyframe', () => {
    const plan = planFrames([createRange(30, 60)], steadyFrames(100, 25));
    expect(summarize(plan)).toEqual([
      ['encode', 25, 49, 0, 0.8],
      ['copy', 50, 59, 0.8, 1.2],
    ]);
    expect(plan[0]).toMatchObject({ fromTicks: 30, toTicks: 50 });
  });

  test('encodes frames whose references are removed by a cut', () => {
    // The frame shown at 10 is decoded before those at 8 and 9. The cut at 9 hides it, so its GOP cannot be copied.
    const reorderedFrames = createFrames([0, 3, 1, 2, 6, 4, 5, 7, 10, 8, 9], [0, 7]);
    const plan = planFrames([createRange(0, 9)], reorderedFrames);
    expect(summarize(plan)).toEqual([
      ['copy', 0, 6, 0, 0.28],
      ['encode', 7, 9, 0.28, 0.36],
    ]);
    expect(plan[1]).toMatchObject({ fromTicks: 7 });
  });

  test('encodes a held frame as a run of its own', () => {
    const heldFrame = { fromTicks: 30, toTicks: 30, startSeconds: 2, durationSeconds: 4 };
    expect(summarize(planFrames([heldFrame], steadyFrames(100, 25)))).toEqual([['encode', 25, 30, 2, 6]]);
  });

  test('starts another run after a frame that is on screen for too long', () => {
    const framesWithGap = createFrames([0, 1, 2, 1_000, 1_001], [0]);
    expect(summarize(planFrames([createRange(0, 1_002)], framesWithGap))).toEqual([
      ['copy', 0, 2, 0, 40],
      ['encode', 0, 4, 40, 40.08],
    ]);
  });
});

test('every run of any edit list starts with a keyframe, and no frame that is cut off is copied', () => {
  const cuts = fc.array(fc.tuple(fc.nat(190), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(cuts, fc.integer({ min: 2, max: 40 }), fc.boolean(), (pairs, gop, reorders) => {
      const pts = Array.from({ length: 200 }, (_, frame) => frame);
      if (reorders)
        for (let frame = 1; frame + 1 < 200; frame += 2)
          if (frame % gop !== 0 && (frame + 1) % gop !== 0) [pts[frame], pts[frame + 1]] = [frame + 1, frame];
      const keys = pts.filter((frame) => frame % gop === 0);
      let totalSeconds = 0;
      const ranges = pairs.map(([fromTicks, ticks]) => {
        const range = createRange(fromTicks, Math.min(200, fromTicks + ticks), totalSeconds);
        totalSeconds += range.durationSeconds;
        return range;
      });
      const frames = createFrames(pts, keys);
      let endSeconds = 0;
      for (const run of planFrames(ranges, frames)) {
        expect(frames.isIdr(run.firstFrame)).toBe(true);
        expect(run.startSeconds).toBeCloseTo(endSeconds, 6);
        endSeconds = run.endSeconds;
        if (run.kind === 'encode') continue;
        for (let frame = run.firstFrame; frame <= run.lastFrame; frame++) {
          const presentationTime = frames.pts(frame) / 25 + run.shiftSeconds;
          expect(presentationTime).toBeGreaterThanOrEqual(run.startSeconds - 1e-9);
          expect(presentationTime).toBeLessThan(run.endSeconds);
        }
      }
      expect(endSeconds).toBeCloseTo(totalSeconds, 6);
    }),
  );
});
