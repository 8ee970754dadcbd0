import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { ProgramTimeline } from './program-timeline';

/** Opens a program timeline, and collects its output as `kind`, decode time and display delay, ms. */
function openTimeline() {
  const emitted: string[] = [];
  const timeline = new ProgramTimeline(
    ({ kind, dts, pts }) => void emitted.push(`${kind} ${dts} ${pts - dts}`),
    {
      monotonic: () => 0,
    },
  );
  const push = (kind: MediaPacket['kind'], dts: number, displayDelayMs = 0) => {
    const frame = { role: 'frame', dts, pts: dts + displayDelayMs, payload: Buffer.alloc(1) } as const;
    timeline.push(
      kind === 'video' ? { ...frame, kind, codec: 'avc', key: true } : { ...frame, kind, codec: 'aac' },
    );
  };
  return { timeline, emitted, push };
}

test('a frame whose decode time goes back gets one right after that of the previous frame', () => {
  const { emitted, push } = openTimeline();
  push('video', 1_000);
  push('video', 1_040, 80);
  push('video', 1_020, 80);
  expect(emitted).toEqual(['video 1000 0', 'video 1040 80', 'video 1041 80']);
});

test('after a change of the input, audio from before its first video frame is left out', () => {
  const { timeline, emitted, push } = openTimeline();
  push('video', 0);
  push('video', 40);
  push('audio', 50);
  timeline.startInput();
  emitted.length = 0;
  push('video', 9_000);
  push('audio', 8_990);
  push('audio', 9_000);
  expect(emitted).toEqual(['video 80 0', 'audio 80 0']);
});

test('after an input that ends before its last frames in display order, the next one is shown after them', () => {
  const { timeline, emitted, push } = openTimeline();
  push('video', 0, 80);
  push('video', 40, 120);
  push('video', 80, 160);
  timeline.startInput();
  emitted.length = 0;
  push('video', 5_000, 80);
  expect(emitted).toEqual(['video 200 80']);
  timeline.startInput();
  emitted.length = 0;
  push('video', 7_000);
  expect(emitted).toEqual(['video 320 0']);
});

test('a presentation time that is hours ahead delays only the next input, by at most half a second', () => {
  const { timeline, emitted, push } = openTimeline();
  push('video', 0);
  push('video', 40, 8_000_000);
  timeline.startInput();
  push('video', 5_000);
  push('video', 5_040);
  timeline.startInput();
  push('video', 9_000);
  expect(emitted.slice(2)).toEqual(['video 580 0', 'video 620 0', 'video 660 0']);
});

test('the frames of each input are shown after those of the previous inputs', () => {
  const input = fc.record({
    frameMs: fc.integer({ min: 10, max: 100 }),
    displayDelays: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
    withGop: fc.boolean(),
  });
  const property = fc.property(fc.array(input, { minLength: 2, maxLength: 6 }), (inputs) => {
    const shownTimes: number[][] = [];
    const timeline = new ProgramTimeline(({ pts }) => void shownTimes.at(-1)?.push(pts), {
      monotonic: () => 0,
    });
    for (const { frameMs, displayDelays, withGop } of inputs) {
      shownTimes.push([]);
      const frames = displayDelays.map((delay, index): VideoPacket => {
        const dts = 1_000 + index * frameMs;
        const payload = Buffer.alloc(1);
        // No frame is shown before the keyframe.
        const pts = dts + (index === 0 ? 1 : Math.max(delay, 1)) * frameMs;
        return { role: 'frame', kind: 'video', codec: 'avc', key: index === 0, dts, pts, payload };
      });
      if (withGop) timeline.startInputWithGop(frames);
      else {
        timeline.startInput();
        for (const frame of frames) timeline.push(frame);
      }
    }
    for (const [index, times] of shownTimes.entries()) {
      const earlierTimes = shownTimes.slice(0, index).flat();
      expect(Math.min(...times)).toBeGreaterThan(Math.max(-Infinity, ...earlierTimes));
    }
  });
  fc.assert(property);
});
