import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  audioFrame,
  steadyFrames,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { fillSilence } from './fill-silence';
import type { MediaPacket } from './media-packet';
import { SILENT_UNITS } from './silent-units';

/** Duration of an AAC frame at 48 kHz. */
const FRAME_MS = (1024 * 1000) / 48_000;

interface Sent {
  readonly packet: MediaPacket;
  readonly arrivalMs: number;
}

const sentOnTime = (packets: readonly MediaPacket[]): Sent[] =>
  packets.map((packet) => ({ packet, arrivalMs: packet.dts }));

/** The output of a publish whose packets arrive at their arrival times. */
function fill(packets: readonly Sent[], record: Buffer = CONFIG_RECORDS.aacStereo48): MediaPacket[] {
  const clock = new SteppedClock();
  const emittedPackets: MediaPacket[] = [];
  const sink = fillSilence({ push: (packet) => emittedPackets.push(packet), end: () => undefined }, clock);
  for (const packet of [videoConfig(), audioConfig(record)]) sink.push(packet);
  for (const { packet, arrivalMs } of [...packets].sort((a, b) => a.arrivalMs - b.arrivalMs)) {
    clock.ms = arrivalMs;
    sink.push(packet);
  }
  return emittedPackets;
}

const audioOf = (packets: readonly MediaPacket[]) =>
  packets.filter(({ kind, role }) => kind === 'audio' && role === 'frame');

const silenceOf = (packets: readonly MediaPacket[]) =>
  packets.filter((packet) => packet.kind === 'audio' && packet.isFilled);

/** The longest gap and the longest overlap between audio frames, ms. */
function measureGaps(packets: readonly MediaPacket[]): { longestGap: number; longestOverlap: number } {
  const times = audioOf(packets).map(({ dts }) => dts);
  const steps = times.slice(1).map((dts, n) => dts - (times[n] ?? 0) - FRAME_MS);
  return { longestGap: Math.max(0, ...steps), longestOverlap: Math.max(0, ...steps.map((step) => -step)) };
}

const withoutAudioBetween = (fromMs: number, untilMs: number) =>
  steadyFrames({ untilMs: 20_000 }).filter(
    ({ kind, dts }) => kind === 'video' || dts < fromMs || dts >= untilMs,
  );

describe('complete audio', () => {
  it('gets no silence', () => {
    expect(silenceOf(fill(sentOnTime(withoutAudioBetween(0, 0))))).toEqual([]);
  });

  it.each([400, 900, 3_000])('that is usually %d ms late is not replaced', (lateMs) => {
    const sentPackets = sentOnTime(withoutAudioBetween(0, 0)).map(({ packet, arrivalMs }) => ({
      packet,
      arrivalMs: packet.kind === 'audio' ? arrivalMs + lateMs : arrivalMs,
    }));
    const emittedPackets = fill(sentPackets);
    expect(silenceOf(emittedPackets)).toEqual([]);
    expect(audioOf(emittedPackets)).toHaveLength(audioOf(withoutAudioBetween(0, 0)).length);
  });

  it('that the network delays together with the video is not replaced', () => {
    const sentPackets = sentOnTime(withoutAudioBetween(0, 0)).map(({ packet, arrivalMs }) => ({
      packet,
      arrivalMs: arrivalMs >= 5_000 && arrivalMs < 9_000 ? 9_000 : arrivalMs,
    }));
    expect(silenceOf(fill(sentPackets))).toEqual([]);
  });
});

it.each([30, 90, 900])('audio that starts %d ms after the video starts with silence', (afterMs) => {
  const emittedPackets = fill(sentOnTime(withoutAudioBetween(0, afterMs)));
  expect(audioOf(emittedPackets)[0]?.dts).toBe(0);
  expect(measureGaps(emittedPackets).longestGap).toBeLessThan(FRAME_MS);
});

