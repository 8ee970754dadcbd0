import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { AudioClock, AudioQueue, VideoQueue } from './packager-samples';

const frame = (dts: number, pts = dts, key = false) => ({ dts, pts, key, payload: Buffer.alloc(10) });

describe('VideoQueue', () => {
  it('releases a frame when the next one sets its duration', () => {
    const queue = new VideoQueue();
    queue.hold(frame(1000, 1080, true));
    expect(queue.takeSamples()).toBeUndefined();
    queue.finishHeld(1040);
    queue.hold(frame(1040, 1020));
    const data = Buffer.alloc(10);
    expect(queue.takeSamples()).toEqual({
      start: 90_000,
      samples: [{ data, duration: 3600, compositionOffset: 7200, key: true }],
    });
    expect([queue.count, queue.bytes, queue.lastMs, queue.endMs]).toEqual([0, 10, 1040, 1080]);
    queue.finishHeld(1080);
    expect(queue.takeSamples()).toEqual({
      start: 93_600,
      samples: [{ data, duration: 3600, compositionOffset: -1800, key: false }],
    });
  });

  it('rounds to ticks without accumulating errors', () => {
    const queue = new VideoQueue();
    for (let n = 0; n <= 3000; n++) {
      queue.finishHeld((n * 1000) / 30.03);
      queue.hold(frame((n * 1000) / 30.03));
    }
    const total = queue.takeSamples()?.samples.reduce((sum, { duration }) => sum + duration, 0);
    expect(total).toBe(Math.round((3000 * 90_000) / 30.03));
  });

  it('keeps durations within 32 bits', () => {
    const queue = new VideoQueue();
    queue.hold(frame(0));
    queue.finishHeld(20 * 3_600_000);
    expect(queue.takeSamples()?.samples[0]?.duration).toBe(2 ** 32 - 1);
  });
});

describe('AudioQueue', () => {
  /** A queue of frames of 1024 samples at 48 kHz, which last 64/3 ms. */
  const filledQueue = (count: number) => {
    const queue = new AudioQueue(48_000, 1024);
    for (let n = 0; n < count; n++) queue.push(Math.round((n * 64) / 3), Buffer.alloc(4, n));
    return queue;
  };

  it('takes the frames that begin before a time, and holds the newest', () => {
    const queue = filledQueue(10);
    expect(queue.takeSamplesBefore(64)?.samples.map(({ data }) => data[0])).toEqual([0, 1, 2]);
    expect(queue.takeSamplesBefore(10_000)).toMatchObject({ start: 3 * 1024 });
    expect([queue.count, queue.bytes]).toEqual([1, 4]);
    expect(queue.takeSamplesBefore(10_000)).toBeUndefined();
    expect(queue.takeAllSamples(0)?.samples).toEqual([{ data: Buffer.alloc(4, 9), duration: 1024 }]);
    expect(queue.takeAllSamples(0)).toBeUndefined();
  });

  it('lengthens the frame before a gap, across parts as well', () => {
    const queue = filledQueue(2);
    queue.takeSamplesBefore(1000);
    queue.push(1000, Buffer.alloc(4));
    expect(queue.takeSamplesBefore(2000)).toMatchObject({
      start: 1024,
      samples: [{ duration: 48_000 - 1024 }],
    });
  });

  it('returns the exact start of a frame, or undefined for a late frame', () => {
    const queue = filledQueue(20);
    expect(queue.push(427, Buffer.alloc(4))).toBeCloseTo((20 * 64) / 3);
    expect(queue.push(200, Buffer.alloc(4))).toBeUndefined();
    expect(queue.count).toBe(21);
  });
});

/** The rounded timestamp of an audio frame of 1024 samples, ms. */
const timestampOf = (frame: number, rate: number) => Math.round((frame * 1024 * 1000) / rate);

describe('AudioClock', () => {
  it.each([44_100, 48_000, 22_050, 8000])(
    'makes rounded timestamps at %d Hz contiguous for hours',
    (rate) => {
      const clock = new AudioClock(rate, 1024);
      let wrongCount = 0;
      for (let frame = 0; frame < 200_000; frame++) {
        if (clock.place(timestampOf(frame, rate)) !== frame * 1024) wrongCount++;
      }
      expect(wrongCount).toBe(0);
    },
  );

  it('follows the timestamps over a gap', () => {
    const clock = new AudioClock(48_000, 1024);
    clock.place(0);
    expect(clock.place(2000)).toBe(96_000);
    expect(clock.place(2021)).toBe(97_024);
  });

  it('drops frames whose time is already used, until the timestamps have caught up', () => {
    const clock = new AudioClock(48_000, 1024);
    for (let frame = 0; frame < 50; frame++) clock.place(timestampOf(frame, 48_000));
    expect(clock.place(timestampOf(40, 48_000))).toBeUndefined();
    expect(clock.place(timestampOf(50, 48_000))).toBe(50 * 1024);
  });

  it('stays within the tolerance and never goes back, for any timestamps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 400 }), { maxLength: 300 }), (steps) => {
        const clock = new AudioClock(48_000, 1024);
        let ms = 5000;
        let next = 0;
        for (const step of steps) {
          const start = clock.place((ms += step));
          if (start === undefined) continue;
          expect(start).toBeGreaterThanOrEqual(next);
          // The tolerance of 100 ms, and rounding.
          expect(Math.abs(start / 48 - ms)).toBeLessThanOrEqual(101);
          next = start + 1024;
        }
      }),
    );
  });

  it('drops single frames to correct an encoder whose audio runs fast', () => {
    const clock = new AudioClock(48_000, 1024);
    let droppedCount = 0;
    // The encoder sends 48,100 samples a second, so that its audio gets 2.1 s ahead, which are about 100 frames.
    for (let frame = 0; frame < 48_100; frame++) {
      if (clock.place(timestampOf(frame, 48_100)) === undefined) droppedCount++;
    }
    expect(droppedCount).toBeGreaterThan(80);
    expect(droppedCount).toBeLessThan(110);
  });
});
