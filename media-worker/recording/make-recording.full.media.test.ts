import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'hls-parser';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingKey } from '@/lib/core/storage-keys';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { withConstantTracks } from '@/media-worker/media/packets/constant-tracks';
import { fillSilence } from '@/media-worker/media/packets/fill-silence';
import { Packaging, SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import { makeRecording, RecordingError } from './make-recording';
import {
  readDecoderErrors,
  frameChecksums,
  createPackagingAfter,
  probePackets,
  createRecordedSessions,
  type ProbedPacket,
} from './testing/recorded-session';

const sessions = await createRecordedSessions();
const { storage } = sessions;
afterAll(() => sessions.remove());

const videoInputArgs = (size = '320x180', rate = 30) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}`,
];
const audioInputArgs = (rate = 48_000) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}`];
/** H.264 with B-frames and a keyframe every 30 frames. */
const x264Args =
  '-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -threads 1 -g 30 -keyint_min 30 -sc_threshold 0'.split(
    ' ',
  );
const aacArgs = ['-c:a', 'aac'];

const signal = new AbortController().signal;
const options = { storage, signal };
let sessionCount = 0;

/** Records the publishes of one session, each in a new process or in the previous one, after a pause. */
async function recordSession(
  publishes: readonly { packets: readonly MediaPacket[]; pauseMs?: number; isRestarted?: boolean }[],
): Promise<{ sessionId: string; packagings: Packaging[] }> {
  const sessionId = `session-${++sessionCount}`;
  let packaging = new Packaging();
  const packagings = [packaging];
  for (const [index, { packets, pauseMs = 0, isRestarted = false }] of publishes.entries()) {
    if (isRestarted) {
      packaging = createPackagingAfter(index, packaging.clock.ms);
      packagings.push(packaging);
    }
    packaging.clock.ms += pauseMs;
    packaging.run(packets);
  }
  for (const packaging of packagings) await sessions.store(sessionId, packaging);
  return { sessionId, packagings };
}

const timesOf = (packets: readonly ProbedPacket[]) => packets.map(({ pts_time }) => Number(pts_time));
const firstTime = (packets: readonly ProbedPacket[]) => Math.min(...timesOf(packets));
const endTime = (packets: readonly ProbedPacket[]) =>
  Math.max(...packets.map(({ pts_time, duration_time }) => Number(pts_time) + Number(duration_time)));

let firstMedia: { flv: string; packets: MediaPacket[] };
let secondMedia: { flv: string; packets: MediaPacket[] };
beforeAll(async () => {
  [firstMedia, secondMedia] = [
    await sessions.encodePackets(5, ...videoInputArgs(), ...audioInputArgs(), ...x264Args, ...aacArgs),
    await sessions.encodePackets(
      4,
      ...videoInputArgs(),
      ...audioInputArgs(),
      '-vf',
      'negate',
      ...x264Args,
      ...aacArgs,
    ),
  ];
});

describe('one publish', () => {
  test('is recorded frame by frame as sent, in a file that plays progressively', async () => {
    const { sessionId } = await recordSession([{ packets: firstMedia.packets }]);
    expect(await makeRecording(sessionId, options)).toEqual({ gaps: [], unreadable: [] });
    const mp4 = await sessions.path(sessionId, 'source.mp4');
    expect(await readDecoderErrors(mp4)).toBe('');
    expect(await frameChecksums(mp4, 'v')).toEqual(await frameChecksums(firstMedia.flv, 'v'));
    const [recordingPackets, sentPackets] = [await probePackets(mp4), await probePackets(firstMedia.flv)];
    expect(recordingPackets.video.map(({ size, flags }) => [size, flags.startsWith('K')])).toEqual(
      sentPackets.video.map(({ size, flags }) => [size, flags.startsWith('K')]),
    );
    const firstSentTime = firstTime(sentPackets.video);
    const firstRecordedTime = firstTime(recordingPackets.video);
    timesOf(recordingPackets.video).forEach((time, index) => {
      expect(
        Math.abs(time - firstRecordedTime - (Number(sentPackets.video[index]?.pts_time) - firstSentTime)),
      ).toBeLessThan(0.002);
    });
    expect(firstTime([...recordingPackets.video, ...recordingPackets.audio])).toBeCloseTo(0, 3);
    expect(
      Math.abs(
        firstTime(recordingPackets.audio) -
          firstRecordedTime -
          (firstTime(sentPackets.audio) - firstSentTime),
      ),
    ).toBeLessThan(0.002);
    expect((await readFile(mp4)).toString('latin1', 0, 40)).toMatch(/^....ftyp.{24}....moov/s);
  });

  test('has the same tracks, duration and keyframes for another demuxer', async () => {
    const { sessionId } = await recordSession([{ packets: firstMedia.packets }]);
    await makeRecording(sessionId, options);
    const file = new Uint8Array(await readFile(await sessions.path(sessionId, 'source.mp4')));
    const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    const size = [await video?.getDisplayWidth(), await video?.getDisplayHeight()];
    expect([...size, await audio?.getSampleRate()]).toEqual([320, 180, 48_000]);
    expect(await input.computeDuration()).toBeCloseTo(5, 0);
    const laterKeyPacket = video && (await new EncodedPacketSink(video).getKeyPacket(3.5));
    expect(laterKeyPacket?.timestamp).toBeCloseTo(3, 1);
  });
});

