import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMoof } from '@/media-worker/media/cmaf/read-part';
import { RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import {
  apart,
  configs,
  expectWatchable,
  longestStall,
  markOf,
  playSent,
  type SentPacket,
  sentOf,
  withShift,
  steady,
} from '@/media-worker/media/packaging/testing/played';
import { audioConfig, videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';
import type { MediaPacket } from './media-packet';

/** What an encoder sends, all the way to what players get. */

describe('an encoder whose', () => {
  const cases: readonly (readonly [string, readonly SentPacket[]])[] = [
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
      steady().map((sent) => withShift(sent, sent.packet.kind === 'video' ? 3_600_000 : 15_000)),
    ],
    [
      'sound has one stray stamp',
      steady().map((sent, n) => (n === 801 && sent.packet.kind === 'audio' ? withShift(sent, 8_000) : sent)),
    ],
    [
      'picture has a stray stamp every 60 frames',
      steady().map((sent) =>
        sent.packet.kind === 'video' && sent.atMs % 2_400 === 1_200 ? withShift(sent, 9_800_000) : sent,
      ),
    ],
    [
      'picture pauses for 6 s',
      steady().filter(({ packet, atMs }) => packet.kind === 'audio' || atMs < 6_100 || atMs > 12_000),
    ],
    ['clock is reset', steady().map((sent) => (sent.atMs >= 9_000 ? withShift(sent, -9_000) : sent))],
    [
      'sound alone is reset',
      steady().map((sent) =>
        sent.packet.kind === 'audio' && sent.atMs >= 9_000 ? withShift(sent, -9_000) : sent,
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
        sent.packet.kind === 'audio' ? withShift(sent, Math.round(sent.atMs / 1_000)) : sent,
      ),
    ],
  ];
  it.each(cases)('%s: nobody notices', (_name, sent) => {
    const result = playSent([...configs(sent[0]?.packet.dts), ...sent]);
    expectWatchable(result);
    expect(apart(result)).toBeLessThan(100);
    expect(result.segments.at(-1)?.endMs).toBeGreaterThan((sent.at(-1)?.atMs ?? 0) - 500);
  });

  it('stamps pass 2^24 ms, as after 4 h 39 min: nothing changes', () => {
    const result = playSent([
      ...configs(16_762_215),
      ...steady(30_000).map((sent) => withShift(sent, 16_777_215 - 15_000)),
    ]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(1);
  });

  it.each([-8_000_000, -6_000, 6_000, 8_000_000])(
    'pictures are to be shown %d ms from their decode time: they are shown in time',
    (offMs) => {
      const sent = steady().map(({ packet, atMs }) => ({
        packet: packet.kind === 'video' ? { ...packet, pts: packet.dts + offMs } : packet,
        atMs,
      }));
      const { segments } = playSent([...configs(), ...sent]);
      const offsets = segments.flatMap(({ parts }) =>
        parts.flatMap(({ data }) =>
          readMoof(Buffer.concat(data)).flatMap((track) => track.compositionOffsets),
        ),
      );
      expect(new Set(offsets)).toEqual(new Set([0]));
    },
  );

  it.each([400, 900])('sound usually comes %d ms late: every frame of it comes out', (lateMs) => {
    const sent = steady()
      .map(({ packet, atMs }) => ({ packet, atMs: packet.kind === 'audio' ? atMs + lateMs : atMs }))
      .toSorted((a, b) => a.atMs - b.atMs);
    const { shownFrames: shown } = playSent([...configs(), ...sent]);
    const sound = sent.filter(({ packet }) => packet.kind === 'audio');
    expect(shown.filter(({ kind }) => kind === 'audio')).toHaveLength(sound.length);
  });

  it('parameter sets are repeated in front of each keyframe: one period', () => {
    const sent = steady().flatMap((each) =>
      each.packet.kind === 'video' && each.packet.key
        ? [{ packet: videoConfig(RECORDS.high320, each.packet.dts), atMs: each.atMs }, each]
        : [each],
    );
    expect(playSent([...configs(), ...sent]).periods).toHaveLength(1);
  });

  it('configuration of the sound comes with and without the SBR tail: never refused, new periods only', () => {
    const tail = [RECORDS.aacStereo48, Buffer.from('1190', 'hex')];
    const sent = [6_020, 12_020].flatMap((ms, n) => sentOf([audioConfig(tail[(n + 1) % 2], ms)]));
    const all = [...steady(), ...sent].toSorted((a, b) => a.atMs - b.atMs);
    const result = playSent([...configs(), ...all]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(3);
    expect(result.events.some(({ type }) => type === 'refused')).toBe(false);
  });
});

/** The length of a segment: players at the live edge are behind it by less. */
const segmentMs = 2_000;
const inOrder = (sent: readonly SentPacket[]) => sent.toSorted((a, b) => a.atMs - b.atMs);
const kindOf = ({ packet }: SentPacket) => packet.kind;

/** From `fromMs` on, a track comes later by `ms`: its stamps are right, or its clock stood still meanwhile. */
function late(
  kind: MediaPacket['kind'],
  { fromMs, ms, isClock = false }: { fromMs: number; ms: number; isClock?: boolean },
): SentPacket[] {
  return inOrder(
    steady(30_000).map((sent) => {
      if (kindOf(sent) !== kind || sent.atMs < fromMs) return sent;
      const moved = { ...sent, atMs: sent.atMs + ms };
      // What it shows was true when it was sent.
      return isClock ? { ...moved, packet: { ...moved.packet, payload: markOf(moved.atMs) } } : moved;
    }),
  );
}

describe('no viewer stands still for longer than a segment where', () => {
  it.each([
    ['sound is sent 5 s late', late('audio', { fromMs: 0, ms: 5_000 })],
    ['sound is sent 10 s late', late('audio', { fromMs: 0, ms: 10_000 })],
    ['sound is sent 8 s late after a while', late('audio', { fromMs: 9_000, ms: 8_000 })],
    ['the picture is sent 8 s late after a while', late('video', { fromMs: 9_000, ms: 8_000 })],
    [
      'sound begins with a clock of its own, 8 s later',
      late('audio', { fromMs: 0, ms: 8_000, isClock: true }),
    ],
    ['the clock of sound stands still for 5 s', late('audio', { fromMs: 9_000, ms: 5_000, isClock: true })],
    [
      'the clock of the picture stands still for 5 s',
      late('video', { fromMs: 9_000, ms: 5_000, isClock: true }),
    ],
    [
      'sound is 5 % slow',
      steady(90_000).map((sent) =>
        kindOf(sent) === 'audio' ? withShift(sent, -Math.round(sent.atMs / 20)) : sent,
      ),
    ],
    [
      'the picture is 5 % fast',
      steady(90_000).map((sent) =>
        kindOf(sent) === 'video' ? withShift(sent, Math.round(sent.atMs / 20)) : sent,
      ),
    ],
    ['no frame has a stamp', steady().map((sent) => withShift(sent, -sent.packet.dts))],
    [
      'sound has no stamps',
      steady().map((sent) => (kindOf(sent) === 'audio' ? withShift(sent, -sent.packet.dts) : sent)),
    ],
    ['stamps are whole seconds', steady().map((sent) => withShift(sent, -(sent.packet.dts % 1_000)))],
  ])('%s', (_name, sent) => {
    const result = playSent([...configs(), ...sent]);
    expectWatchable(result);
    expect(longestStall(result)).toBeLessThan(segmentMs);
    expect(result.segments.at(-1)?.endMs).toBeGreaterThan((sent.at(-1)?.atMs ?? 0) - 500);
  });

  it.each(['audio', 'video'] as const)('and %s whose clock stood still is in step again', (kind) => {
    const { shownFrames: shown } = playSent([
      ...configs(),
      ...late(kind, { fromMs: 9_000, ms: 5_000, isClock: true }),
    ]);
    const errorOf = (of: string) => {
      const frame = shown.find((each) => each.kind === of && each.trueMs >= 25_000);
      return frame ? frame.ms - frame.trueMs : Number.NaN;
    };
    expect(Math.abs(errorOf('video') - errorOf('audio'))).toBeLessThan(150);
  });
});

it('whatever is sent late, viewers stand still for a segment at most', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('audio' as const, 'video' as const),
      fc.integer({ min: 4_000, max: 15_000 }),
      fc.integer({ min: 0, max: 12_000 }),
      fc.boolean(),
      (kind, fromMs, ms, isClock) => {
        const result = playSent([...configs(), ...late(kind, { fromMs, ms, isClock })]);
        expectWatchable(result);
        expect(longestStall(result)).toBeLessThan(segmentMs);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

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
            return stray ? withShift(each, stray.by) : each;
          })
          .map(({ packet, atMs }) => ({ packet, atMs: packet.kind === 'audio' ? atMs + lateMs : atMs }))
          .toSorted((a, b) => a.atMs - b.atMs);
        const result = playSent([...configs(), ...sent]);
        expectWatchable(result);
        expect(apart(result)).toBeLessThan(100);
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);
