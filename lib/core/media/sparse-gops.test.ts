import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planFrames } from './frame-plan';
import { encodeSparseGops } from './sparse-gops';

const TIMESCALE = 10;

/** GOPs of frames with the same duration in ticks, in which every second and third frame is decoded in reverse order. */
function createFrames(gops: readonly { readonly count: number; readonly ticks: number }[]) {
  const ptsInOrder: number[] = [];
  const keys = new Set<number>();
  let at = 0;
  for (const { count, ticks } of gops) {
    keys.add(ptsInOrder.length);
    for (let frame = 0; frame < count; frame++, at += ticks) ptsInOrder.push(at);
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
    mediaEnd: at,
    timescale: TIMESCALE,
  };
}

const planOf = (gops: readonly { count: number; ticks: number }[], maxFrames: number) => {
  const frames = createFrames(gops);
  const range = { from: 0, to: frames.mediaEnd, at: 0, length: frames.mediaEnd / TIMESCALE };
  const copiedRuns = planFrames([range], frames);
  return { frames, copiedRuns, runs: encodeSparseGops(copiedRuns, frames, maxFrames) };
};

test('slides between dense GOPs are encoded as keyframes', () => {
  const dense = { count: 100, ticks: 1 };
  const slides = { count: 5, ticks: 100 };
  const { runs } = planOf([dense, slides, slides, dense], 10);
  expect(
    runs.map(({ kind, onlyKeyframes, first, last, start, end }) => ({
      kind,
      onlyKeyframes,
      first,
      last,
      start,
      end,
    })),
  ).toEqual([
    { kind: 'copy', onlyKeyframes: undefined, first: 0, last: 99, start: 0, end: 10 },
    { kind: 'encode', onlyKeyframes: true, first: 100, last: 109, start: 10, end: 110 },
    { kind: 'copy', onlyKeyframes: undefined, first: 110, last: 209, start: 110, end: 120 },
  ]);
});

test('a short sparse GOP is encoded only if its frames are reordered', () => {
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
        expect(run.first).toBe(frame);
        expect(frames.isIdr(run.first)).toBe(true);
        expect(run.start).toBeCloseTo(end, 6);
        for (let frameIndex = run.first; frameIndex <= run.last; frameIndex++) {
          expect(frames.pts(frameIndex)).toBeGreaterThanOrEqual(run.from);
          expect(frames.pts(frameIndex)).toBeLessThan(run.to);
        }
        [frame, end] = [run.last + 1, run.end];
      }
      expect(frame).toBe(frames.count);
      expect(end).toBeCloseTo(frames.mediaEnd / TIMESCALE, 6);
    }),
  );
});
