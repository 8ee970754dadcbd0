import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import { video } from '@/media-worker/media/packets/testing/packets';
import { toRtpTimestamp, VideoSender } from './video-sender';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface SentFrame {
  readonly bytes: number;
  readonly timestamp: number;
}

/** Opens a sender to a viewer of a stream with these cached frames. Its clock is that of the fake timers. */
function openSender(cachedFrames: VideoPacket[], timestampOffset = 0) {
  const sentFrames: SentFrame[] = [];
  const droppedCounts: number[] = [];
  const startedAtMs = Date.now();
  const sender = new VideoSender({
    sink: {
      send: ({ length: bytes }, timestamp) => {
        sentFrames.push({ bytes, timestamp });
        return true;
      },
    },
    timestampOffset,
    cachedFrames: () => cachedFrames,
    now: () => Date.now() - startedAtMs,
    onDropped: (frames) => droppedCounts.push(frames),
  });
  return { sender, sentFrames, droppedCounts };
}

/** Frames at 30 fps, each with a different size. */
const gopFrames = (firstDtsMs: number, count: number, size = 100): VideoPacket[] =>
  Array.from({ length: count }, (_, index) => video(firstDtsMs + index * 33, index === 0, size + index));

const isRising = (values: readonly number[]) =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0));

describe('at the start', () => {
  test('the cached GOP is sent immediately, with the time of its newest frame', () => {
    const { sender, sentFrames } = openSender(gopFrames(0, 60));
    sender.start();
    expect(sentFrames.map(({ bytes }) => bytes)).toEqual(
      gopFrames(0, 60).map(({ payload }) => payload.length),
    );
    const timestamps = sentFrames.map(({ timestamp }) => timestamp);
    expect(timestamps.at(-1)).toBe(59 * 33 * 90);
    // The 60 frames are one tick apart.
    expect((timestamps.at(-1) ?? 0) - (timestamps[0] ?? 0)).toBe(59);
    sender.push(video(60 * 33));
    expect(sentFrames.at(-1)?.timestamp).toBe(60 * 33 * 90);
  });

  test('without a cached GOP, the next keyframe is the first frame', () => {
    const { sender, sentFrames } = openSender([]);
    sender.start();
    sender.push(video(33, false, 7));
    sender.push(video(66, true, 8));
    sender.push(video(99, false, 9));
    expect(sentFrames.map(({ bytes }) => bytes)).toEqual([8, 9]);
  });

  test('a large GOP is paced, and new frames follow it', async () => {
    const { sender, sentFrames } = openSender(gopFrames(0, 60, 20_000));
    sender.start();
    // A burst of 160 KiB has 9 frames of 20 kB. All 1.2 MB take 480 ms at 20 Mbit/s.
    expect(sentFrames.length).toBeLessThan(20);
    sender.push(video(60 * 33, false, 5));
    await vi.advanceTimersByTimeAsync(700);
    expect(sentFrames).toHaveLength(61);
    expect(sentFrames.at(-1)?.bytes).toBe(5);
    expect(isRising(sentFrames.map(({ timestamp }) => timestamp))).toBe(true);
  });
});

describe('a viewer that needs a keyframe', () => {
  const openWatchingSender = (cachedFrames: VideoPacket[]) => {
    const openedSender = openSender(cachedFrames);
    openedSender.sender.start();
    vi.advanceTimersByTime(1_000);
    openedSender.sentFrames.length = 0;
    return openedSender;
  };

  test('gets the cached GOP again, after the sent frames', () => {
    const { sender, sentFrames } = openWatchingSender(gopFrames(0, 60));
    sender.onKeyframeRequest();
    expect(sentFrames).toHaveLength(60);
    expect(sentFrames[0]?.timestamp).toBe(59 * 33 * 90 + 1);
    sender.push(video(60 * 33));
    expect(isRising(sentFrames.map(({ timestamp }) => timestamp))).toBe(true);
  });

  test('gets no frames before the next keyframe if the GOP is too large to be repeated', () => {
    const { sender, sentFrames } = openWatchingSender(gopFrames(0, 60, 50_000));
    sender.onKeyframeRequest();
    sender.push(video(60 * 33));
    expect(sentFrames).toEqual([]);
    sender.push(video(61 * 33, true, 11));
    sender.push(video(62 * 33, false, 12));
    expect(sentFrames.map(({ bytes }) => bytes)).toEqual([11, 12]);
  });

  test('gets the cached GOP again at most once in 2 s', () => {
    const { sender, sentFrames } = openWatchingSender(gopFrames(0, 60));
    for (let request = 0; request < 10; request++) sender.onKeyframeRequest();
    expect(sentFrames).toHaveLength(60);
    vi.advanceTimersByTime(1_000);
    sender.onKeyframeRequest();
    expect(sentFrames).toHaveLength(60);
    vi.advanceTimersByTime(1_500);
    sender.onKeyframeRequest();
    expect(sentFrames).toHaveLength(120);
  });

  test('does not get the cached GOP if the next keyframe is due soon', () => {
    const cachedFrames = gopFrames(0, 60);
    const { sender, sentFrames } = openWatchingSender(cachedFrames);
    const nextGop = gopFrames(60 * 33, 60);
    cachedFrames.splice(0, 60, ...nextGop);
    for (const frame of nextGop) sender.push(frame);
    sentFrames.length = 0;
    vi.advanceTimersByTime(1_000);
    sender.onKeyframeRequest();
    expect(sentFrames).toEqual([]);
  });
});

test('with any requests, timestamps increase and the queue is limited', () => {
  const action = fc.oneof(
    fc.record({ frames: fc.integer({ min: 1, max: 90 }), size: fc.integer({ min: 1, max: 200_000 }) }),
    fc.constant('keyframe' as const),
    fc.record({ pass: fc.integer({ min: 0, max: 3_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 15 }), (actions) => {
      const cachedFrames: VideoPacket[] = [];
      const { sender, sentFrames } = openSender(cachedFrames);
      sender.start();
      let nextDtsMs = 0;
      for (const sentAction of actions) {
        if (sentAction === 'keyframe') sender.onKeyframeRequest();
        else if ('pass' in sentAction) vi.advanceTimersByTime(sentAction.pass);
        else {
          cachedFrames.length = 0;
          for (const frame of gopFrames(nextDtsMs, sentAction.frames, sentAction.size)) {
            cachedFrames.push(frame);
            sender.push(frame);
          }
          nextDtsMs += sentAction.frames * 33;
        }
        expect(sender.queueLength).toBeLessThanOrEqual(2_048);
      }
      sender.close();
      expect(isRising(sentFrames.map(({ timestamp }) => timestamp))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('timestamps wrap around', () => {
  expect(toRtpTimestamp(2 ** 32 - 1, 2)).toBe(1);
  expect(toRtpTimestamp(1, -2)).toBe(2 ** 32 - 1);
  const { sender, sentFrames } = openSender(gopFrames(0, 2), 2 ** 32 - 90);
  sender.start();
  expect(sentFrames.at(-1)?.timestamp).toBe(33 * 90 - 90);
});
