import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAudioTimeline } from './audio-timeline';

/** Duration of an AAC frame of 1,024 samples at 48 kHz, whose track has one tick per sample. */
const FRAME_SECONDS = 1_024 / 48_000;
const createFrames = (times: readonly number[]) => ({
  count: times.length,
  pts: (frame: number) => times[frame] ?? 0,
  timescale: 48_000,
  frameSeconds: FRAME_SECONDS,
});
const steadyFrames = (count: number) =>
  createFrames(Array.from({ length: count }, (_, frame) => frame * 1_024));
const silentFramesOf = (timeline: ReturnType<typeof createAudioTimeline>) =>
  timeline?.frames.filter((frame) => frame === null).length;

test('one priming frame before the first audible frame is kept', () => {
  const range = { fromTicks: 1_024, toTicks: 10_240, startSeconds: 0, durationSeconds: 0.192 };
  const timeline = createAudioTimeline([range], steadyFrames(10), { from: 0, to: 0.192 }, 100);
  expect(timeline?.frames).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(timeline?.startSeconds).toBeCloseTo(-FRAME_SECONDS, 9);
});

test('frames that an edit cuts off are not sent', () => {
  const range = { fromTicks: 48_000, toTicks: 96_000, startSeconds: 0, durationSeconds: 1 };
  const timeline = createAudioTimeline([range], steadyFrames(100), { from: 0, to: 1 }, 1_000);
  // One second is 46.9 frames: frame 47 is the first one after the cut at 1 s, frame 93 the last one before 2 s.
  expect(timeline?.frames[0]).toBe(47);
  expect(timeline?.frames.at(-1)).toBe(93);
});

test('gaps become silence, and later frames keep their times', () => {
  const times = [0, 1_024, 2_048, 3_072 + 48_000, 4_096 + 48_000];
  const range = { fromTicks: 0, toTicks: 53_120, startSeconds: 0, durationSeconds: 53_120 / 48_000 };
  const timeline = createAudioTimeline(
    [range],
    createFrames(times),
    { from: 0, to: range.durationSeconds },
    1_000,
  );
  // The gap lasts one second, which is 46.9 frames.
  expect(silentFramesOf(timeline)).toBe(47);
  const index = timeline?.frames.indexOf(3) ?? 0;
  expect(Math.abs(index * FRAME_SECONDS - 51_072 / 48_000)).toBeLessThan(FRAME_SECONDS / 2 + 1e-9);
});

test('audio that starts later and ends earlier than the presentation is silent there', () => {
  const range = { fromTicks: 0, toTicks: 48_000, startSeconds: 0.7, durationSeconds: 1 };
  const timeline = createAudioTimeline([range], steadyFrames(47), { from: 0, to: 5 }, 1_000);
  const firstAudibleIndex = timeline?.frames.indexOf(0) ?? 0;
  expect((timeline?.startSeconds ?? 0) + firstAudibleIndex * FRAME_SECONDS).toBeCloseTo(0.7, 9);
  expect((timeline?.startSeconds ?? 0) + (timeline?.frames.length ?? 0) * FRAME_SECONDS).toBeCloseTo(5, 1);
});

test('a timeline with more frames than the maximum is null', () => {
  // 1,000 s of silence are 46,875 frames.
  const range = { fromTicks: 0, toTicks: 48_000, startSeconds: 1_000, durationSeconds: 1 };
  expect(createAudioTimeline([range], steadyFrames(47), { from: 0, to: 1_001 }, 1_000)).toBeNull();
});

test('no frame of any file is presented more than half of its duration too early or too late', () => {
  const gaps = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, (steps) => {
      let pts = 0;
      const times = steps.map((step) => (pts += step));
      const range = {
        fromTicks: 0,
        toTicks: pts + 1_024,
        startSeconds: 2,
        durationSeconds: (pts + 1_024) / 48_000,
      };
      const timeline = createAudioTimeline(
        [range],
        createFrames(times),
        { from: 0, to: 2 + range.durationSeconds },
        10_000,
      );
      let previousFrame = -1;
      timeline?.frames.forEach((frame, index) => {
        if (frame === null) return;
        expect(frame).toBeGreaterThan(previousFrame);
        previousFrame = frame;
        const offsetSeconds =
          timeline.startSeconds + index * FRAME_SECONDS - (2 + (times[frame] ?? 0) / 48_000);
        expect(Math.abs(offsetSeconds)).toBeLessThanOrEqual(FRAME_SECONDS / 2 + 1e-9);
      });
    }),
  );
});
