import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { Packager } from '@/media-worker/media/packaging/packager';
import type { PackagerEvent } from '@/media-worker/media/packaging/packager-events';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { longestHole, smallestStep, trackTimes } from '@/media-worker/media/packaging/testing/track-times';
import { LiveWindow } from '@/media-worker/media/packaging/window';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';
import { announceParameterSets } from './announce-parameter-sets';
import { constantTracks } from './constant-tracks';
import { fillSilence } from './fill-silence';
import type { MediaPacket } from './media-packet';
import { straightStamps } from './straight-stamps';

/** What an encoder sends, all the way to what players get. */

/** A packet that arrives at its true time, whatever its stamp says. */
interface Sent {
  readonly packet: MediaPacket;
  readonly atMs: number;
}

const markOf = (ms: number): Buffer => {
  const mark = Buffer.alloc(8);
  mark.writeDoubleBE(ms);
  return mark;
};

/** Frames that carry their true time. */
const sentOf = (packets: readonly MediaPacket[]): Sent[] =>
  packets.map((packet) => ({
    packet: packet.role === 'frame' ? { ...packet, payload: markOf(packet.dts) } : packet,
    atMs: packet.dts,
  }));

const stamped = ({ packet, atMs }: Sent, by: number): Sent => ({
  packet: { ...packet, dts: packet.dts + by, pts: packet.pts + by },
  atMs,
});

function played(sent: readonly Sent[]) {
  const clock = new SteppedClock();
  const window = new LiveWindow({ clock, listed: 1_000 });
  const [segments, targets, events] = [[] as WindowSegment[], new Set<number>(), [] as PackagerEvent[]];
  const shown: { kind: string; ms: number; trueMs: number }[] = [];
  window.startRun(1);
  window.observe({
    onSegment: (segment) => {
      segments.push(segment);
      targets.add(window.targetDuration);
    },
  });
  const packager = new Packager({
    clock,
    emit: (event) => {
      events.push(event);
      if (event.type === 'init' || event.type === 'part' || event.type === 'segment') window.apply(event);
    },
    maxSegmentMs: () => window.maxSegmentMs,
    timed: {
      begin: () => undefined,
      end: () => undefined,
      frame: ({ kind, dts, payload }) => {
        // Silence is no frame of the encoder; parameter sets may stand in front of a picture.
        if (kind === 'audio' && payload.length !== 8) return;
        shown.push({ kind, ms: dts, trueMs: payload.readDoubleBE(payload.length - 8) });
      },
    },
  });
  const bus = { push: (packet: MediaPacket) => packager.push(packet), end: () => packager.finish() };
  const sink = straightStamps(announceParameterSets(constantTracks(fillSilence(bus, clock))), clock);
  for (const { packet, atMs } of sent) {
    clock.ms = Math.max(clock.ms, atMs);
    sink.push(packet);
  }
  sink.end('finished');
  const periods = [...new Set(segments.map(({ init }) => init))].map((init) =>
    trackTimes(segments.filter((each) => each.init === init)),
  );
  return { segments, targets, events, shown, periods };
}

const configs = (atMs = 0): Sent[] =>
  sentOf([videoConfig(RECORDS.high320, atMs), audioConfig(undefined, atMs)]);
const steady = (untilMs = 20_000) => sentOf(steadyFrames({ untilMs }));

function expectWatchable(
  { segments, targets, events, periods }: ReturnType<typeof played>,
  holeMs = 300,
): void {
  const inits = events.flatMap((event) => (event.type === 'init' ? [event.tracks] : []));
  expect(inits.every(({ video, audio }) => video !== undefined && audio !== undefined)).toBe(true);
  expect(targets.size).toBeLessThanOrEqual(1);
  for (const { durationMs } of segments)
    expect(Math.round(durationMs / 1_000)).toBeLessThanOrEqual(Math.max(...targets));
  for (const { video, audio } of periods) {
    expect(smallestStep(video)).toBeGreaterThan(0);
    expect(smallestStep(audio)).toBeGreaterThan(0);
    expect(longestHole(video)).toBeLessThan(holeMs);
    expect(longestHole(audio)).toBeLessThan(holeMs);
  }
}

/** How far sound and picture are apart that were meant for the same moment, ms; pictures shown again do not count. */
function apart({ shown }: ReturnType<typeof played>): number {
  let [most, videoOffset, newestMs] = [0, Number.NaN, -Infinity];
  for (const { kind, ms, trueMs } of shown) {
    if (kind === 'audio' && !Number.isNaN(videoOffset))
      most = Math.max(most, Math.abs(ms - trueMs - videoOffset));
    if (kind === 'audio' || trueMs <= newestMs) continue;
    newestMs = trueMs;
    videoOffset = ms - trueMs;
  }
  return most;
}

