import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import { parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { Packaging, SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { longestGap, smallestStep, trackTimes } from '@/media-worker/media/packaging/testing/track-times';
import { withConstantTracks } from './constant-tracks';
import { fillSilence } from './fill-silence';
import type { MediaPacket } from './media-packet';

/** The output of a program whose packets arrive at their timestamps. */
function runProgram(packets: readonly MediaPacket[], tracks?: AnnouncedTracks): MediaPacket[] {
  const clock = new SteppedClock();
  const programPackets: MediaPacket[] = [];
  const bus = { push: (packet: MediaPacket) => void programPackets.push(packet), end: () => undefined };
  const sink = withConstantTracks(fillSilence(bus, clock));
  if (tracks) sink.announce?.(tracks);
  for (const packet of packets) {
    clock.ms = Math.max(clock.ms, packet.dts);
    sink.push(packet);
  }
  sink.end('finished');
  return programPackets;
}

function packageProgram(packets: readonly MediaPacket[], tracks?: AnnouncedTracks): Packaging {
  const packaging = new Packaging({ minListedCount: 1_000 });
  packaging.run(runProgram(packets, tracks));
  return packaging;
}

const tracksOf = ({ events }: Packaging) =>
  events.flatMap((event) =>
    event.type === 'init' ? [[event.tracks.video !== undefined, event.tracks.audio !== undefined]] : [],
  );

const periodsOf = ({ segments }: Packaging) =>
  [...new Set(segments.map(({ init }) => init))].map((init) =>
    segments.filter((segment) => segment.init === init),
  );

const videoFrom = (fromMs: number, untilMs: number) => [
  videoConfig(CONFIG_RECORDS.high320, fromMs),
  ...steadyFrames({ fromMs, untilMs, audio: false }),
];
const audioFrom = (fromMs: number, untilMs: number, record = CONFIG_RECORDS.aacStereo48) => [
  audioConfig(record, fromMs),
  ...steadyFrames({ fromMs, untilMs, video: false }),
];
const interleave = (...tracks: readonly (readonly MediaPacket[])[]) =>
  tracks.flat().toSorted((a, b) => a.dts - b.dts || Number(a.role === 'frame') - Number(b.role === 'frame'));

/** One video packet after every second audio packet, about as often as they are sent. */
const alternating = (
  videoPackets: readonly MediaPacket[],
  audioPackets: readonly MediaPacket[],
): MediaPacket[] =>
  audioPackets.flatMap((audioPacket, n) => [
    audioPacket,
    ...(n % 2 === 0 ? videoPackets.slice(n / 2, n / 2 + 1) : []),
  ]);

describe('video without audio', () => {
  it('has silence from its start, and keeps every video frame', () => {
    const packaging = packageProgram(videoFrom(0, 6_000));
    expect(tracksOf(packaging)).toEqual([[true, true]]);
    const { video, audio } = trackTimes(packaging.segments);
    expect(audio[0]?.ms).toBe(0);
    expect(longestGap(audio)).toBeLessThan(1);
    expect(video).toHaveLength(6_000 / 40);
    expect(packaging.issues()).toEqual([]);
  });

  it('gets the configuration of silence within 400 ms if the encoder announces that it sends no audio', () => {
    const programPackets = runProgram(videoFrom(0, 400), { video: true, audio: null });
    expect(programPackets.filter(({ kind, role }) => kind === 'audio' && role === 'config')).toHaveLength(1);
  });

  it.each([
    [undefined, 48_000, 2],
    [{ sampleRate: 44_100, channels: 1 }, 44_100, 1],
    [{ sampleRate: 12_345, channels: 7 }, 48_000, 2],
  ])('gets silence in the announced format, or else in 48 kHz stereo: %j', (format, sampleRate, channels) => {
    const programPackets = runProgram(videoFrom(0, 2_000), format && { video: true, audio: format });
    const config = programPackets.find(({ kind, role }) => kind === 'audio' && role === 'config');
    expect(config).toMatchObject({ isFilled: true });
    expect(parseAacConfig(config?.payload ?? Buffer.alloc(0))).toMatchObject({ sampleRate, channels });
  });

  it('gets late audio without a new period if its configuration is that of the silence', () => {
    const lateAudio = audioFrom(3_300, 10_000, Buffer.from('1190', 'hex'));
    const packaging = packageProgram(interleave(videoFrom(0, 10_000), lateAudio));
    expect(tracksOf(packaging)).toEqual([[true, true]]);
    expect(longestGap(trackTimes(packaging.segments).audio)).toBeLessThan(50);
  });

  it('gets audio of another configuration at the next keyframe, and is silent until then', () => {
    const packaging = packageProgram(
      interleave(videoFrom(0, 10_000), audioFrom(3_300, 10_000, CONFIG_RECORDS.aacMono44)),
    );
    expect(tracksOf(packaging)).toEqual([
      [true, true],
      [true, true],
    ]);
    // The second init segment of the first publish.
    expect(packaging.segments.find(({ init }) => init.endsWith('-1-1.mp4'))?.startMs).toBe(4_000);
    expect(longestGap(trackTimes(packaging.segments).video)).toBeLessThan(50);
    for (const period of periodsOf(packaging)) expect(longestGap(trackTimes(period).audio)).toBeLessThan(100);
  });
});

describe('audio', () => {
  it('without video starts after a wait, and no frame is lost', () => {
    const packaging = packageProgram(audioFrom(0, 6_000));
    expect(tracksOf(packaging)).toEqual([[false, true]]);
    const { audio } = trackTimes(packaging.segments);
    expect(audio).toHaveLength(steadyFrames({ untilMs: 6_000, video: false }).length);
  });

  it('waits at least 4 s for announced video', () => {
    const packets = interleave(audioFrom(0, 9_000), videoFrom(4_000, 9_000));
    expect(tracksOf(packageProgram(packets, { video: true, audio: {} }))).toEqual([[true, true]]);
  });

  it('with announced video that arrives late is played with black video until then', () => {
    const packets = interleave(audioFrom(0, 20_000), videoFrom(10_040, 20_000));
    const packaging = packageProgram(packets, { video: true, audio: {} });
    expect(tracksOf(packaging)).toEqual([
      [true, true],
      [true, true],
    ]);
    const [blackSegments, videoSegments] = periodsOf(packaging);
    const videoStartMs = videoSegments?.[0]?.startMs ?? 0;
    expect(videoStartMs).toBeGreaterThanOrEqual(10_040);
    expect(videoStartMs).toBeLessThan(10_200);
    for (const period of [blackSegments, videoSegments]) {
      const { video, audio } = trackTimes(period ?? []);
      expect(longestGap(video)).toBeLessThan(1);
      expect(longestGap(audio)).toBeLessThan(50);
    }
    expect(trackTimes(packaging.segments).audio).toHaveLength(
      steadyFrames({ untilMs: 20_000, video: false }).length,
    );
  });

  it('with configured video that never arrives is played with black video', () => {
    const packaging = packageProgram([videoConfig(CONFIG_RECORDS.high320), ...audioFrom(0, 20_000)]);
    expect(tracksOf(packaging)).toEqual([[true, true]]);
    expect(trackTimes(packaging.segments).video.at(-1)?.ms).toBeGreaterThan(19_000);
  });

  it('with late video of earlier timestamps is played with black video, then the video continues', () => {
    const lateVideo = videoFrom(10_040, 20_000).map((packet) => ({
      ...packet,
      dts: packet.dts - 10_000,
      pts: packet.pts - 10_000,
    }));
    const audio = audioFrom(0, 20_000);
    // The configuration and the frames before 10.03 s.
    const audioCountBefore = 471;
    const packets = [
      ...audio.slice(0, audioCountBefore),
      ...lateVideo.slice(0, 2),
      ...alternating(lateVideo.slice(2), audio.slice(audioCountBefore)),
    ];
    const programPackets = runProgram(packets, { video: true, audio: {} });
    const times = programPackets
      .filter(({ kind, role }) => kind === 'video' && role === 'frame')
      .map(({ dts }) => dts);
    expect(Math.min(...times.slice(1).map((dts, n) => dts - (times[n] ?? 0)))).toBeGreaterThan(0);
    expect(times.at(-1)).toBeGreaterThan(18_500);
  });

  it('that was configured but does not arrive is replaced by silence', () => {
    const packaging = packageProgram([audioConfig(), ...videoFrom(0, 12_000)]);
    const { audio } = trackTimes(packaging.segments);
    expect(audio[0]?.ms).toBe(0);
    expect(longestGap(audio)).toBeLessThan(1);
  });

  it('of another configuration starts at the next keyframe', () => {
    const packets = interleave(
      videoFrom(0, 12_000),
      audioFrom(0, 5_100),
      audioFrom(5_100, 12_000, CONFIG_RECORDS.aacMono44),
    );
    const packaging = packageProgram(packets);
    const starts = periodsOf(packaging);
    expect(starts.map((segments) => segments[0]?.startMs)).toEqual([0, 6_000]);
    for (const period of starts) expect(longestGap(trackTimes(period).audio)).toBeLessThan(100);
  });
});

it('successive inputs with different audio, and without audio, make a program with constant tracks', () => {
  const first = interleave(videoFrom(0, 6_000), audioFrom(0, 6_000));
  const second = interleave(videoFrom(6_000, 12_000), audioFrom(6_000, 12_000, CONFIG_RECORDS.aacMono44));
  const third = videoFrom(12_000, 18_000);
  const packaging = packageProgram([...first, ...second, ...third]);
  expect(tracksOf(packaging).every(([video, audio]) => video && audio)).toBe(true);
  for (const period of periodsOf(packaging)) expect(longestGap(trackTimes(period).audio)).toBeLessThan(100);
});

it('for any start and end of its audio, a program has constant tracks with gaps below 300 ms', () => {
  const span = fc.record({
    fromMs: fc.integer({ min: 0, max: 12_000 }),
    ms: fc.integer({ min: 0, max: 9_000 }),
  });
  const audioSpans = fc.array(fc.record({ span, mono: fc.boolean() }), { maxLength: 1 });
  fc.assert(
    fc.property(audioSpans, fc.integer({ min: 0, max: 1_400 }), (spans, videoFromMs) => {
      const audio = spans.map(({ span: { fromMs, ms }, mono }) =>
        audioFrom(fromMs, fromMs + ms, mono ? CONFIG_RECORDS.aacMono44 : CONFIG_RECORDS.aacStereo48),
      );
      const packaging = packageProgram(interleave(videoFrom(videoFromMs, 20_000), ...audio));
      expect(tracksOf(packaging).every(([video, audio]) => video && audio)).toBe(true);
      for (const period of periodsOf(packaging)) {
        const { video, audio } = trackTimes(period);
        expect(smallestStep(video)).toBeGreaterThan(0);
        expect(smallestStep(audio)).toBeGreaterThan(0);
        expect(longestGap(audio)).toBeLessThan(300);
        expect(longestGap(video)).toBeLessThan(300);
      }
    }),
    { numRuns: 100 },
  );
});
