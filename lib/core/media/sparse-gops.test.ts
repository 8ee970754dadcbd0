import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planFrames } from './frame-plan';
import { planSparseGopEncoding } from './sparse-gops';

const TIMESCALE = 10;

/** GOPs of frames with the same duration in ticks, in which every second and third frame is decoded in reverse order. */
function createFrames(gops: readonly { readonly count: number; readonly ticks: number }[]) {
  const ptsInOrder: number[] = [];
  const keys = new Set<number>();
  let nextPts = 0;
  for (const { count, ticks } of gops) {
    keys.add(ptsInOrder.length);
    for (let frame = 0; frame < count; frame++, nextPts += ticks) ptsInOrder.push(nextPts);
  }
  const times = [...ptsInOrder];
  for (let frame = 1; frame + 1 < times.length; frame++)
    if (!keys.has(frame) && !keys.has(frame + 1)) {
      [times[frame], times[frame + 1]] = [times[frame + 1] ?? 0, times[frame] ?? 0];
      frame += 1;
    }
  return {
    count: times.length,
    pts: (frame: number) => times[frame] ?? 0,
    isIdr: (frame: number) => keys.has(frame),
    mediaEndTicks: nextPts,
    timescale: TIMESCALE,
  };
}

const planOf = (gops: readonly { count: number; ticks: number }[], maxFrames: number) => {
  const frames = createFrames(gops);
  const { mediaEndTicks } = frames;
  const durationSeconds = mediaEndTicks / TIMESCALE;
  const range = { fromTicks: 0, toTicks: mediaEndTicks, startSeconds: 0, durationSeconds };
  const copiedRuns = planFrames([range], frames);
  return { frames, copiedRuns, runs: planSparseGopEncoding(copiedRuns, frames, maxFrames) };
};

test('slides between dense GOPs are encoded as keyframes', () => {
  const dense = { count: 100, ticks: 1 };
  const slides = { count: 5, ticks: 100 };
  const { runs } = planOf([dense, slides, slides, dense], 10);
  expect(
    runs.map(({ kind, onlyKeyframes = false, firstFrame, lastFrame, startSeconds, endSeconds }) => [
      kind,
      onlyKeyframes,
      [firstFrame, lastFrame],
      [startSeconds, endSeconds],
    ]),
  ).toEqual([
    ['copy', false, [0, 99], [0, 10]],
    ['encode', true, [100, 109], [10, 110]],
    ['copy', false, [110, 209], [110, 120]],
  ]);
});

test('a short sparse GOP is encoded only if its frames are reordered', () => {
  // `createFrames` swaps the second and third frame; a GOP of two frames has none to swap.
  const kinds = (count: number) => planOf([{ count, ticks: 20 }], 10).runs.map(({ kind }) => kind);
  expect([kinds(2), kinds(3)]).toEqual([['copy'], ['encode']]);
});

test('more slides than can be encoded are copied', () => {
  const slides = { count: 5, ticks: 100 };
  const { runs, copiedRuns } = planOf([slides, slides], 9);
  expect(runs).toEqual(copiedRuns);
});

test('every frame is in one run, runs start with a keyframe, and each follows the one before', () => {
  const gops = fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 40 }), ticks: fc.integer({ min: 1, max: 110 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(gops, (list) => {
      const { frames, runs } = planOf(list, Infinity);
      let [frame, end] = [0, 0];
      for (const run of runs) {
        expect(run.firstFrame).toBe(frame);
        expect(frames.isIdr(run.firstFrame)).toBe(true);
        expect(run.startSeconds).toBeCloseTo(end, 6);
        for (let frameIndex = run.firstFrame; frameIndex <= run.lastFrame; frameIndex++) {
          expect(frames.pts(frameIndex)).toBeGreaterThanOrEqual(run.fromTicks);
          expect(frames.pts(frameIndex)).toBeLessThan(run.toTicks);
        }
        [frame, end] = [run.lastFrame + 1, run.endSeconds];
      }
      expect(frame).toBe(frames.count);
      expect(end).toBeCloseTo(frames.mediaEndTicks / TIMESCALE, 6);
    }),
  );
});