describe('an encoder whose', () => {
  const cases: readonly (readonly [string, readonly Sent[]])[] = [
    [
      'sound starts 1.6 s late',
      steady().filter(({ packet, atMs }) => packet.kind === 'video' || atMs >= 1_600),
    ],
    ['sound ends', steady(34_000).filter(({ packet, atMs }) => packet.kind === 'video' || atMs < 14_000)],
    [
      'sound is away for 8 s',
      steady(34_000).filter(({ packet, atMs }) => packet.kind === 'video' || atMs < 14_000 || atMs >= 22_000),
    ],
    [
      'picture and sound have time bases of their own',
      steady().map((sent) => stamped(sent, sent.packet.kind === 'video' ? 3_600_000 : 15_000)),
    ],
    [
      'sound has one stray stamp',
      steady().map((sent, n) => (n === 801 && sent.packet.kind === 'audio' ? stamped(sent, 8_000) : sent)),
    ],
    [
      'picture has a stray stamp every 60 frames',
      steady().map((sent) =>
        sent.packet.kind === 'video' && sent.atMs % 2_400 === 1_200 ? stamped(sent, 9_800_000) : sent,
      ),
    ],
    [
      'picture pauses for 6 s',
      steady().filter(({ packet, atMs }) => packet.kind === 'audio' || atMs < 6_100 || atMs > 12_000),
    ],
    ['clock is reset', steady().map((sent) => (sent.atMs >= 9_000 ? stamped(sent, -9_000) : sent))],
    [
      'sound alone is reset',
      steady().map((sent) =>
        sent.packet.kind === 'audio' && sent.atMs >= 9_000 ? stamped(sent, -9_000) : sent,
      ),
    ],
    [
      'publish pauses for 7.5 s before its first sound',
      steady(30_000).filter(({ packet, atMs }) =>
        packet.kind === 'video' ? atMs < 2_500 || atMs >= 10_241 : atMs >= 10_000,
      ),
    ],
    ['publish pauses for 8 s', steady(30_000).filter(({ atMs }) => atMs < 9_300 || atMs >= 17_300)],
    [
      'sound drifts by 1000 ppm',
      steady(60_000).map((sent) =>
        sent.packet.kind === 'audio' ? stamped(sent, Math.round(sent.atMs / 1_000)) : sent,
      ),
    ],
  ];
  it.each(cases)('%s: nobody notices', (_name, sent) => {
    const result = played([...configs(sent[0]?.packet.dts), ...sent]);
    expectWatchable(result);
    expect(apart(result)).toBeLessThan(100);
    expect(result.segments.at(-1)?.endMs).toBeGreaterThan((sent.at(-1)?.atMs ?? 0) - 500);
  });

  it('stamps pass 2^24 ms, as after 4 h 39 min: nothing changes', () => {
    const result = played([
      ...configs(16_762_215),
      ...steady(30_000).map((sent) => stamped(sent, 16_777_215 - 15_000)),
    ]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(1);
  });

  it.each([400, 900])('sound usually comes %d ms late: every frame of it comes out', (lateMs) => {
    const sent = steady()
      .map(({ packet, atMs }) => ({ packet, atMs: packet.kind === 'audio' ? atMs + lateMs : atMs }))
      .toSorted((a, b) => a.atMs - b.atMs);
    const { shown } = played([...configs(), ...sent]);
    const sound = sent.filter(({ packet }) => packet.kind === 'audio');
    expect(shown.filter(({ kind }) => kind === 'audio')).toHaveLength(sound.length);
  });

  it('parameter sets are repeated in front of each keyframe: one period', () => {
    const sent = steady().flatMap((each) =>
      each.packet.kind === 'video' && each.packet.key
        ? [{ packet: videoConfig(RECORDS.high320, each.packet.dts), atMs: each.atMs }, each]
        : [each],
    );
    expect(played([...configs(), ...sent]).periods).toHaveLength(1);
  });

  it('configuration of the sound comes with and without the SBR tail: never refused, new periods only', () => {
    const tail = [RECORDS.aacStereo48, Buffer.from('1190', 'hex')];
    const sent = [6_020, 12_020].flatMap((ms, n) => sentOf([audioConfig(tail[(n + 1) % 2], ms)]));
    const all = [...steady(), ...sent].toSorted((a, b) => a.atMs - b.atMs);
    const result = played([...configs(), ...all]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(3);
    expect(result.events.some(({ type }) => type === 'refused')).toBe(false);
  });
});

it('whatever is lost, starts, ends or is stamped wrongly, players can watch it', () => {
  const fault = fc.record({
    kind: fc.constantFrom('video' as const, 'audio' as const, 'both' as const),
    what: fc.constantFrom('lost' as const, 'stray' as const),
    fromMs: fc.integer({ min: 2_500, max: 24_000 }),
    ms: fc.integer({ min: 30, max: 8_000 }),
    by: fc.constantFrom(-3_600_000, -5_000, 8_000, 3_600_000),
  });
  fc.assert(
    fc.property(
      fc.array(fault, { maxLength: 4 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.constantFrom(0, 400, 900),
      (faults, soundFromMs, lateMs) => {
        const sent = steady(30_000)
          .filter(({ packet, atMs }) => packet.kind === 'video' || atMs >= soundFromMs)
          .filter(
            ({ packet, atMs }) =>
              !faults.some(
                ({ kind, what, fromMs, ms }) =>
                  what === 'lost' &&
                  (kind === 'both' || kind === packet.kind) &&
                  atMs >= fromMs &&
                  atMs < fromMs + ms,
              ),
          )
          .map((each) => {
            // A track that begins with a stray stamp has no clock to be straightened by.
            if (each.packet.kind === 'audio' && each.atMs < soundFromMs + 100) return each;
            const stray = faults.find(
              ({ kind, what, fromMs }) =>
                what === 'stray' && kind === each.packet.kind && Math.abs(each.atMs - fromMs) <= 15,
            );
            return stray ? stamped(each, stray.by) : each;
          })
          .map(({ packet, atMs }) => ({ packet, atMs: packet.kind === 'audio' ? atMs + lateMs : atMs }))
          .toSorted((a, b) => a.atMs - b.atMs);
        const result = played([...configs(), ...sent]);
        expectWatchable(result);
        expect(apart(result)).toBeLessThan(100);
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);