describe('two publishes', () => {
  test.each([false, true])(
    'are in sync before and after the gap between them (process restarted: %s)',
    async (restarted) => {
      const { sessionId } = await recordSession([
        { packets: firstMedia.packets },
        { packets: secondMedia.packets, pauseMs: 7_000, isRestarted: restarted },
      ]);
      const { gaps } = await makeRecording(sessionId, options);
      expect(gaps).toHaveLength(1);
      expect((gaps[0]?.to ?? 0) - (gaps[0]?.from ?? 0)).toBeCloseTo(7_000, -3);

      const mp4 = await sessions.path(sessionId, 'source.mp4');
      expect(await readDecoderErrors(mp4)).toBe('');
      const expectedFrames = [
        ...(await frameChecksums(firstMedia.flv, 'v')),
        ...(await frameChecksums(secondMedia.flv, 'v')),
      ];
      expect(await frameChecksums(mp4, 'v')).toEqual(expectedFrames);

      const [recordingPackets, first, second] = [
        await probePackets(mp4),
        await probePackets(firstMedia.flv),
        await probePackets(secondMedia.flv),
      ];
      const audioDelayOf = (part: { video: ProbedPacket[]; audio: ProbedPacket[] }) =>
        firstTime(part.audio) - firstTime(part.video);
      const firstPart = {
        video: recordingPackets.video.slice(0, first.video.length),
        audio: recordingPackets.audio.slice(0, recordingPackets.audio.length - second.audio.length),
      };
      const secondPart = {
        video: recordingPackets.video.slice(first.video.length),
        audio: recordingPackets.audio.slice(recordingPackets.audio.length - second.audio.length),
      };
      expect(secondPart.video).toHaveLength(second.video.length);
      expect(Math.abs(audioDelayOf(firstPart) - audioDelayOf(first))).toBeLessThan(0.002);
      expect(Math.abs(audioDelayOf(secondPart) - audioDelayOf(second))).toBeLessThan(0.002);
      expect(endTime([...recordingPackets.video, ...recordingPackets.audio])).toBeCloseTo(9, 0);
      const times = timesOf(recordingPackets.audio);
      times.slice(1).forEach((time, index) => expect(time).toBeGreaterThan(times[index] ?? 0));

      const playlistPath = await sessions.path(sessionId, 'hls/source/index.m3u8');
      const playlist = parse(await readFile(playlistPath, 'utf8'));
      if (playlist.isMasterPlaylist) throw new Error('not a media playlist');
      expect(playlist.endlist).toBe(true);
      expect(playlist.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
      expect(playlist.segments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(9, 0);
    },
  );

  test('are in the same file if the second has another frame size and sample rate', async () => {
    const otherMedia = await sessions.encodePackets(
      2,
      ...[
        ...videoInputArgs('640x360', 25),
        ...audioInputArgs(44_100),
        ...x264Args,
        '-profile:v',
        'baseline',
        '-bf',
        '0',
        ...aacArgs,
      ],
    );
    const { sessionId } = await recordSession([
      { packets: firstMedia.packets },
      { packets: otherMedia.packets, pauseMs: 1_000 },
      { packets: secondMedia.packets, pauseMs: 1_000, isRestarted: true },
    ]);
    await makeRecording(sessionId, options);
    const mp4 = await sessions.path(sessionId, 'source.mp4');
    expect(await readDecoderErrors(mp4)).toBe('');
    const scaleArgs = ['-vf', 'scale=64:36:flags=neighbor', '-s', '64x36', '-fps_mode', 'passthrough'];
    const expectedFrames = [firstMedia.flv, otherMedia.flv, secondMedia.flv].map((flv) =>
      frameChecksums(flv, 'v', scaleArgs),
    );
    expect(await frameChecksums(mp4, 'v', scaleArgs)).toEqual((await Promise.all(expectedFrames)).flat());
    const recordingPackets = await probePackets(mp4);
    expect(endTime(recordingPackets.video)).toBeCloseTo(11, 0);
    expect(Math.abs(endTime(recordingPackets.video) - endTime(recordingPackets.audio))).toBeLessThan(0.1);
  });
});

test('a video that changes between landscape and portrait has square pixels throughout', async () => {
  const portraitMedia = await sessions.encodePackets(2, ...videoInputArgs('180x320'), ...x264Args, '-an');
  const { sessionId } = await recordSession([
    { packets: firstMedia.packets },
    { packets: portraitMedia.packets, pauseMs: 500 },
    { packets: secondMedia.packets, pauseMs: 500 },
  ]);
  await makeRecording(sessionId, options);
  const mp4 = await sessions.path(sessionId, 'source.mp4');
  const frameArgs = ['-show_entries', 'frame=width,height,sample_aspect_ratio', '-of', 'csv=p=0'];
  const { stdout } = await promisify(execFile)('ffprobe', [
    '-v',
    'error',
    '-select_streams',
    'v',
    ...frameArgs,
    mp4,
  ]);
  expect([...new Set(stdout.trim().split(/,?\s+/))]).toEqual(['320,180,1:1', '180,320,1:1']);
});

describe('incomplete media', () => {
  test('without audio, or with late audio, is recorded', async () => {
    const silent = await sessions.encodePackets(3, ...videoInputArgs(), '-an', ...x264Args);
    const { sessionId } = await recordSession([
      { packets: silent.packets },
      { packets: secondMedia.packets, pauseMs: 500 },
    ]);
    await makeRecording(sessionId, options);
    const mp4 = await sessions.path(sessionId, 'source.mp4');
    expect(await readDecoderErrors(mp4)).toBe('');
    const { video, audio } = await probePackets(mp4);
    expect(firstTime(video)).toBeCloseTo(0, 2);
    expect(firstTime(audio)).toBeCloseTo(3, 1);
  });

  test('with a missing segment keeps audio and video in sync', async () => {
    const { sessionId, packagings } = await recordSession([{ packets: firstMedia.packets }]);
    const [, missingSegment] = packagings[0]?.segments ?? [];
    for await (const { key } of storage.list(`recording/${sessionId}/hls/`)) {
      if (key.includes(`_${missingSegment?.msn}_`)) await storage.delete(key);
    }
    const { gaps } = await makeRecording(sessionId, options);
    expect(gaps).toHaveLength(1);
    const { video, audio } = await probePackets(await sessions.path(sessionId, 'source.mp4'));
    expect(endTime(video)).toBeCloseTo(3, 1);
    expect(Math.abs(endTime(video) - endTime(audio))).toBeLessThan(0.05);
  });

  test('whose audio is only added silence makes a file without audio; audio that starts later is included', async () => {
    /** The packets of a program that has audio from the start, because silence is added until the audio starts. */
    const withAddedSilence = (packets: readonly MediaPacket[]): MediaPacket[] => {
      const [programPackets, clock] = [[] as MediaPacket[], new SteppedClock()];
      const bus = { push: (packet: MediaPacket) => void programPackets.push(packet), end: () => undefined };
      const program = withConstantTracks(fillSilence(bus, clock));
      for (const packet of packets) {
        clock.ms = Math.max(clock.ms, packet.dts);
        program.push(packet);
      }
      return programPackets;
    };
    const silent = withAddedSilence(firstMedia.packets.filter(({ kind }) => kind === 'video'));
    // The encoder sends its audio configuration and its audio for the last half second only.
    const audioStartMs = 2_500;
    const lateAudio = withAddedSilence(
      firstMedia.packets
        .filter(({ kind, role, dts }) => kind === 'video' || role === 'config' || dts > audioStartMs)
        .map((packet) =>
          packet.kind === 'audio' && packet.role === 'config'
            ? { ...packet, dts: audioStartMs, pts: audioStartMs }
            : packet,
        )
        .toSorted((a, b) => a.dts - b.dts),
    );
    for (const [packets, hasAudio] of [
      [silent, false],
      [lateAudio, true],
    ] as const) {
      const { sessionId, packagings } = await recordSession([{ packets }]);
      expect(packagings[0]?.segments[0]?.period.tracks.audio).toBeDefined();
      await makeRecording(sessionId, options);
      const { video, audio } = await probePackets(await sessions.path(sessionId, 'source.mp4'));
      expect(video).toHaveLength(150);
      expect(audio.length > 0).toBe(hasAudio);
    }
  });

  test('that a crash left empty or without its init segment is left out', async () => {
    const { sessionId } = await recordSession([{ packets: firstMedia.packets }]);
    const playlistPath = (file: string) => recordingKey(sessionId, `hls/source/${file}`);
    await storage.put(playlistPath('9_99_0_2000000_5_i.m4s'), Buffer.from('no init'));
    await storage.put(playlistPath('1_98_0_2000000_5_i.m4s'), Buffer.alloc(0));
    await makeRecording(sessionId, options);
    expect(await frameChecksums(await sessions.path(sessionId, 'source.mp4'), 'v')).toHaveLength(150);
  });

  test('that was never stored is a final error; a full disk is a temporary error', async () => {
    await expect(makeRecording('nothing', options)).rejects.toEqual(
      new RecordingError('No media of the recording was stored.', true),
    );
    const { sessionId } = await recordSession([{ packets: firstMedia.packets }]);
    await expect(
      makeRecording(sessionId, { signal, storage: { ...storage, room: () => Promise.resolve(10) } }),
    ).rejects.toEqual(
      new RecordingError('There is not enough disk space for the MP4 of the recording.', false),
    );
    expect(await storage.head(recordingKey(sessionId, 'source.mp4'))).toBeNull();
  });

  test('leaves no files behind when the work is aborted, and gives the same files when it is repeated', async () => {
    const { sessionId } = await recordSession([{ packets: firstMedia.packets }]);
    const abortedSignal = AbortSignal.abort();
    await expect(makeRecording(sessionId, { ...options, signal: abortedSignal })).rejects.toThrow();
    expect(await storage.head(recordingKey(sessionId, 'source.mp4'))).toBeNull();
    await makeRecording(sessionId, options);
    const firstMp4 = await readFile(await sessions.path(sessionId, 'source.mp4'));
    await makeRecording(sessionId, options);
    expect(firstMp4.equals(await readFile(await sessions.path(sessionId, 'source.mp4')))).toBe(true);
  });
});

test('renditions are listed with their measured values', async () => {
  const smallMedia = await sessions.encodePackets(
    5,
    ...videoInputArgs('160x90'),
    ...audioInputArgs(),
    ...x264Args,
    ...aacArgs,
  );
  const { sessionId } = await recordSession([{ packets: firstMedia.packets }]);
  const rendition = new Packaging();
  rendition.run(smallMedia.packets);
  await sessions.store(sessionId, rendition, '90p');
  await makeRecording(sessionId, options);
  const masterPlaylist = parse(await readFile(await sessions.path(sessionId, 'hls/index.m3u8'), 'utf8'));
  if (!masterPlaylist.isMasterPlaylist) throw new Error('not a master playlist');
  expect(masterPlaylist.variants.map(({ resolution }) => resolution)).toEqual([
    { width: 320, height: 180 },
    { width: 160, height: 90 },
  ]);
  for (const { uri, codecs, bandwidth, averageBandwidth, frameRate } of masterPlaylist.variants) {
    expect(codecs).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
    expect(bandwidth).toBeGreaterThanOrEqual(averageBandwidth ?? Infinity);
    expect(frameRate).toBe(30);
    expect(await readDecoderErrors(await sessions.path(sessionId, `hls/${uri}`))).toBe('');
  }
});
