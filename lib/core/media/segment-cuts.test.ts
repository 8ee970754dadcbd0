import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSegmentCuts } from './segment-cuts';

const createFrames = (times: readonly number[], keys: (frame: number) => boolean) => ({
  count: times.length,
  shownAt: (frame: number) => times[frame] ?? 0,
  isKey: keys,
});
const keysEvery = (seconds: number, count: number) =>
  Array.from({ length: count }, (_, frame) => frame * seconds);

test('segments start at the first keyframe after six seconds', () => {
  const cuts = findSegmentCuts(createFrames(keysEvery(0.5, 60), (frame) => frame % 4 === 0));
  expect(cuts.map(({ at }) => at)).toEqual([0, 6, 12, 18, 24]);
});

test('an earlier keyframe starts a segment if none follows within twelve seconds', () => {
  const cuts = findSegmentCuts(
    createFrames(keysEvery(0.5, 60), (frame) => frame === 0 || frame === 8 || frame === 36),
  );
  expect(cuts.map(({ at, independent }) => [at, independent])).toEqual([
    [0, true],
    [4, true],
    [18, true],
  ]);
});

test.each([
  { name: 'a GOP of 50 s with 250 frames is one segment', fps: 5, gop: 50, starts: [0, 50, 100] },
  { name: 'a GOP of 20 s is one segment at any frame rate', fps: 60, gop: 20, starts: [0, 20, 40] },
  { name: 'a longer GOP is cut before its keyframe', fps: 30, gop: 25, starts: [0, 12, 25, 37, 50] },
  { name: 'a GOP of 250 s with 250 frames is one segment', fps: 1, gop: 250, starts: [0, 250, 500] },
  { name: 'a GOP of ten minutes is cut until its last frames', fps: 1, gop: 324, starts: [0, 12, 24, 324] },
])('$name', ({ fps, gop, starts }) => {
  const cuts = findSegmentCuts(
    createFrames(keysEvery(1 / fps, fps * gop * 2 + 1), (frame) => frame % (fps * gop) === 0),
  );
  expect(cuts.slice(0, starts.length).map(({ at }) => Math.round(at))).toEqual(starts);
  for (const { at, independent } of cuts) expect(independent).toBe(Math.round(at) % gop === 0);
});

test('a segment starts only after frames that are all shown earlier', () => {
  // Frame 3 is decoded before 1 and 2.
  const times = keysEvery(6, 8).flatMap((at) => [at, at + 3, at + 1, at + 2]);
  const cuts = findSegmentCuts(createFrames(times, (frame) => frame === 0));
  for (const { frame } of cuts) expect(frame % 4 === 0 || frame % 4 === 1).toBe(true);
});

test('the cuts of any video rise, and every frame is in the segment of its presentation time', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.boolean()), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, (frames) => {
      let at = 0;
      const times = frames.map(([step]) => (at += step) / 1_000);
      const cuts = findSegmentCuts(createFrames(times, (frame) => frames[frame]?.[1] ?? false));
      expect(cuts[0]?.frame).toBe(0);
      cuts.forEach((cut, index) => {
        const next = cuts[index + 1];
        expect(cut.frame).toBeLessThan(next?.frame ?? times.length);
        for (let frame = cut.frame; frame < (next?.frame ?? times.length); frame++) {
          expect(times[frame]).toBeGreaterThanOrEqual(cut.at);
          if (next) expect(times[frame]).toBeLessThan(next.at);
        }
        // The limit for sparse GOPs (300 s) plus one frame: frames are at most four seconds apart.
        if (next) expect(next.at - cut.at).toBeLessThanOrEqual(304);
        if (!next || next.independent) return;
        expect(next.at - cut.at).toBeLessThanOrEqual(16);
        const keyframes = times.filter(
          (time, frame) => frame > cut.frame && frames[frame]?.[1] && time - cut.at <= 20,
        );
        expect(keyframes.filter((time) => time - cut.at >= 2)).toEqual([]);
      });
    }),
  );
});
