import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '@/lib/contract/streams/profile';
import { hlsFolder, parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { recordingPrefix } from '@/lib/core/storage-keys';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Spool } from '@/media-worker/recording/spool';
import { makeRecording } from '@/media-worker/recording/make-recording';
import { readDecoderErrors, createRecordedSessions } from '@/media-worker/recording/testing/recorded-session';
import type { LiveSession } from '@/media-worker/live/session/live-session';
import { storeSpool } from '@/media-worker/recording/testing/store-spool';
import { recordedRenditionFolder } from '@/media-worker/recording/session-recording';
import type { FakeConnection } from '@/media-worker/live/session/testing/fake-connection';
import { SteppedClock } from './testing/packaging';
import {
  segmentCuts,
  encode,
  openStream,
  profile,
  windowOf,
} from '@/media-worker/live/session/testing/live-stream';

/**
 * Invalid input from encoders: the source keeps playing, renditions catch up with it, and the recording holds
 * every closed segment in a playable file.
 */

let media: MediaPacket[] = [];
let smallerMedia: MediaPacket[] = [];
let longGopMedia: MediaPacket[] = [];
beforeAll(async () => {
  /** A keyframe every two seconds. */
  const keyframeArgs = ['-force_key_frames', 'expr:gte(t,n_forced*2)'];
  [media, smallerMedia, longGopMedia] = await Promise.all([
    encode({ size: '320x180', seconds: 6, ffmpegArguments: [...keyframeArgs, '-bf', '2'] }),
    encode({ size: '240x180', seconds: 6, ffmpegArguments: keyframeArgs }),
    encode({ size: '160x90', seconds: 33, ffmpegArguments: [] }),
  ]);
});

const sessions: LiveSession[] = [];
const recordings: Awaited<ReturnType<typeof createRecordedSessions>>[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await Promise.all(recordings.splice(0).map((recording) => recording.remove()));
});

async function openTestStream(profiles: readonly Profile[]) {
  const clock = new SteppedClock();
  const recording = await createRecordedSessions();
  recordings.push(recording);
  const { storage } = recording;
  const spool = new Spool(recording.folder);
  const stream = openStream(profiles, { clock, spool });
  sessions.push(stream.session);
  /** Every closed segment as `<rendition> <number>`. */
  const closedSegments: string[] = [];
  stream.session.renditions.observe({
    onAdd: ({ name, window }) => {
      window.observe({
        onSegment: ({ msn }) => closedSegments.push(`${recordedRenditionFolder(name)} ${msn}`),
      });
    },
    onRemove: () => undefined,
  });
  let renditionMs = 0;
  stream.session.renditions.observe({
    onAdd: (rendition) => {
      if (rendition.name === 'source') return;
      rendition.onBus((bus) =>
        bus.subscribe({
          packet: ({ kind, dts }) => {
            if (kind === 'video') renditionMs = dts;
          },
          end: () => undefined,
        }),
      );
    },
    onRemove: () => undefined,
  });
  /** Sends faster than real time, but not much faster than ffmpeg reads: the clock advances with the media. */
  const play = async (connection: FakeConnection, packets: readonly MediaPacket[]) => {
    const { window } = stream.session.renditions.source;
    let lastDts = packets[0]?.dts ?? 0;
    for (let index = 0; index < packets.length; index += 40) {
      for (const packet of packets.slice(index, index + 40)) {
        clock.ms += Math.max(0, packet.dts - lastDts);
        lastDts = packet.dts;
        connection.publish([packet]);
      }
      const isRenditionBehind = () => window.mediaEndMs - renditionMs > 1_500;
      // Waits while the rendition makes progress, and for up to 60 checks without progress.
      for (let checks = 0; checks < 60 && profiles.length > 0 && isRenditionBehind(); checks++) {
        const progressBeforeMs = renditionMs;
        await delay(10);
        if (renditionMs !== progressBeforeMs) checks = 0;
      }
    }
    stream.health.sample();
  };
  /** Ends the publish; every closed segment must then be recorded and playable. */
  const finish = async (connection: FakeConnection) => {
    connection.disconnect('finished');
    await stream.session.close();
    await storeSpool(spool, storage);
    const storedNames: string[] = [];
    for await (const { key } of storage.list(`${recordingPrefix('session')}${hlsFolder}`)) {
      const [folder, file] = key.split('/').slice(-2);
      const segment = parseSegmentName(file ?? '');
      if (segment) storedNames.push(`${folder} ${segment.msn}`);
    }
    expect(storedNames.sort()).toEqual(closedSegments.sort());
    const signal = AbortSignal.timeout(100_000);
    await makeRecording('session', { storage, signal });
    expect(await readDecoderErrors(await recording.path('session', 'source.mp4'))).toBe('');
    if (profiles.length > 0) expectInStep(stream.session);
  };
  return { ...stream, play, finish };
}

const delayBy = (packets: readonly MediaPacket[], ms: number): MediaPacket[] =>
  packets.map((packet) => ({ ...packet, dts: packet.dts + ms, pts: packet.pts + ms }));
const framesOf = (packets: readonly MediaPacket[]) => packets.filter(({ role }) => role === 'frame');

