import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { videoConfig, videoFrame } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { LayerQueue } from './layer-queue';
import { SourceTimes } from './source-times';

const FRAME_MS = 40;
const GOP_MS = 2_000;
const isKey = (ms: number) => ms % GOP_MS === 0;

/** Frames of a source from 0, that are on the media timeline from `startMs` on. */
function timesOf(untilMs: number, startMs = 0): SourceTimes {
  const times = new SourceTimes();
  for (let ms = 0; ms < untilMs; ms += FRAME_MS)
    times.add({ dts: ms + startMs, originalDts: ms, key: isKey(ms) });
  return times;
}

/** Adds the frames of a layer whose clock is `skewMs` ahead of the source's. */
function pushFrames(queue: LayerQueue, { fromMs = 0, untilMs = 0, skewMs = 0 }): void {
  for (let ms = fromMs; ms < untilMs; ms += FRAME_MS) queue.push(videoFrame(ms + skewMs, { key: isKey(ms) }));
}

describe('the frames of a layer', () => {
  test('have the times of the same pictures of the source if the clocks differ by at most 90 ms', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -90, max: 90 }),
        fc.integer({ min: 0, max: 100_000 }),
        (skewMs, startMs) => {
          const queue = new LayerQueue(timesOf(5_000, startMs));
          queue.push(videoConfig());
          pushFrames(queue, { untilMs: 5_000, skewMs });
          const frames = queue.takeFramesUntil(startMs + 4_000).map(({ frame }) => frame.dts);
          // Four seconds of frames, with the first and the last.
          expect(frames).toEqual(
            Array.from({ length: 4_000 / FRAME_MS + 1 }, (_, index) => startMs + index * FRAME_MS),
          );
        },
      ),
    );
  });

  test('wait for the source, and are taken once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 10 }), (takeTimes) => {
        const queue = new LayerQueue(timesOf(5_000));
        queue.push(videoConfig());
        pushFrames(queue, { untilMs: 5_000 });
        const takenTimes = takeTimes.flatMap((ms) => queue.takeFramesUntil(ms).map(({ frame }) => frame.dts));
        const lastMs = Math.max(-1, ...takeTimes);
        // The source has 125 frames in five seconds.
        expect(takenTimes).toEqual(
          Array.from({ length: Math.floor(lastMs / FRAME_MS) + 1 }, (_, n) => n * FRAME_MS).slice(0, 125),
        );
      }),
    );
  });

  test('begin with a keyframe after a configuration', () => {
    const queue = new LayerQueue(timesOf(9_000));
    pushFrames(queue, { untilMs: 1_000 });
    expect(queue.takeFramesUntil(1_000)).toEqual([]);
    queue.push(videoConfig(undefined, 2_000));
    pushFrames(queue, { fromMs: 1_000, untilMs: 3_000 });
    expect(queue.takeFramesUntil(3_000)[0]?.frame).toMatchObject({ key: true, dts: 2_000 });
  });

  test('are dropped while no source has times for them, and continue at a keyframe', () => {
    const times = new SourceTimes();
    const queue = new LayerQueue(times);
    queue.push(videoConfig());
    pushFrames(queue, { untilMs: 60_000 });
    expect(queue.takeFramesUntil(Infinity)).toEqual([]);
    for (let ms = 0; ms < 70_000; ms += FRAME_MS) times.add({ dts: ms, key: isKey(ms) });
    pushFrames(queue, { fromMs: 60_000, untilMs: 66_000 });
    const [firstTaken] = queue.takeFramesUntil(66_000);
    expect(firstTaken?.frame.key).toBe(true);
    expect(firstTaken?.config.role).toBe('config');
  });

  test('of an earlier publisher are dropped', () => {
    const queue = new LayerQueue(timesOf(9_000));
    queue.push(videoConfig());
    pushFrames(queue, { untilMs: 3_000 });
    queue.restart();
    pushFrames(queue, { fromMs: 3_000, untilMs: 5_000 });
    expect(queue.takeFramesUntil(9_000)[0]?.frame.dts).toBe(4_000);
  });
});

test('times of the source are unknown before its first frame, and after another publisher began', () => {
  const times = new SourceTimes();
  expect(times.msOf(0)).toBeNull();
  times.add({ dts: 1_000, originalDts: 40, key: true });
  expect(times.msOf(80)).toBe(1_040);
  expect(times.stampOfKey(100)).toBe(40);
  expect(times.stampOfKey(300)).toBeNull();
  times.clear();
  expect(times.msOf(80)).toBeNull();
});

test('times of the source ignore a repeated picture, and restart when the clock was set back', () => {
  const times = timesOf(6_000);
  times.add({ dts: 6_500, originalDts: 4_000, key: true });
  expect(times.msOf(6_520)).toBe(6_520);
  const timesOfSetClock = timesOf(20_000);
  timesOfSetClock.add({ dts: 20_000, originalDts: 0, key: true });
  expect(timesOfSetClock.msOf(40)).toBe(20_040);
});
