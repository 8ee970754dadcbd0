import { describe, expect, test } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { HealthMeter } from './health-meter';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  audioFrame,
  steadyFrames,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

/** Opens a meter. Packets arrive at the times of their timestamps by default. */
function openMeter() {
  const clock = new SteppedClock();
  const meter = new HealthMeter(clock);
  const send = (
    packets: readonly MediaPacket[],
    arrivalOf: (packet: MediaPacket) => number = ({ dts }) => dts,
  ) => {
    for (const packet of packets) {
      clock.ms = Math.max(clock.ms, arrivalOf(packet));
      meter.addPacket(packet);
    }
  };
  const takeAt = (ms: number) => {
    clock.ms = ms;
    return meter.takeMeasurement();
  };
  return { clock, meter, send, takeAt };
}

describe('a steady publish', () => {
  test('is measured by the packets since the last sample', () => {
    const { send, takeAt } = openMeter();
    send([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 5_000 })]);
    // 125 video frames of 8 bytes and 235 audio frames of 3 bytes within five seconds.
    expect(takeAt(5_000)).toMatchObject({
      videoBitrate: (125 * 8 * 8) / 5,
      audioBitrate: (235 * 3 * 8) / 5,
      keyframeInterval: 2,
      reorder: 0,
      jumps: 0,
      drift: null,
    });
    send(steadyFrames({ fromMs: 5_000, untilMs: 10_000 }));
    const secondMeasurement = takeAt(10_000);
    expect(secondMeasurement?.fps).toBeCloseTo(25, 0);
    expect(secondMeasurement?.speed).toBeCloseTo(1, 1);
    expect(secondMeasurement?.bitrate).toBe(
      (secondMeasurement?.videoBitrate ?? 0) + (secondMeasurement?.audioBitrate ?? 0),
    );
  });

  test('that pauses keeps its keyframe interval', () => {
    const { send, takeAt } = openMeter();
    const frames = steadyFrames({ untilMs: 15_000 }).filter(({ dts }) => dts < 5_000 || dts >= 9_000);
    send(frames);
    expect(takeAt(15_000)?.keyframeInterval).toBeCloseTo(2, 1);
  });

  test('with long frames has their keyframe interval', () => {
    const { send, takeAt } = openMeter();
    send(steadyFrames({ untilMs: 30_000, frameMs: 3_000, gopMs: 6_000, audio: false }));
    expect(takeAt(30_000)?.keyframeInterval).toBe(6);
  });

  test('is not measured after too short a time, and counting continues', () => {
    const { send, takeAt } = openMeter();
    send(steadyFrames({ untilMs: 1_000 }));
    expect(takeAt(1_000)).toBeNull();
    send(steadyFrames({ fromMs: 1_000, untilMs: 4_000 }));
    expect(takeAt(4_000)?.fps).toBeCloseTo(25, 0);
  });

  test('without video has no frame rate, and its media time is that of the audio', () => {
    const { send, takeAt } = openMeter();
    send(steadyFrames({ untilMs: 5_000, video: false }));
    const sample = takeAt(5_000);
    expect(sample).toMatchObject({ fps: null, keyframeInterval: null, videoBitrate: 0 });
    expect(sample?.speed).toBeCloseTo(1, 1);
  });

  test('that stops sending drops to 0', () => {
    const { send, takeAt } = openMeter();
    send(steadyFrames({ untilMs: 5_000 }));
    takeAt(5_000);
    expect(takeAt(10_000)).toMatchObject({ bitrate: 0, fps: 0, speed: 0, drift: null });
  });

  test('reports the longest time without media in each sample that it affects', () => {
    const { send, takeAt } = openMeter();
    send(steadyFrames({ untilMs: 4_000 }));
    // The last frame has the time 3,960 ms.
    expect(takeAt(5_000)?.silence).toBeCloseTo(1_040, -2);
    send(steadyFrames({ fromMs: 8_000, untilMs: 10_000 }));
    expect(takeAt(10_000)?.silence).toBeCloseTo(4_040, -2);
    send(steadyFrames({ fromMs: 10_000, untilMs: 15_000 }));
    expect(takeAt(15_000)?.silence).toBeLessThan(100);
  });
});

describe('keyframes', () => {
  test('the longest interval counts among those that ended since the last sample', () => {
    const { send, takeAt } = openMeter();
    const keyTimes = [0, 1_000, 4_000, 5_000, 6_000, 7_000, 8_000];
    const frames = Array.from({ length: 80 }, (_, n) =>
      videoFrame(n * 100, { key: keyTimes.includes(n * 100) }),
    );
    send(frames.slice(0, 46));
    expect(takeAt(4_600)?.keyframeInterval).toBe(3);
    send(frames.slice(46));
    expect(takeAt(8_000)?.keyframeInterval).toBe(1);
  });

  test('a missing keyframe is reported before it arrives', () => {
    const { send, takeAt } = openMeter();
    const frames = Array.from({ length: 100 }, (_, n) => videoFrame(n * 100, { key: n === 0 }));
    send(frames.slice(0, 40));
    expect(takeAt(4_000)?.keyframeInterval).toBeNull();
    send(frames.slice(40));
    expect(takeAt(10_000)?.keyframeInterval).toBe(9.9);
  });
});

test('bursts of frames count by their media time', () => {
  const { send, takeAt } = openMeter();
  send(steadyFrames({ untilMs: 4_000 }), () => 3_900);
  const sample = takeAt(3_900);
  expect(sample?.fps).toBeCloseTo(25, 0);
  expect(sample?.speed).toBeGreaterThan(1);
});

test('the longest reordering is reported', () => {
  const { send, takeAt } = openMeter();
  send([
    videoFrame(0, { key: true, compositionMs: 80 }),
    videoFrame(40, { compositionMs: 700 }),
    videoFrame(80),
  ]);
  expect(takeAt(5_000)?.reorder).toBe(700);
});

test.each([
  ['an hour ahead', 3_600_000],
  ['back to 0', 0],
])('a jump of the timestamps, %s, is counted, and does not count as media time', (_case, nextMs) => {
  const { clock, meter, send, takeAt } = openMeter();
  send(steadyFrames({ untilMs: 5_000 }));
  for (const packet of steadyFrames({ fromMs: nextMs, untilMs: nextMs + 5_000 })) {
    clock.ms = 5_000 + packet.dts - nextMs;
    meter.addPacket(packet);
  }
  const sample = takeAt(10_000);
  expect(sample).toMatchObject({ jumps: 1, keyframeInterval: 2 });
  expect(sample?.speed).toBeCloseTo(1, 1);
});

test('audio that arrives later and later is drift, and a constant delay is not', () => {
  const { meter, clock, takeAt } = openMeter();
  const play = (fromMs: number, lateMs: number) => {
    const packets = [
      ...Array.from({ length: 50 }, (_, n) => videoFrame(fromMs + n * 100, { key: n % 20 === 0 })),
      ...Array.from({ length: 50 }, (_, n) => audioFrame(fromMs + n * 100 - 300 - lateMs)),
    ];
    // Audio and video that arrive together, the audio with older timestamps.
    for (let n = 0; n < 50; n++) {
      clock.ms = fromMs + n * 100;
      for (const packet of [packets[n], packets[n + 50]]) if (packet) meter.addPacket(packet);
    }
    return takeAt(fromMs + 5_000);
  };
  expect(play(0, 0)?.drift).toBeNull();
  expect(play(5_000, 0)?.drift).toBe(0);
  expect(play(10_000, 120)?.drift).toBe(120);
  expect(play(15_000, 240)?.drift).toBe(240);
});