/** Expects a source without gaps, and a rendition with the same segments, including the newest. */
function expectInStep(session: LiveSession, name = '90p'): void {
  const source = segmentCuts(windowOf(session, 'source'));
  const renditionCuts = segmentCuts(windowOf(session, name));
  expect(source.map(({ msn }) => msn)).toEqual(source.map((_, index) => (source[0]?.msn ?? 0) + index));
  expect(renditionCuts.length).toBeGreaterThan(0);
  expect(renditionCuts.at(-1)?.msn).toBe(source.at(-1)?.msn);
  for (const segment of renditionCuts) {
    const original = source.find(({ msn }) => msn === segment.msn);
    expect(segment.discontinuity).toBe(original?.discontinuity);
    expect(Math.abs(segment.wallClockMs - (original?.wallClockMs ?? 0))).toBeLessThanOrEqual(35);
  }
}

describe.each([
  ['with renditions', [profile(90)]],
  ['without renditions', []],
])('bad input of a stream %s', (_name, profiles) => {
  const countPeriods = (session: LiveSession) =>
    new Set(segmentCuts(windowOf(session, 'source')).map(({ discontinuity }) => discontinuity)).size;

  test.each([
    ['jump an hour ahead', 3_600_000],
    ['go back to 0', 0],
    ['go back five seconds', 1_000],
  ])('timestamps that %s continue the same timeline and are reported', async (_case, fromMs) => {
    const { session, connect, play, finish, reports } = await openTestStream(profiles);
    const connection = connect();
    await play(connection, media);
    await play(connection, delayBy(framesOf(media), fromMs));
    await finish(connection);
    expect(countPeriods(session)).toBe(1);
    const lengthMs = segmentCuts(windowOf(session, 'source')).reduce((sum, { ms }) => sum + ms, 0);
    expect(Math.round(lengthMs / 1_000)).toBe(12);
    expect(reports.flat().some((issue) => issue.startsWith('Timestamps jumped'))).toBe(true);
  });

  test('timestamps that pass 2^32 ms continue without a discontinuity', async () => {
    const { session, connect, play, finish, reports } = await openTestStream(profiles);
    const connection = connect();
    await play(connection, delayBy(media, 2 ** 32 - 3_000));
    await finish(connection);
    expect(countPeriods(session)).toBe(1);
    expect(reports.flat()).toEqual([]);
  });

  test('a change of the video size adds a discontinuity', async () => {
    const { session, connect, play, finish } = await openTestStream(profiles);
    const connection = connect();
    await play(connection, media);
    await play(connection, delayBy(smallerMedia, 6_000));
    await finish(connection);
    expect(countPeriods(session)).toBe(2);
    if (profiles.length === 0) return;
    const sizes = windowOf(session, '90p')?.measure()?.resolution;
    expect(sizes).toEqual({ width: 120, height: 90 });
  });

  test('audio that starts late joins at a keyframe', async () => {
    const { session, connect, play, finish } = await openTestStream(profiles);
    const connection = connect();
    await play(
      connection,
      media.filter(({ kind, dts }) => kind === 'video' || dts >= 3_000),
    );
    // The audio configuration is at the start of the file, and is repeated where the clip begins.
    await play(connection, delayBy(media, 6_000));
    await finish(connection);
    for (const name of ['source', ...profiles.map((candidate) => candidate.name)]) {
      expect(windowOf(session, name)?.measure()?.codecs).toHaveLength(2);
    }
  });

  test('without a keyframe for 30 s, segments are cut at other frames and the keyframe interval is reported', async () => {
    const { session, connect, play, finish, reports } = await openTestStream(profiles.map(() => profile(90)));
    const connection = connect();
    await play(connection, longGopMedia);
    await finish(connection);
    expect(segmentCuts(windowOf(session, 'source')).map(({ ms }) => Math.round(ms / 1_000))).toEqual([
      10, 10, 10, 2,
    ]);
    expect(reports.flat().some((issue) => issue.startsWith('Keyframes every 33 s'))).toBe(true);
  });

  test('ten publishes in a row continue one playlist', async () => {
    const { session, connect, play, finish } = await openTestStream(profiles);
    for (let round = 0; round < 9; round++) {
      const connection = connect();
      await play(
        connection,
        media.filter(({ dts }) => dts < 4_500),
      );
      connection.disconnect('lost');
    }
    const lastConnection = connect();
    await play(lastConnection, media);
    expect(session.isActive).toBe(true);
    await finish(lastConnection);
    // The publishes are numbered from 7 (testing/live-stream.ts).
    expect(segmentCuts(windowOf(session, 'source')).at(-1)?.discontinuity).toBe(16);
  });

  test('an encoder that replaces another one starts a second publish of the session', async () => {
    const { session, connect, play, finish } = await openTestStream(profiles);
    const first = connect();
    await play(first, media);
    session.disconnect('replaced');
    const second = connect();
    first.publish(delayBy(media, 6_000));
    await play(second, smallerMedia);
    await finish(second);
    expect(first.endReason).toBe('replaced');
    expect(countPeriods(session)).toBe(2);
  });
});
