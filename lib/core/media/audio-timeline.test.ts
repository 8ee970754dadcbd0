import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAudioTimeline } from './audio-timeline';

const FRAME_SECONDS = 1_024 / 48_000;
const frames = (times: readonly number[]) => ({
  count: times.length,
  pts: (frame: number) => times[frame] ?? 0,
  timescale: 48_000,
  frameSeconds: FRAME_SECONDS,
});
const steadyFrames = (count: number) => frames(Array.from({ length: count }, (_, frame) => frame * 1_024));
const silentFramesOf = (timeline: ReturnType<typeof createAudioTimeline>) =>
  timeline?.frames.filter((frame) => frame === null).length;

test('one priming frame before the first audible frame is kept', () => {
  const range = { from: 1_024, to: 10_240, at: 0, length: 0.192 };
  const timeline = createAudioTimeline([range], steadyFrames(10), { from: 0, to: 0.192 }, 100);
  expect(timeline?.frames).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(timeline?.start).toBeCloseTo(-FRAME_SECONDS, 9);
});

test('frames that an edit cuts off are not sent', () => {
  const range = { from: 48_000, to: 96_000, at: 0, length: 1 };
  const timeline = createAudioTimeline([range], steadyFrames(100), { from: 0, to: 1 }, 1_000);
  // One second is 46.9 frames: frame 47 is the first one after the cut at 1 s, frame 93 the last one before 2 s.
  expect(timeline?.frames[0]).toBe(47);
  expect(timeline?.frames.at(-1)).toBe(93);
});

test('gaps become silence, and later frames keep their times', () => {
  const times = [0, 1_024, 2_048, 3_072 + 48_000, 4_096 + 48_000];
  const range = { from: 0, to: 53_120, at: 0, length: 53_120 / 48_000 };
  const timeline = createAudioTimeline([range], frames(times), { from: 0, to: range.length }, 1_000);
  // The gap lasts one second, which is 46.9 frames.
  expect(silentFramesOf(timeline)).toBe(47);
  const index = timeline?.frames.indexOf(3) ?? 0;
  expect(Math.abs(index * FRAME_SECONDS - 51_072 / 48_000)).toBeLessThan(FRAME_SECONDS / 2 + 1e-9);
});

test('audio that starts later or ends earlier than the video is silent there', () => {
  const range = { from: 0, to: 48_000, at: 0.7, length: 1 };
  const timeline = createAudioTimeline([range], steadyFrames(47), { from: 0, to: 5 }, 1_000);
  const first = timeline?.frames.indexOf(0) ?? 0;
  expect((timeline?.start ?? 0) + first * FRAME_SECONDS).toBeCloseTo(0.7, 9);
  expect((timeline?.start ?? 0) + (timeline?.frames.length ?? 0) * FRAME_SECONDS).toBeCloseTo(5, 1);
});

test('a timeline with too many frames is null', () => {
  const range = { from: 0, to: 48_000, at: 1_000, length: 1 };
  expect(createAudioTimeline([range], steadyFrames(47), { from: 0, to: 1_001 }, 1_000)).toBeNull();
});

test('no frame of any file is off by more than half of its duration', () => {
  const gaps = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, (steps) => {
      let pts = 0;
      const times = steps.map((step) => (pts += step));
      const range = { from: 0, to: pts + 1_024, at: 2, length: (pts + 1_024) / 48_000 };
      const timeline = createAudioTimeline([range], frames(times), { from: 0, to: 2 + range.length }, 10_000);
      let last = -1;
      timeline?.frames.forEach((frame, index) => {
        if (frame === null) return;
        expect(frame).toBeGreaterThan(last);
        last = frame;
        const offsetSeconds = timeline.start + index * FRAME_SECONDS - (2 + (times[frame] ?? 0) / 48_000);
        expect(Math.abs(offsetSeconds)).toBeLessThanOrEqual(FRAME_SECONDS / 2 + 1e-9);
      });
    }),
  );
});
