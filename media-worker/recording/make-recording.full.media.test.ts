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
  decoderErrorsOf,
  framesOf,
  packagingAfter,
  packetsOf,
  createRecordedSessions,
  type ProbedPacket,
} from './testing/recorded-session';

const sessions = await createRecordedSessions();
const { storage } = sessions;
afterAll(() => sessions.remove());

const VIDEO = (size = '320x180', rate = 30) => ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`];
const AUDIO = (rate = 48_000) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}`];
const X264 =
  '-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -threads 1 -g 30 -keyint_min 30 -sc_threshold 0'.split(
    ' ',
  );
const AAC = ['-c:a', 'aac'];

const signal = new AbortController().signal;
const options = { storage, signal };
let count = 0;

/** Records the publishes of one session, each in a new process or in the previous one, after a pause. */
async function record(
  publishes: readonly { packets: readonly MediaPacket[]; pauseMs?: number; isRestarted?: boolean }[],
): Promise<{ sessionId: string; packagings: Packaging[] }> {
  const sessionId = `session-${++count}`;
  let packaging = new Packaging();
  const packagings = [packaging];
  for (const [index, { packets, pauseMs = 0, isRestarted = false }] of publishes.entries()) {
    if (isRestarted) {
      packaging = packagingAfter(index, packaging.clock.ms);
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
    await sessions.encodePackets(5, ...VIDEO(), ...AUDIO(), ...X264, ...AAC),
    await sessions.encodePackets(4, ...VIDEO(), ...AUDIO(), '-vf', 'negate', ...X264, ...AAC),
  ];
});

describe('one publish', () => {
  test('is recorded frame by frame as sent, in a file that plays progressively', async () => {
    const { sessionId } = await record([{ packets: firstMedia.packets }]);
    expect(await makeRecording(sessionId, options)).toEqual({ gaps: [], unreadable: [] });
    const mp4 = await sessions.path(sessionId, 'source.mp4');
    expect(await decoderErrorsOf(mp4)).toBe('');
    expect(await framesOf(mp4, 'v')).toEqual(await framesOf(firstMedia.flv, 'v'));
    const [recordingPackets, sentPackets] = [await packetsOf(mp4), await packetsOf(firstMedia.flv)];
    expect(recordingPackets.video.map(({ size, flags }) => [size, flags.startsWith('K')])).toEqual(
      sentPackets.video.map(({ size, flags }) => [size, flags.startsWith('K')]),
    );
    const shift = firstTime(sentPackets.video);
    const begin = firstTime(recordingPackets.video);
    timesOf(recordingPackets.video).forEach((time, index) => {
      expect(Math.abs(time - begin - (Number(sentPackets.video[index]?.pts_time) - shift))).toBeLessThan(
        0.002,
      );
    });
    expect(firstTime([...recordingPackets.video, ...recordingPackets.audio])).toBeCloseTo(0, 3);
    expect(
      Math.abs(firstTime(recordingPackets.audio) - begin - (firstTime(sentPackets.audio) - shift)),
    ).toBeLessThan(0.002);
    expect((await readFile(mp4)).toString('latin1', 0, 40)).toMatch(/^....ftyp.{24}....moov/s);
  });

  test('is demuxed in the same way by other programs', async () => {
    const { sessionId } = await record([{ packets: firstMedia.packets }]);
    await makeRecording(sessionId, options);
    const file = new Uint8Array(await readFile(await sessions.path(sessionId, 'source.mp4')));
    const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    const size = [await video?.getDisplayWidth(), await video?.getDisplayHeight()];
    expect([...size, await audio?.getSampleRate()]).toEqual([320, 180, 48_000]);
    expect(await input.computeDuration()).toBeCloseTo(5, 0);
    const late = video && (await new EncodedPacketSink(video).getKeyPacket(3.5));
    expect(late?.timestamp).toBeCloseTo(3, 1);
  });
});

