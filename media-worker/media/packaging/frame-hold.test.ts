import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Packaging } from './testing/packaging';
import { audioConfig, steadyFrames, videoConfig, videoFrame } from './testing/synthetic-packets';
import { longestGap, smallestStep, trackTimes } from './testing/track-times';

const CONFIGS = [videoConfig(), audioConfig()];

interface Pause {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Packages a publish without its video frames in these pauses. */
function withPauses(pauses: readonly Pause[], packets: readonly MediaPacket[]): Packaging {
  const packaging = new Packaging({ minListedCount: 1_000 });
  const isSent = ({ kind, dts }: MediaPacket) =>
    kind === 'audio' || !pauses.some(({ fromMs, untilMs }) => dts >= fromMs && dts < untilMs);
  packaging.run([...CONFIGS, ...packets.filter(isSent)]);
  return packaging;
}

const segmentDurations = ({ segments }: Packaging) =>
  segments.map(({ durationMs }) => Math.round(durationMs));

describe('video that pauses while audio continues', () => {
  const packets = steadyFrames({ untilMs: 20_000 });

  it('repeats its last frame, in segments of the usual length that players can start at', () => {
    const packaging = withPauses([{ fromMs: 4_600, untilMs: 14_000 }], packets);
    const { video, audio } = trackTimes(packaging.segments);
    expect(longestGap(video)).toBeLessThan(50);
    expect(longestGap(audio)).toBeLessThan(1);
    expect(smallestStep(video)).toBeGreaterThan(0);
    for (const ms of segmentDurations(packaging)) expect(Math.abs(ms - 2_000)).toBeLessThan(60);
    expect(packaging.segments.every(({ independent }) => independent)).toBe(true);
    expect(packaging.window.view().targetDuration).toBe(2);
  });

  it('closes parts during the pause', () => {
    const packaging = withPauses([{ fromMs: 4_600, untilMs: 14_000 }], packets);
    const parts = packaging.segments.flatMap((segment) => segment.parts);
    const partDurations = parts.map(({ durationMs }) => durationMs);
    expect(Math.max(...partDurations)).toBeLessThan(600);
  });

  it('resumes with every frame after the pause, also in the middle of a GOP', () => {
    const packaging = withPauses([{ fromMs: 4_600, untilMs: 9_240 }], packets);
    const { video } = trackTimes(packaging.segments);
    expect(video.filter(({ ms }) => ms >= 9_240)).toHaveLength((20_000 - 9_240) / 40);
  });

  it('and whose frames arrive late is packaged in order and without a discontinuity', () => {
    const packetsWithOrder = packets.map((packet) => {
      const isLate = packet.kind === 'video' && packet.dts >= 6_200 && packet.dts < 9_000;
      return { packet, order: isLate ? 9_000 : packet.dts };
    });
    const sentPackets = packetsWithOrder.toSorted((a, b) => a.order - b.order).map(({ packet }) => packet);
    const packaging = withPauses([], sentPackets);
    const { video } = trackTimes(packaging.segments);
    expect(smallestStep(video)).toBeGreaterThan(0);
    expect(longestGap(video)).toBeLessThan(50);
    expect(packaging.events.filter(({ type }) => type === 'init')).toHaveLength(1);
    expect(video.length).toBeGreaterThanOrEqual(20_000 / 40);
  });

  it('is not assumed if audio is always sent three seconds before the video', () => {
    const packetsWithOrder = packets.map((packet) => ({
      packet,
      order: packet.kind === 'audio' ? packet.dts - 3_000 : packet.dts,
    }));
    const sentPackets = packetsWithOrder.toSorted((a, b) => a.order - b.order).map(({ packet }) => packet);
    const { video } = trackTimes(withPauses([], sentPackets).segments);
    expect(video).toHaveLength(20_000 / 40);
  });

  it('repeats only the keyframe of a GOP that is too large, then waits for the next keyframe', () => {
    const frames = steadyFrames({ untilMs: 40_000, gopMs: 20_000 });
    const packaging = withPauses([{ fromMs: 15_000, untilMs: 18_000 }], frames);
    const { video } = trackTimes(packaging.segments);
    expect(longestGap(video)).toBeLessThan(50);
    expect(video.filter(({ ms }) => ms > 18_000 && ms < 19_900).every(({ key }) => key)).toBe(true);
    expect(video.filter(({ ms }) => ms >= 20_000).length).toBeGreaterThanOrEqual(500);
  });

  it('keeps the length of segments with one frame in five seconds', () => {
    const slides = Array.from({ length: 8 }, (_one, n) => videoFrame(n * 5_000, { key: n % 2 === 0 }));
    const audio = steadyFrames({ untilMs: 40_000, video: false });
    const sentPackets = [...slides, ...audio].toSorted((a, b) => a.dts - b.dts);
    const packaging = withPauses([], sentPackets);
    const { video } = trackTimes(packaging.segments);
    expect(longestGap(video)).toBeLessThan(50);
    for (const ms of segmentDurations(packaging)) expect(ms).toBeLessThan(2_500);
    expect(packaging.window.view().targetDuration).toBe(2);
  });
});

it.each([
  ['audio and video', {}],
  ['video only', { audio: false }],
])('the target duration is unchanged after a pause of a publish with %s', (_name, tracks) => {
  const packets = steadyFrames({ untilMs: 30_000, ...tracks });
  const isSent = ({ dts }: MediaPacket) => dts < 9_300 || dts >= 17_700;
  const packaging = new Packaging({ minListedCount: 1_000 });
  packaging.run([videoConfig(), ...('audio' in tracks ? [] : [audioConfig()]), ...packets.filter(isSent)]);
  expect(packaging.window.view().targetDuration).toBe(2);
  expect(Math.max(...segmentDurations(packaging))).toBeLessThanOrEqual(2_400);
  expect(packaging.segments.at(-1)?.endMs).toBe(30_000);
});

it('for any pauses: times increase, gaps are below 300 ms, and segments fit the target duration and last 1 s on average', () => {
  const pause = fc
    .record({ fromMs: fc.integer({ min: 100, max: 24_000 }), ms: fc.integer({ min: 100, max: 9_000 }) })
    .map(({ fromMs, ms }) => ({ fromMs, untilMs: fromMs + ms }));
  const videoFormat = fc.record({
    gopMs: fc.constantFrom(1_000, 2_000, 4_000),
    frameMs: fc.constantFrom(20, 40, 100, 500),
  });
  fc.assert(
    fc.property(fc.array(pause, { maxLength: 4 }), videoFormat, (pauses, { gopMs, frameMs }) => {
      const packaging = withPauses(pauses, steadyFrames({ untilMs: 30_000, gopMs, frameMs }));
      const { video, audio } = trackTimes(packaging.segments);
      expect(smallestStep(video)).toBeGreaterThan(0);
      expect(longestGap(video)).toBeLessThan(300);
      expect(longestGap(audio)).toBeLessThan(300);
      const target = packaging.window.view().targetDuration;
      for (const { durationMs } of packaging.segments)
        expect(Math.round(durationMs / 1_000)).toBeLessThanOrEqual(target);
      expect(packaging.segments.length).toBeLessThanOrEqual(30_000 / 1_000);
    }),
    { numRuns: 100 },
  );
});
