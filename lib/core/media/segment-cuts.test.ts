import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSegmentCuts } from './segment-cuts';

const createFrames = (times: readonly number[], isKeyframe: (frame: number) => boolean) => ({
  count: times.length,
  shownAtSeconds: (frame: number) => times[frame] ?? 0,
  isKeyframe,
});
/** Times of frames at a constant rate. */
const timesEvery = (seconds: number, count: number) =>
  Array.from({ length: count }, (_, frame) => frame * seconds);

test('segments start at the first keyframe after six seconds', () => {
  const cuts = findSegmentCuts(createFrames(timesEvery(0.5, 60), (frame) => frame % 4 === 0));
  expect(cuts.map(({ startSeconds }) => startSeconds)).toEqual([0, 6, 12, 18, 24]);
});

test('an earlier keyframe starts a segment if none follows within twelve seconds', () => {
  const cuts = findSegmentCuts(
    createFrames(timesEvery(0.5, 60), (frame) => frame === 0 || frame === 8 || frame === 36),
  );
  expect(cuts.map(({ startSeconds, independent }) => [startSeconds, independent])).toEqual([
    [0, true],
    [4, true],
    [18, true],
  ]);
});

test.each([
  { name: 'a GOP of 50 s with 250 frames is one segment', fps: 5, gop: 50, starts: [0, 50, 100] },
  { name: 'a GOP of 20 s with 1,200 frames is one segment', fps: 60, gop: 20, starts: [0, 20, 40] },
  { name: 'a GOP of 25 s with 750 frames is cut at 12 s', fps: 30, gop: 25, starts: [0, 12, 25, 37, 50] },
  { name: 'a GOP of 250 s with 250 frames is one segment', fps: 1, gop: 250, starts: [0, 250, 500] },
  {
    name: 'a GOP of 324 s with 324 frames is cut until at most 300 s remain',
    fps: 1,
    gop: 324,
    starts: [0, 12, 24, 324],
  },
])('$name', ({ fps, gop, starts }) => {
  const cuts = findSegmentCuts(
    createFrames(timesEvery(1 / fps, fps * gop * 2 + 1), (frame) => frame % (fps * gop) === 0),
  );
  expect(cuts.slice(0, starts.length).map(({ startSeconds }) => Math.round(startSeconds))).toEqual(starts);
  for (const { startSeconds, independent } of cuts)
    expect(independent).toBe(Math.round(startSeconds) % gop === 0);
});

test('a segment starts only after frames that are all shown earlier', () => {
  // The frame shown last of four is decoded second. The GOP is longer than 300 s, so it is cut between keyframes.
  const times = timesEvery(60, 8).flatMap((seconds) => [seconds, seconds + 30, seconds + 10, seconds + 20]);
  const cuts = findSegmentCuts(createFrames(times, (frame) => frame === 0));
  expect(cuts.length).toBeGreaterThan(1);
  for (const { frame } of cuts) expect(frame % 4 === 0 || frame % 4 === 1).toBe(true);
});

test('the cuts of any video rise, and every frame is in the segment of its presentation time', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.boolean()), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, (frames) => {
      let timeMs = 0;
      const times = frames.map(([stepMs]) => (timeMs += stepMs) / 1_000);
      const cuts = findSegmentCuts(createFrames(times, (frame) => frames[frame]?.[1] ?? false));
      expect(cuts[0]?.frame).toBe(0);
      cuts.forEach((cut, index) => {
        const next = cuts[index + 1];
        expect(cut.frame).toBeLessThan(next?.frame ?? times.length);
        for (let frame = cut.frame; frame < (next?.frame ?? times.length); frame++) {
          expect(times[frame]).toBeGreaterThanOrEqual(cut.startSeconds);
          if (next) expect(times[frame]).toBeLessThan(next.startSeconds);
        }
        // The limit for sparse GOPs (300 s) plus one frame: frames are at most four seconds apart.
        if (next) expect(next.startSeconds - cut.startSeconds).toBeLessThanOrEqual(304);
        if (!next || next.independent) return;
        expect(next.startSeconds - cut.startSeconds).toBeLessThanOrEqual(16);
        const keyframes = times.filter(
          (time, frame) => frame > cut.frame && frames[frame]?.[1] && time - cut.startSeconds <= 20,
        );
        expect(keyframes.filter((time) => time - cut.startSeconds >= 2)).toEqual([]);
      });
    }),
  );
});