describe('two publishes', () => {
  test.each([false, true])(
    'are in sync on both sides of the gap (process restarted: %s)',
    async (restarted) => {
      const { sessionId } = await record([
        { packets: firstMedia.packets },
        { packets: secondMedia.packets, pauseMs: 7_000, isRestarted: restarted },
      ]);
      const { gaps } = await makeRecording(sessionId, options);
      expect(gaps).toHaveLength(1);
      expect((gaps[0]?.to ?? 0) - (gaps[0]?.from ?? 0)).toBeCloseTo(7_000, -3);

      const mp4 = await sessions.path(sessionId, 'source.mp4');
      expect(await decoderErrorsOf(mp4)).toBe('');
      const expectedFrames = [
        ...(await framesOf(firstMedia.flv, 'v')),
        ...(await framesOf(secondMedia.flv, 'v')),
      ];
      expect(await framesOf(mp4, 'v')).toEqual(expectedFrames);

      const [recordingPackets, first, second] = [
        await packetsOf(mp4),
        await packetsOf(firstMedia.flv),
        await packetsOf(secondMedia.flv),
      ];
      const offset = (part: { video: ProbedPacket[]; audio: ProbedPacket[] }) =>
        firstTime(part.audio) - firstTime(part.video);
      const before = {
        video: recordingPackets.video.slice(0, first.video.length),
        audio: recordingPackets.audio.slice(0, recordingPackets.audio.length - second.audio.length),
      };
      const after = {
        video: recordingPackets.video.slice(first.video.length),
        audio: recordingPackets.audio.slice(recordingPackets.audio.length - second.audio.length),
      };
      expect(after.video).toHaveLength(second.video.length);
      expect(Math.abs(offset(before) - offset(first))).toBeLessThan(0.002);
      expect(Math.abs(offset(after) - offset(second))).toBeLessThan(0.002);
      expect(endTime([...recordingPackets.video, ...recordingPackets.audio])).toBeCloseTo(9, 0);
      const times = timesOf(recordingPackets.audio);
      times.slice(1).forEach((time, index) => expect(time).toBeGreaterThan(times[index] ?? 0));

      const hls = await sessions.path(sessionId, 'hls/source/index.m3u8');
      const playlist = parse(await readFile(hls, 'utf8'));
      if (playlist.isMasterPlaylist) throw new Error('not a media playlist');
      expect(playlist.endlist).toBe(true);
      expect(playlist.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
      expect(playlist.segments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(9, 0);
    },
  );

  test('with another frame size and sample rate are in the same file', async () => {
    const otherMedia = await sessions.encodePackets(
      2,
      ...[...VIDEO('640x360', 25), ...AUDIO(44_100), ...X264, '-profile:v', 'baseline', '-bf', '0', ...AAC],
    );
    const { sessionId } = await record([
      { packets: firstMedia.packets },
      { packets: otherMedia.packets, pauseMs: 1_000 },
      { packets: secondMedia.packets, pauseMs: 1_000, isRestarted: true },
    ]);
    await makeRecording(sessionId, options);
    const mp4 = await sessions.path(sessionId, 'source.mp4');
    expect(await decoderErrorsOf(mp4)).toBe('');
    const scaleArgs = ['-vf', 'scale=64:36:flags=neighbor', '-s', '64x36', '-fps_mode', 'passthrough'];
    const expectedFrames = [firstMedia.flv, otherMedia.flv, secondMedia.flv].map((flv) =>
      framesOf(flv, 'v', scaleArgs),
    );
    expect(await framesOf(mp4, 'v', scaleArgs)).toEqual((await Promise.all(expectedFrames)).flat());
    const recordingPackets = await packetsOf(mp4);
    expect(endTime(recordingPackets.video)).toBeCloseTo(11, 0);
    expect(Math.abs(endTime(recordingPackets.video) - endTime(recordingPackets.audio))).toBeLessThan(0.1);
  });
});

test('a video that rotates and rotates back has square pixels in every part', async () => {
  const tall = await sessions.encodePackets(2, ...VIDEO('180x320'), ...X264, '-an');
  const { sessionId } = await record([
    { packets: firstMedia.packets },
    { packets: tall.packets, pauseMs: 500 },
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
    const silent = await sessions.encodePackets(3, ...VIDEO(), '-an', ...X264);
    const { sessionId } = await record([
      { packets: silent.packets },
      { packets: secondMedia.packets, pauseMs: 500 },
    ]);
    await makeRecording(sessionId, options);
    const mp4 = await sessions.path(sessionId, 'source.mp4');
    expect(await decoderErrorsOf(mp4)).toBe('');
    const { video, audio } = await packetsOf(mp4);
    expect(firstTime(video)).toBeCloseTo(0, 2);
    expect(firstTime(audio)).toBeCloseTo(3, 1);
  });

  test('with a missing segment moves both tracks alike', async () => {
    const { sessionId, packagings } = await record([{ packets: firstMedia.packets }]);
    const [, missing] = packagings[0]?.segments ?? [];
    for await (const { key } of storage.list(`recording/${sessionId}/hls/`)) {
      if (key.includes(`_${missing?.msn}_`)) await storage.delete(key);
    }
    const { gaps } = await makeRecording(sessionId, options);
    expect(gaps).toHaveLength(1);
    const { video, audio } = await packetsOf(await sessions.path(sessionId, 'source.mp4'));
    expect(endTime(video)).toBeCloseTo(3, 1);
    expect(Math.abs(endTime(video) - endTime(audio))).toBeLessThan(0.05);
  });

  test('without audio makes a file without audio, and late audio is included', async () => {
    const straight = (packets: readonly MediaPacket[]): MediaPacket[] => {
      const [out, clock] = [[] as MediaPacket[], new SteppedClock()];
      const bus = { push: (packet: MediaPacket) => void out.push(packet), end: () => undefined };
      const program = withConstantTracks(fillSilence(bus, clock));
      for (const packet of packets) {
        clock.ms = Math.max(clock.ms, packet.dts);
        program.push(packet);
      }
      return out;
    };
    const silent = straight(firstMedia.packets.filter(({ kind }) => kind === 'video'));
    // The encoder sends its audio configuration and its audio for the last half second only.
    const audioStartMs = 2_500;
    const late = straight(
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
      [late, true],
    ] as const) {
      const { sessionId, packagings } = await record([{ packets }]);
      expect(packagings[0]?.segments[0]?.period.tracks.audio).toBeDefined();
      await makeRecording(sessionId, options);
      const { video, audio } = await packetsOf(await sessions.path(sessionId, 'source.mp4'));
      expect(video).toHaveLength(150);
      expect(audio.length > 0).toBe(hasAudio);
    }
  });

  test('that a crash left empty or without its init segment is left out', async () => {
    const { sessionId } = await record([{ packets: firstMedia.packets }]);
    const hls = (file: string) => recordingKey(sessionId, `hls/source/${file}`);
    await storage.put(hls('9_99_0_2000000_5_i.m4s'), Buffer.from('no init'));
    await storage.put(hls('1_98_0_2000000_5_i.m4s'), Buffer.alloc(0));
    await makeRecording(sessionId, options);
    expect(await framesOf(await sessions.path(sessionId, 'source.mp4'), 'v')).toHaveLength(150);
  });

  test('that was never stored is a final error, and a full disk is not', async () => {
    await expect(makeRecording('nothing', options)).rejects.toEqual(
      new RecordingError('No media of the recording was stored.', true),
    );
    const { sessionId } = await record([{ packets: firstMedia.packets }]);
    await expect(
      makeRecording(sessionId, { signal, storage: { ...storage, room: () => Promise.resolve(10) } }),
    ).rejects.toEqual(
      new RecordingError('There is not enough disk space for the MP4 of the recording.', false),
    );
    expect(await storage.head(recordingKey(sessionId, 'source.mp4'))).toBeNull();
  });

  test('leaves no files behind when the work is aborted, and gives the same files when it is repeated', async () => {
    const { sessionId } = await record([{ packets: firstMedia.packets }]);
    const abortedSignal = AbortSignal.abort();
    await expect(makeRecording(sessionId, { ...options, signal: abortedSignal })).rejects.toThrow();
    expect(await storage.head(recordingKey(sessionId, 'source.mp4'))).toBeNull();
    await makeRecording(sessionId, options);
    const first = await readFile(await sessions.path(sessionId, 'source.mp4'));
    await makeRecording(sessionId, options);
    expect(first.equals(await readFile(await sessions.path(sessionId, 'source.mp4')))).toBe(true);
  });
});

test('renditions are listed with their measured values', async () => {
  const small = await sessions.encodePackets(5, ...VIDEO('160x90'), ...AUDIO(), ...X264, ...AAC);
  const { sessionId } = await record([{ packets: firstMedia.packets }]);
  const rendition = new Packaging();
  rendition.run(small.packets);
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
    expect(await decoderErrorsOf(await sessions.path(sessionId, `hls/${uri}`))).toBe('');
  }
});
