import { expect } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { emitChangedConfigs } from '@/media-worker/media/packets/announce-parameter-sets';
import { withConstantTracks } from '@/media-worker/media/packets/constant-tracks';
import { correctAudioConfig } from '@/media-worker/media/packets/correct-audio-config';
import { fillSilence } from '@/media-worker/media/packets/fill-silence';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { withMonotonicTimestamps } from '@/media-worker/media/packets/monotonic-timestamps';
import { withSteadyAudio } from '@/media-worker/media/packets/steady-audio';
import { Packager } from '@/media-worker/media/packaging/packager';
import type { PackagerEvent } from '@/media-worker/media/packaging/packager-events';
import { LiveWindow } from '@/media-worker/media/packaging/window';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';
import { SteppedClock } from './packaging';
import { audioConfig, steadyFrames, videoConfig } from './synthetic-packets';
import { longestGap, smallestStep, timesOfPart, trackTimes } from './track-times';

/** Simulates delivery from the packets of an encoder to the frames that players get. */

/** A packet, and the time in ms at which the encoder sends it. */
export interface SentPacket {
  readonly packet: MediaPacket;
  readonly atMs: number;
}

/**
 * The payload of a test frame: its original timestamp, so that a test recognises the frame after its timestamp was
 * changed.
 */
export const payloadWithTime = (ms: number): Buffer => {
  const mark = Buffer.alloc(8);
  mark.writeDoubleBE(ms);
  return mark;
};

/** Adds to each packet its timestamp as the send time, and to each frame its timestamp as the payload. */
export const sendAtTimestamps = (packets: readonly MediaPacket[]): SentPacket[] =>
  packets.map((packet) => ({
    packet: packet.role === 'frame' ? { ...packet, payload: payloadWithTime(packet.dts) } : packet,
    atMs: packet.dts,
  }));

/** A sent packet whose timestamps are shifted; its send time is unchanged. */
export const withShift = ({ packet, atMs }: SentPacket, shiftMs: number): SentPacket => ({
  packet: { ...packet, dts: packet.dts + shiftMs, pts: packet.pts + shiftMs },
  atMs,
});

/** The configurations of both tracks, sent at `atMs`. */
export const sentConfigs = (atMs = 0): SentPacket[] =>
  sendAtTimestamps([videoConfig(CONFIG_RECORDS.high320, atMs), audioConfig(undefined, atMs)]);

/** The frames of a steady encoder up to `untilMs`. */
export const steadyPublish = (untilMs = 20_000): SentPacket[] => sendAtTimestamps(steadyFrames({ untilMs }));

/** The media time in ms up to which a player can play with the parts that exist at `atMs`. */
interface Coverage {
  readonly atMs: number;
  readonly untilMs: number;
}

export interface PlaybackResult {
  readonly segments: readonly WindowSegment[];
  /** All target durations that the playlist had, in seconds. */
  readonly targets: ReadonlySet<number>;
  readonly events: readonly PackagerEvent[];
  /** Frames on the media timeline (`ms`), with the time at which the encoder captured them (`trueMs`). */
  readonly shownFrames: readonly { readonly kind: string; readonly ms: number; readonly trueMs: number }[];
  readonly periods: readonly ReturnType<typeof trackTimes>[];
  readonly coverage: readonly Coverage[];
}

/**
 * Packages packets as they are sent.
 * @returns what a player gets from them
 */