describe('audio that stops', () => {
  it('is replaced by silence while video continues', () => {
    const emittedPackets = fill(sentOnTime(withoutAudioBetween(6_000, Infinity)));
    expect(audioOf(emittedPackets).at(-1)?.dts).toBeGreaterThan(19_900);
    const { longestGap, longestOverlap } = measureGaps(emittedPackets);
    expect(longestGap).toBeLessThan(2);
    expect(longestOverlap).toBeLessThan(2);
  });

  it.each([1_500, 4_000, 8_000])('for %d ms and returns continues without a gap', (awayMs) => {
    const packets = withoutAudioBetween(6_000, 6_000 + awayMs);
    const emittedPackets = fill(sentOnTime(packets));
    const { longestGap, longestOverlap } = measureGaps(emittedPackets);
    expect(longestGap).toBeLessThan(FRAME_MS);
    expect(longestOverlap).toBeLessThan(FRAME_MS);
    expect(audioOf(emittedPackets).length - silenceOf(emittedPackets).length).toBeGreaterThanOrEqual(
      audioOf(packets).length - 1,
    );
  });

  it('and arrives late keeps the frames whose time silence has not filled', () => {
    const sentPackets = sentOnTime(withoutAudioBetween(0, 0)).map(({ packet, arrivalMs }) => ({
      packet,
      arrivalMs: packet.kind === 'audio' && arrivalMs >= 6_000 ? arrivalMs + 2_000 : arrivalMs,
    }));
    const emittedPackets = fill(sentPackets);
    expect(measureGaps(emittedPackets).longestOverlap).toBeLessThan(120);
    expect(silenceOf(emittedPackets).length * FRAME_MS).toBeLessThan(2_500);
    expect(audioOf(emittedPackets).slice(-100)).toEqual(audioOf(withoutAudioBetween(0, 0)).slice(-100));
  });

  it('together with the video, for longer than a player waits, is not replaced', () => {
    const packets = steadyFrames({ untilMs: 40_000 }).filter(({ dts }) => dts < 6_000 || dts > 30_000);
    expect(silenceOf(fill(sentOnTime(packets)))).toEqual([]);
  });

  it('for 250 ms is replaced by the eleven frames that fit into the gap', () => {
    const emittedPackets = fill(sentOnTime(withoutAudioBetween(6_000, 6_250)));
    expect(silenceOf(emittedPackets)).toHaveLength(11);
    expect(measureGaps(emittedPackets).longestGap).toBeLessThan(FRAME_MS + 1);
  });
});

it('an audio format without a known silence keeps its gaps', () => {
  // AAC-LC, 48 kHz, channel configuration 11.
  const emittedPackets = fill(sentOnTime(withoutAudioBetween(6_000, 9_000)), Buffer.from('11d8', 'hex'));
  expect(silenceOf(emittedPackets)).toEqual([]);
});

it('silence in mono audio is mono', () => {
  const emittedPackets = fill(sentOnTime(withoutAudioBetween(6_000, 9_000)), CONFIG_RECORDS.aacMono44);
  expect(silenceOf(emittedPackets)[0]?.payload).toBe(SILENT_UNITS.get(1));
});

it('for any input, audio timestamps go back by at most 100 ms', () => {
  const step = fc.record({
    kind: fc.constantFrom('video' as const, 'audio' as const),
    stepMs: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 12_000 })),
    waitMs: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5_000 })),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const lastDts = { video: 0, audio: 0 };
      let arrivalMs = 0;
      const sentPackets = steps.map(({ kind, stepMs, waitMs }) => {
        const dts = (lastDts[kind] += stepMs);
        return {
          packet: kind === 'video' ? videoFrame(dts) : audioFrame(dts),
          arrivalMs: (arrivalMs += waitMs),
        };
      });
      const times = audioOf(fill(sentPackets)).map(({ dts }) => dts);
      for (const [n, dts] of times.entries()) expect(dts).toBeGreaterThan((times[n - 1] ?? -Infinity) - 101);
    }),
  );
});
