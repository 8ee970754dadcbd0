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

/** Opens a sender to a viewer of a stream with these cached packets. Its clock is that of the fake timers. */
function openSender(cached: VideoPacket[], timestampOffset = 0) {
  const sentPackets: SentFrame[] = [];
  const dropped: number[] = [];
  const startedAt = Date.now();
  const sender = new VideoSender({
    sink: {
      send: ({ length: bytes }, timestamp) => {
        sentPackets.push({ bytes, timestamp });
        return true;
      },
    },
    timestampOffset,
    cachedFrames: () => cached,
    now: () => Date.now() - startedAt,
    onDropped: (frames) => dropped.push(frames),
  });
  return { sender, sent: sentPackets, dropped };
}

/** Frames at 30 fps, each with a different size. */
const gopFrames = (firstDtsMs: number, count: number, size = 100): VideoPacket[] =>
  Array.from({ length: count }, (_, index) => video(firstDtsMs + index * 33, index === 0, size + index));

const isRising = (values: readonly number[]) =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0));

describe('at the start', () => {
  test('the cached GOP is sent immediately, with the time of its newest frame', () => {
    const { sender, sent } = openSender(gopFrames(0, 60));
    sender.start();
    expect(sent.map(({ bytes }) => bytes)).toEqual(gopFrames(0, 60).map(({ payload }) => payload.length));
    const timestamps = sent.map(({ timestamp }) => timestamp);
    expect(timestamps.at(-1)).toBe(59 * 33 * 90);
    expect((timestamps.at(-1) ?? 0) - (timestamps[0] ?? 0)).toBe(59);
    sender.push(video(60 * 33));
    expect(sent.at(-1)?.timestamp).toBe(60 * 33 * 90);
  });

  test('without a cached GOP, the next keyframe is the first frame', () => {
    const { sender, sent } = openSender([]);
    sender.start();
    sender.push(video(33, false, 7));
    sender.push(video(66, true, 8));
    sender.push(video(99, false, 9));
    expect(sent.map(({ bytes }) => bytes)).toEqual([8, 9]);
  });

  test('a large GOP is paced, and new frames follow it', async () => {
    const { sender, sent } = openSender(gopFrames(0, 60, 20_000));
    sender.start();
    expect(sent.length).toBeLessThan(20);
    sender.push(video(60 * 33, false, 5));
    await vi.advanceTimersByTimeAsync(700);
    expect(sent).toHaveLength(61);
    expect(sent.at(-1)?.bytes).toBe(5);
    expect(isRising(sent.map(({ timestamp }) => timestamp))).toBe(true);
  });
});

describe('a viewer that needs a keyframe', () => {
  const openWatchingSender = (cached: VideoPacket[]) => {
    const openedSender = openSender(cached);
    openedSender.sender.start();
    vi.advanceTimersByTime(1_000);
    openedSender.sent.length = 0;
    return openedSender;
  };

  test('gets the cached GOP again, after the sent frames', () => {
    const { sender, sent } = openWatchingSender(gopFrames(0, 60));
    sender.onKeyframeRequest();
    expect(sent).toHaveLength(60);
    expect(sent[0]?.timestamp).toBe(59 * 33 * 90 + 1);
    sender.push(video(60 * 33));
    expect(isRising(sent.map(({ timestamp }) => timestamp))).toBe(true);
  });

  test('gets no frames before the next keyframe if the GOP is too large to be repeated', () => {
    const { sender, sent } = openWatchingSender(gopFrames(0, 60, 50_000));
    sender.onKeyframeRequest();
    sender.push(video(60 * 33));
    expect(sent).toEqual([]);
    sender.push(video(61 * 33, true, 11));
    sender.push(video(62 * 33, false, 12));
    expect(sent.map(({ bytes }) => bytes)).toEqual([11, 12]);
  });

  test('does not get keyframes in quick succession', () => {
    const { sender, sent } = openWatchingSender(gopFrames(0, 60));
    for (let request = 0; request < 10; request++) sender.onKeyframeRequest();
    expect(sent).toHaveLength(60);
    vi.advanceTimersByTime(1_000);
    sender.onKeyframeRequest();
    expect(sent).toHaveLength(60);
    vi.advanceTimersByTime(1_500);
    sender.onKeyframeRequest();
    expect(sent).toHaveLength(120);
  });

  test('does not get the cached GOP if the next keyframe is due soon', () => {
    const cached = gopFrames(0, 60);
    const { sender, sent } = openWatchingSender(cached);
    const nextGop = gopFrames(60 * 33, 60);
    cached.splice(0, 60, ...nextGop);
    for (const packet of nextGop) sender.push(packet);
    sent.length = 0;
    vi.advanceTimersByTime(1_000);
    sender.onKeyframeRequest();
    expect(sent).toEqual([]);
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
      const cached: VideoPacket[] = [];
      const { sender, sent } = openSender(cached);
      sender.start();
      let nextDtsMs = 0;
      for (const sentAction of actions) {
        if (sentAction === 'keyframe') sender.onKeyframeRequest();
        else if ('pass' in sentAction) vi.advanceTimersByTime(sentAction.pass);
        else {
          cached.length = 0;
          for (const packet of gopFrames(nextDtsMs, sentAction.frames, sentAction.size)) {
            cached.push(packet);
            sender.push(packet);
          }
          nextDtsMs += sentAction.frames * 33;
        }
        expect(sender.queueLength).toBeLessThanOrEqual(2_048);
      }
      sender.close();
      expect(isRising(sent.map(({ timestamp }) => timestamp))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('timestamps wrap around', () => {
  expect(toRtpTimestamp(2 ** 32 - 1, 2)).toBe(1);
  expect(toRtpTimestamp(1, -2)).toBe(2 ** 32 - 1);
  const { sender, sent } = openSender(gopFrames(0, 2), 2 ** 32 - 90);
  sender.start();
  expect(sent.at(-1)?.timestamp).toBe(33 * 90 - 90);
});