export function playSent(packets: readonly SentPacket[]): PlaybackResult {
  const clock = new SteppedClock();
  const window = new LiveWindow({ clock, minListedCount: 1_000, olderCount: 1_000 });
  const [segments, targets, events] = [[] as WindowSegment[], new Set<number>(), [] as PackagerEvent[]];
  const shownFrames: { kind: string; ms: number; trueMs: number }[] = [];
  const coverage: Coverage[] = [];
  let ends = { video: 0, audio: 0 };
  window.startPublish(1);
  window.observe({
    onSegment: (segment) => {
      segments.push(segment);
      targets.add(window.targetDuration);
    },
    onPart: (segment, part) => {
      const { video, audio } = timesOfPart(segment, part);
      const endOf = (samples: typeof video, before: number) =>
        samples.reduce((end, { ms, durationMs }) => Math.max(end, ms + durationMs), before);
      ends = { video: endOf(video, ends.video), audio: endOf(audio, ends.audio) };
      const { tracks } = segment.period;
      const untilMs = Math.min(tracks.video ? ends.video : Infinity, tracks.audio ? ends.audio : Infinity);
      coverage.push({ atMs: clock.ms, untilMs });
    },
  });
  const packager = new Packager({
    clock,
    emit: (event) => {
      events.push(event);
      if (event.type === 'init' || event.type === 'part' || event.type === 'segment') window.apply(event);
    },
    maxSegmentMs: () => window.maxSegmentMs,
    encoderInput: {
      begin: () => undefined,
      end: () => undefined,
      frame: ({ kind, dts, payload }) => {
        // Skip inserted silence. Parameter sets may precede a video frame.
        if (kind === 'audio' && payload.length !== 8) return;
        shownFrames.push({ kind, ms: dts, trueMs: payload.readDoubleBE(payload.length - 8) });
      },
    },
  });
  const bus = { push: (packet: MediaPacket) => packager.push(packet), end: () => packager.finish() };
  const program = withConstantTracks(fillSilence(bus, clock));
  const sink = withMonotonicTimestamps(
    emitChangedConfigs(correctAudioConfig(withSteadyAudio(program, clock))),
    clock,
  );
  for (const { packet, atMs } of packets) {
    clock.ms = Math.max(clock.ms, atMs);
    sink.push(packet);
  }
  sink.end('finished');
  const periods = [...new Set(segments.map(({ init }) => init))].map((init) =>
    trackTimes(segments.filter((segment) => segment.init === init)),
  );
  return { segments, targets, events, shownFrames, periods, coverage };
}

/**
 * Expects constant tracks, one target duration, and media without gaps.
 * @param maxGapMs a gap of a track must be shorter
 */
export function expectWatchable(
  { segments, targets, events, periods }: PlaybackResult,
  maxGapMs = 300,
): void {
  const inits = events.flatMap((event) => (event.type === 'init' ? [event.tracks] : []));
  expect(inits.every(({ video, audio }) => video !== undefined && audio !== undefined)).toBe(true);
  expect(targets.size).toBeLessThanOrEqual(1);
  for (const { durationMs } of segments)
    expect(Math.round(durationMs / 1_000)).toBeLessThanOrEqual(Math.max(...targets));
  for (const { video, audio } of periods) {
    expect(smallestStep(video)).toBeGreaterThan(0);
    expect(smallestStep(audio)).toBeGreaterThan(0);
    expect(longestGap(video)).toBeLessThan(maxGapMs);
    expect(longestGap(audio)).toBeLessThan(maxGapMs);
  }
}

/** Returns the largest error of synchronization between audio and video in ms, without repeated frames. */
export function largestOffset({ shownFrames }: PlaybackResult): number {
  let [most, videoOffset, newestMs] = [0, Number.NaN, -Infinity];
  for (const { kind, ms, trueMs } of shownFrames) {
    if (kind === 'audio' && !Number.isNaN(videoOffset))
      most = Math.max(most, Math.abs(ms - trueMs - videoOffset));
    if (kind === 'audio' || trueMs <= newestMs) continue;
    newestMs = trueMs;
    videoOffset = ms - trueMs;
  }
  return most;
}

/**
 * Returns the longest stall of a player at the live edge in ms. Playback begins with the first playable part,
 * `behindMs` behind the end of the newest part (by default three parts of 550 ms, as the playlist declares), and resumes as
 * soon as more media is available.
 */
export function longestStall({ coverage }: PlaybackResult, behindMs = 1_650): number {
  let [longest, playedMs, atMs, stalledMs] = [0, Number.NaN, 0, 0];
  let untilMs = 0;
  for (const next of coverage) {
    if (Number.isNaN(playedMs)) {
      if (next.untilMs <= 0) continue;
      playedMs = next.untilMs - behindMs;
    } else {
      const elapsedMs = next.atMs - atMs;
      const canPlay = untilMs - playedMs;
      if (canPlay > 0) stalledMs = 0;
      playedMs += Math.min(elapsedMs, canPlay);
      stalledMs += Math.max(0, elapsedMs - canPlay);
      longest = Math.max(longest, stalledMs);
    }
    [atMs, untilMs] = [next.atMs, Math.max(untilMs, next.untilMs)];
  }
  return longest;
}
