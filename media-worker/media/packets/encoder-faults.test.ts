import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMoof } from '@/media-worker/media/cmaf/read-part';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import {
  largestOffset,
  sentConfigs,
  expectWatchable,
  longestStall,
  payloadWithTime,
  playSent,
  type SentPacket,
  sendAtTimestamps,
  withShift,
  steadyPublish,
} from '@/media-worker/media/packaging/testing/played';
import { audioConfig, videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';
import type { MediaPacket } from './media-packet';

/** Encoders with faults: the whole path from their packets to the frames that players get. */

describe('playback is continuous if', () => {
  const cases: readonly (readonly [string, readonly SentPacket[]])[] = [
    [
      'audio starts 1.6 s late',
      steadyPublish().filter(({ packet, atMs }) => packet.kind === 'video' || atMs >= 1_600),
    ],
    [
      'audio ends',
      steadyPublish(34_000).filter(({ packet, atMs }) => packet.kind === 'video' || atMs < 14_000),
    ],
    [
      'audio stops for 8 s',
      steadyPublish(34_000).filter(
        ({ packet, atMs }) => packet.kind === 'video' || atMs < 14_000 || atMs >= 22_000,
      ),
    ],
    [
      'audio and video have different time bases',
      steadyPublish().map((sentPacket) =>
        withShift(sentPacket, sentPacket.packet.kind === 'video' ? 3_600_000 : 15_000),
      ),
    ],
    [
      'audio has one stray timestamp',
      // Packet 801 is an audio frame at 11.1 s.
      steadyPublish().map((sentPacket, n) =>
        n === 801 && sentPacket.packet.kind === 'audio' ? withShift(sentPacket, 8_000) : sentPacket,
      ),
    ],
    [
      'video has a stray timestamp every 60 frames',
      steadyPublish().map((sentPacket) =>
        sentPacket.packet.kind === 'video' && sentPacket.atMs % 2_400 === 1_200
          ? withShift(sentPacket, 9_800_000)
          : sentPacket,
      ),
    ],
    [
      'video has a stray timestamp soon after lost frames',
      steadyPublish()
        .filter(({ packet, atMs }) => packet.kind === 'audio' || atMs <= 12_240 || atMs > 12_480)
        // The frame at 12,560 ms, the second one after the loss.
        .map((sentPacket) =>
          sentPacket.packet.kind === 'video' && Math.abs(sentPacket.atMs - 12_545) <= 15
            ? withShift(sentPacket, -3_600_000)
            : sentPacket,
        ),
    ],
    [
      'video pauses for 6 s',
      steadyPublish().filter(({ packet, atMs }) => packet.kind === 'audio' || atMs < 6_100 || atMs > 12_000),
    ],
    [
      'clock is reset',
      steadyPublish().map((sentPacket) =>
        sentPacket.atMs >= 9_000 ? withShift(sentPacket, -9_000) : sentPacket,
      ),
    ],
    [
      'audio clock alone is reset',
      steadyPublish().map((sentPacket) =>
        sentPacket.packet.kind === 'audio' && sentPacket.atMs >= 9_000
          ? withShift(sentPacket, -9_000)
          : sentPacket,
      ),
    ],
    [
      'publish pauses for 7.5 s before its first audio',
      steadyPublish(30_000).filter(({ packet, atMs }) =>
        packet.kind === 'video' ? atMs < 2_500 || atMs >= 10_241 : atMs >= 10_000,
      ),
    ],
    ['publish pauses for 8 s', steadyPublish(30_000).filter(({ atMs }) => atMs < 9_300 || atMs >= 17_300)],
    [
      'audio drifts by 1000 ppm',
      steadyPublish(60_000).map((sentPacket) =>
        sentPacket.packet.kind === 'audio'
          ? withShift(sentPacket, Math.round(sentPacket.atMs / 1_000))
          : sentPacket,
      ),
    ],
  ];
  it.each(cases)('%s', (_name, sent) => {
    const result = playSent([...sentConfigs(sent[0]?.packet.dts), ...sent]);
    expectWatchable(result);
    expect(largestOffset(result)).toBeLessThan(100);
    expect(result.segments.at(-1)?.endMs).toBeGreaterThan((sent.at(-1)?.atMs ?? 0) - 500);
  });

  it('timestamps pass 2^24 ms, after 4 h 39 min', () => {
    const result = playSent([
      ...sentConfigs(2 ** 24 - 1 - 15_000),
      ...steadyPublish(30_000).map((sentPacket) => withShift(sentPacket, 2 ** 24 - 1 - 15_000)),
    ]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(1);
  });

  it.each([-8_000_000, -6_000, 6_000, 8_000_000])(
    'frames have a composition time of %d ms, which is ignored',
    (compositionMs) => {
      const sent = steadyPublish().map(({ packet, atMs }) => ({
        packet: packet.kind === 'video' ? { ...packet, pts: packet.dts + compositionMs } : packet,
        atMs,
      }));
      const { segments } = playSent([...sentConfigs(), ...sent]);
      const offsets = segments.flatMap(({ parts }) =>
        parts.flatMap(({ data }) =>
          readMoof(Buffer.concat(data)).flatMap((track) => track.compositionOffsets),
        ),
      );
      expect(new Set(offsets)).toEqual(new Set([0]));
    },
  );

  it.each([400, 900])('audio is always %d ms late, and every audio frame is played', (lateMs) => {
    const sent = steadyPublish()
      .map(({ packet, atMs }) => ({ packet, atMs: packet.kind === 'audio' ? atMs + lateMs : atMs }))
      .toSorted((a, b) => a.atMs - b.atMs);
    const { shownFrames } = playSent([...sentConfigs(), ...sent]);
    const audio = sent.filter(({ packet }) => packet.kind === 'audio');
    expect(shownFrames.filter(({ kind }) => kind === 'audio')).toHaveLength(audio.length);
  });

  it('the sequence header is repeated before each keyframe, which starts no new period', () => {
    const sent = steadyPublish().flatMap((packet) =>
      packet.packet.kind === 'video' && packet.packet.key
        ? [{ packet: videoConfig(CONFIG_RECORDS.high320, packet.packet.dts), atMs: packet.atMs }, packet]
        : [packet],
    );
    expect(playSent([...sentConfigs(), ...sent]).periods).toHaveLength(1);
  });

  it('a changed sequence header arrives a second before its keyframe, and every frame is played', () => {
    const sent = [
      ...steadyPublish(),
      ...sendAtTimestamps([videoConfig(CONFIG_RECORDS.baseline360, 7_010)]),
    ].toSorted((a, b) => a.atMs - b.atMs);
    const result = playSent([...sentConfigs(), ...sent]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(2);
    const video = sent.filter(({ packet }) => packet.kind === 'video' && packet.role === 'frame');
    expect(result.shownFrames.filter(({ kind }) => kind === 'video')).toHaveLength(video.length);
  });

  it('the audio configuration alternates with and without the SBR extension, which starts new periods', () => {
    // The same AAC-LC configuration with and without the extension that signals that there is no SBR.
    const records = [CONFIG_RECORDS.aacStereo48, Buffer.from('1190', 'hex')];
    const sent = [6_020, 12_020].flatMap((ms, n) =>
      sendAtTimestamps([audioConfig(records[(n + 1) % 2], ms)]),
    );
    const sentInOrder = [...steadyPublish(), ...sent].toSorted((a, b) => a.atMs - b.atMs);
    const result = playSent([...sentConfigs(), ...sentInOrder]);
    expectWatchable(result);
    expect(result.periods).toHaveLength(3);
    expect(result.events.some(({ type }) => type === 'rejected')).toBe(false);
  });
});

it.each([
  ['beside it', 0, 0],
  ['before it', 0, 500],
  ['after it', 500, 0],
] as const)(
  'audio of an unknown codec with video %s does not change the tracks',
  (_name, videoFromMs, audioFromMs) => {
    const sent = [...sentConfigs(), ...steadyPublish()]
      .filter(
        ({ packet, atMs }) =>
          packet.role === 'config' || atMs >= (packet.kind === 'video' ? videoFromMs : audioFromMs),
      )
      .map(({ packet, atMs }) => ({
        packet: packet.kind === 'audio' ? { ...packet, codec: 'unknown' as const } : packet,
        atMs,
      }));
    const result = playSent(sent);
    expectWatchable(result);
    expect(result.periods).toHaveLength(1);
  },
);

/** Largest error of synchronization that is accepted where nothing shows which track has the correct times. */
const MAX_UNCONFIRMED_OFFSET_MS = 2_500;
/** Duration of a segment. A player at the live edge is less than a segment behind. */
const SEGMENT_MS = 2_000;
const inSendOrder = (packets: readonly SentPacket[]) => packets.toSorted((a, b) => a.atMs - b.atMs);
const kindOf = ({ packet }: SentPacket) => packet.kind;

/**
 * Delays the sending of one track by `ms` from `fromMs` on. Its timestamps are unchanged: they are right, or with
 * `stopsClock` those of a clock that stopped for this time.
 */
function delayTrack(
  kind: MediaPacket['kind'],
  { fromMs, ms, stopsClock = false }: { fromMs: number; ms: number; stopsClock?: boolean },
): SentPacket[] {
  return inSendOrder(
    steadyPublish(30_000).map((sentPacket) => {
      if (kindOf(sentPacket) !== kind || sentPacket.atMs < fromMs) return sentPacket;
      const movedPacket = { ...sentPacket, atMs: sentPacket.atMs + ms };
      // After the clock has stopped, the original time of a frame is its send time.
      return stopsClock
        ? { ...movedPacket, packet: { ...movedPacket.packet, payload: payloadWithTime(movedPacket.atMs) } }
        : movedPacket;
    }),
  );
}

describe('the program is as long as the publish, to within 3 s, if', () => {
  const withTimestamps = (dtsOf: (atMs: number) => number, kinds = ['video', 'audio']) =>
    steadyPublish(30_000).map((sent) =>
      kinds.includes(sent.packet.kind)
        ? withShift(sent, Math.round(dtsOf(sent.atMs)) - sent.packet.dts)
        : sent,
    );
  it.each([
    ['timestamps are in microseconds', withTimestamps((ms) => ms * 1_000)],
    ['timestamps are in units of 1/90 ms', withTimestamps((ms) => ms * 90)],
    ['video timestamps are in units of 1/90 ms', withTimestamps((ms) => ms * 90, ['video'])],
    ['audio timestamps are in microseconds', withTimestamps((ms) => ms * 1_000, ['audio'])],
    ['timestamps fall', withTimestamps((ms) => 2_000_000 - ms)],
    ['video timestamps fall', withTimestamps((ms) => 2_000_000 - ms, ['video'])],
  ])('%s', (_name, sent) => {
    const result = playSent([...sentConfigs(), ...sent]);
    expectWatchable(result);
    const [firstMs, lastMs] = [result.segments[0]?.startMs ?? 0, result.segments.at(-1)?.endMs ?? 0];
    expect(Math.abs(lastMs - firstMs - 30_000)).toBeLessThan(3_000);
    expect(longestStall(result)).toBeLessThan(SEGMENT_MS);
    expect(largestOffset(result)).toBeLessThan(MAX_UNCONFIRMED_OFFSET_MS);
  });
});

describe('viewers stall for less than a segment if', () => {
  it.each([
    ['audio is sent 5 s late', delayTrack('audio', { fromMs: 0, ms: 5_000 })],
    ['audio is sent 10 s late', delayTrack('audio', { fromMs: 0, ms: 10_000 })],
    ['audio is sent 8 s late from 9 s on', delayTrack('audio', { fromMs: 9_000, ms: 8_000 })],
    ['video is sent 8 s late from 9 s on', delayTrack('video', { fromMs: 9_000, ms: 8_000 })],
    [
      'audio starts 8 s later with its own clock',
      delayTrack('audio', { fromMs: 0, ms: 8_000, stopsClock: true }),
    ],
    ['the audio clock stops for 5 s', delayTrack('audio', { fromMs: 9_000, ms: 5_000, stopsClock: true })],
    ['the video clock stops for 5 s', delayTrack('video', { fromMs: 9_000, ms: 5_000, stopsClock: true })],
    [
      'audio is 5 % slow',
      steadyPublish(90_000).map((sent) =>
        kindOf(sent) === 'audio' ? withShift(sent, -Math.round(sent.atMs / 20)) : sent,
      ),
    ],
    [
      'video is 5 % fast',
      steadyPublish(90_000).map((sent) =>
        kindOf(sent) === 'video' ? withShift(sent, Math.round(sent.atMs / 20)) : sent,
      ),
    ],
    ['frames have no timestamps', steadyPublish().map((sent) => withShift(sent, -sent.packet.dts))],
    [
      'audio has no timestamps',
      steadyPublish().map((sent) => (kindOf(sent) === 'audio' ? withShift(sent, -sent.packet.dts) : sent)),
    ],
    [
      'timestamps are whole seconds',
      steadyPublish().map((sent) => withShift(sent, -(sent.packet.dts % 1_000))),
    ],
  ])('%s', (_name, sent) => {
    const result = playSent([...sentConfigs(), ...sent]);
    expectWatchable(result);
    expect(longestStall(result)).toBeLessThan(SEGMENT_MS);
    expect(result.segments.at(-1)?.endMs).toBeGreaterThan((sent.at(-1)?.atMs ?? 0) - 500);
  });

  it.each(['audio', 'video'] as const)(
    'a stopped clock of %s is corrected: audio and video are in sync again',
    (kind) => {
      const { shownFrames } = playSent([
        ...sentConfigs(),
        ...delayTrack(kind, { fromMs: 9_000, ms: 5_000, stopsClock: true }),
      ]);
      const errorOf = (track: string) => {
        const frame = shownFrames.find((shown) => shown.kind === track && shown.trueMs >= 25_000);
        return frame ? frame.ms - frame.trueMs : Number.NaN;
      };
      expect(Math.abs(errorOf('video') - errorOf('audio'))).toBeLessThan(150);
    },
  );
});

it.each([9_000, 9_200, 9_400])(
  'a pause of both tracks at %d ms stalls players only while they have no media',
  (fromMs) => {
    // A player is `behindMs` behind the live edge, and continues with the first part after the pause.
    const [pauseMs, behindMs, partMs] = [4_000, 1_650, 500];
    const isPaused = ({ atMs }: SentPacket) => atMs >= fromMs && atMs < fromMs + pauseMs;
    const withoutPaused = steadyPublish(30_000).filter((packet) => !isPaused(packet));
    const delayedToEnd = steadyPublish(30_000).map((packet) =>
      isPaused(packet) ? { ...packet, atMs: fromMs + pauseMs } : packet,
    );
    for (const packets of [withoutPaused, delayedToEnd])
      expect(longestStall(playSent([...sentConfigs(), ...packets]))).toBeLessThan(
        pauseMs - behindMs + partMs + 50,
      );
  },
);

it('for any late track, viewers stall for less than a segment', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('audio' as const, 'video' as const),
      fc.integer({ min: 4_000, max: 15_000 }),
      fc.integer({ min: 0, max: 12_000 }),
      fc.boolean(),
      (kind, fromMs, ms, stopsClock) => {
        const result = playSent([...sentConfigs(), ...delayTrack(kind, { fromMs, ms, stopsClock })]);
        expectWatchable(result);
        expect(longestStall(result)).toBeLessThan(SEGMENT_MS);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

it('for any lost or wrongly stamped frames, and audio that starts or arrives late, the result is playable and in sync', () => {
  const fault = fc.record({
    kind: fc.constantFrom('video' as const, 'audio' as const, 'both' as const),
    type: fc.constantFrom('lost' as const, 'stray' as const),
    fromMs: fc.integer({ min: 2_500, max: 24_000 }),
    ms: fc.integer({ min: 30, max: 8_000 }),
    shiftMs: fc.constantFrom(-3_600_000, -5_000, 8_000, 3_600_000),
  });
  fc.assert(
    fc.property(
      fc.array(fault, { maxLength: 4 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.constantFrom(0, 400, 900),
      (faults, audioFromMs, lateMs) => {
        // Nothing shows the true time of a stray timestamp if the frames before it were lost.
        const losses = faults.filter(({ type }) => type === 'lost');
        const strayTimes = faults.filter(({ type }) => type === 'stray').map(({ fromMs }) => fromMs);
        const isAfterLoss = (atMs: number) =>
          losses.some(({ fromMs, ms }) => Math.abs(atMs - fromMs - ms) <= 55);
        fc.pre(!strayTimes.some(isAfterLoss));
        const sent = steadyPublish(30_000)
          .filter(({ packet, atMs }) => packet.kind === 'video' || atMs >= audioFromMs)
          .filter(
            ({ packet, atMs }) =>
              !faults.some(
                ({ kind, type, fromMs, ms }) =>
                  type === 'lost' &&
                  (kind === 'both' || kind === packet.kind) &&
                  atMs >= fromMs &&
                  atMs < fromMs + ms,
              ),
          )
          .map((packet) => {
            // A track that begins with a stray timestamp has no clock to correct it by.
            if (packet.packet.kind === 'audio' && packet.atMs < audioFromMs + 100) return packet;
            const stray = faults.find(
              ({ kind, type, fromMs }) =>
                type === 'stray' && kind === packet.packet.kind && Math.abs(packet.atMs - fromMs) <= 15,
            );
            return stray ? withShift(packet, stray.shiftMs) : packet;
          })
          .map(({ packet, atMs }) => ({ packet, atMs: packet.kind === 'audio' ? atMs + lateMs : atMs }))
          .toSorted((a, b) => a.atMs - b.atMs);
        const result = playSent([...sentConfigs(), ...sent]);
        expectWatchable(result);
        expect(largestOffset(result)).toBeLessThan(100);
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);
