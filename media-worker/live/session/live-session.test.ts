import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatMediaPlaylist } from '@/lib/core/hls/playlist';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import type { AuthorizedPublish, Progress } from '@/lib/domain/streams';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { FeatureHost, StartFeature } from '@/media-worker/media/packaging/session-feature';
import { LiveSession } from './live-session';
import { ProgressMeter } from './progress-meter';
import { FakeConnection } from './testing/fake-connection';
import {
  audioConfig,
  audioFrame,
  steadyFrames,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

const publish: AuthorizedPublish = {
  streamId: 'stream',
  playbackId: 'abcd1234efgh5678',
  sessionId: 'session',
  publishNumber: 7,
  publishedAt: new Date(0),
  settings: { version: 0, profiles: [], record: false },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a session, and collects its writes to the database in order. */
function openSession(features: readonly StartFeature[] = []) {
  const writes: string[] = [];
  const progressRows: Progress[] = [];
  const meter = new ProgressMeter((progress) => {
    progressRows.push(...progress);
    writes.push('progress');
    return Promise.resolve();
  }, systemClock);
  const onOver = vi.fn();
  const session = new LiveSession(publish, {
    clock: systemClock,
    log: createLogger('test', 'silent'),
    meter,
    features,
    onOver,
    record: {
      markActive: ({ publishNumber }, issues) =>
        void writes.push(['active', publishNumber, ...issues].join(' ')),
      recordIssues: ({ publishNumber }, issues) =>
        void writes.push(['issues', publishNumber, ...issues].join(' ')),
      recordRejection: ({ publishNumber }, ...reasonAndAddress) =>
        void writes.push(['rejected', publishNumber, ...reasonAndAddress].join(' ')),
      recordProgram: () => undefined,
      recordSwitch: ({ publishNumber }, to) => void writes.push(`switched ${publishNumber} ${to}`),
      recordSlate: ({ publishNumber }, isOn) =>
        void writes.push(`slate ${publishNumber} ${isOn ? 'on' : 'off'}`),
      markIdle: ({ publishNumber }) => {
        writes.push(`idle ${publishNumber}`);
        return Promise.resolve();
      },
    },
  });
  let publishNumber = publish.publishNumber;
  const connect = (): FakeConnection => {
    const connection = new FakeConnection(() => systemClock.monotonic());
    connection.onAdmitted(session.attach({ ...publish, publishNumber: publishNumber++ }, connection));
    return connection;
  };
  const states = () => writes.filter((line) => line !== 'progress' && !line.startsWith('issues'));
  const playlist = () => formatMediaPlaylist(session.renditions.source.window.view(), { lowLatency: false });
  return { session, connect, writes, states, progressRows, onOver, playlist };
}

const configPackets = [videoConfig(), audioConfig()];

/** Total seconds of the segments in a playlist. */
const secondsOf = (playlist: string): number =>
  [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);

/**
 * Sends media in real time, beginning with a keyframe.
 * @param stampOf returns the decode timestamp that the encoder writes on a packet, ms
 */
async function play(
  connection: FakeConnection,
  seconds: number,
  stampOf: (packet: MediaPacket) => number = ({ dts }) => dts,
): Promise<void> {
  connection.publish(configPackets);
  let lastMs = 0;
  for (const packet of steadyFrames({ untilMs: seconds * 1_000 })) {
    await vi.advanceTimersByTimeAsync(packet.dts - lastMs);
    lastMs = packet.dts;
    const dts = stampOf(packet);
    connection.publish([{ ...packet, dts, pts: packet.pts - packet.dts + dts }]);
  }
}

describe('a publish', () => {
  test('is active when its first segment is closed, and not before', async () => {
    const { session, connect, states } = openSession();
    const connection = connect();
    await play(connection, 2);
    expect([states(), session.isActive, session.renditions.source.window.isPlayable]).toEqual([
      [],
      false,
      false,
    ]);
    connection.publish([videoFrame(2_000, { key: true })]);
    expect([states(), session.isActive, session.renditions.source.window.isPlayable]).toEqual([
      ['active 7'],
      true,
      true,
    ]);
  });

  test('that unpublishes has an end tag for a moment, and then writes its counters and its end', async () => {
    const { session, connect, writes, onOver, progressRows, playlist } = openSession();
    const connection = connect();
    await play(connection, 5);
    connection.disconnect('finished');
    expect([session.isActive, session.isEnding]).toEqual([true, true]);
    expect(playlist()).toContain('#EXT-X-ENDLIST');
    expect(secondsOf(playlist())).toBeCloseTo(5, 1);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(onOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(onOver).toHaveBeenCalledTimes(1);
    await session.close();
    expect(writes).toEqual(['active 7', 'progress', 'idle 7']);
    expect(progressRows).toMatchObject([{ streamId: 'stream', sessionId: 'session', sourceSegments: 3 }]);
    expect(progressRows[0]?.sourceSegmentsDuration).toBeCloseTo(5, 0);
  });

  test.each(['finished', 'cut', 'lost', 'replaced'] as const)(
    'shorter than a segment is one short segment, however it ends: %s',
    async (reason) => {
      const { session, connect, states, playlist, progressRows } = openSession();
      const connection = connect();
      await play(connection, 1);
      connection.disconnect(reason);
      expect(secondsOf(playlist())).toBeCloseTo(1, 1);
      await session.close();
      expect(states()).toEqual(['active 7', 'idle 7']);
      expect(progressRows).toMatchObject([{ sourceSegments: 1 }]);
    },
  );

  test('that breaks before it was playable ends immediately', async () => {
    const { session, connect, states } = openSession();
    connect().disconnect('lost');
    await session.close();
    expect(states()).toEqual(['idle 7']);
    expect(session.isOver).toBe(true);
  });
});

describe('a lost encoder', () => {
  test('has 8 s to reconnect, and the playlist stays meanwhile', async () => {
    const { session, connect, states, playlist } = openSession();
    const connection = connect();
    await play(connection, 4.1);
    connection.disconnect('lost');
    await vi.advanceTimersByTimeAsync(7_900);
    expect([session.isActive, session.isOver]).toEqual([true, false]);
    expect(playlist()).toContain('.m4s');
    await vi.advanceTimersByTimeAsync(200);
    expect(session.isOver).toBe(true);
    expect(states()).toEqual(['active 7', 'idle 7']);
  });

  test('that reconnects continues after a discontinuity, without an event', async () => {
    const { session, connect, states, playlist, writes } = openSession();
    const firstConnection = connect();
    await play(firstConnection, 4.1);
    firstConnection.disconnect('lost');
    expect(writes.at(-1)).toBe(`issues 7 ${reconnectingIssue}`);
    await vi.advanceTimersByTimeAsync(5_000);
    const secondConnection = connect();
    expect(writes.findLast((line) => line.startsWith('issues'))).toBe('issues 8');
    await play(secondConnection, 4.1);
    await vi.advanceTimersByTimeAsync(4_000);
    // The state is written again: the write for the first publish may have been lost.
    expect(states()).toEqual(['active 7', 'active 8']);
    expect(session.isActive).toBe(true);
    expect(playlist().match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(playlist()).toContain('init-7.mp4');
    expect(playlist()).toContain('init-8.mp4');
    await session.close();
    expect(states()).toEqual(['active 7', 'active 8', 'idle 8']);
  });

  test('that reconnects every two seconds is playable from its first loss on', async () => {
    const { session, connect, states, playlist } = openSession();
    for (let publishNumber = 0; publishNumber < 4; publishNumber++) {
      const connection = connect();
      await play(connection, 1.8);
      connection.disconnect('lost');
      await vi.advanceTimersByTimeAsync(200);
      expect([session.isActive, session.isOver]).toEqual([true, false]);
    }
    expect(secondsOf(playlist())).toBeCloseTo(4 * 1.8, 0);
    expect(playlist().match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(3);
    await session.close();
    expect(states()).toEqual(['active 7', 'active 8', 'active 9', 'active 10', 'idle 10']);
  });

  test('with an open socket is idle within 15 s of its last media', async () => {
    const { session, connect, states } = openSession();
    const connection = connect();
    await play(connection, 4.1);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(connection.endReason).toBeNull();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connection.endReason).toBe('lost');
    expect(session.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(session.isOver).toBe(true);
    expect(states()).toEqual(['active 7', 'idle 7']);
  });

  test('that a new publisher replaces is not reported as reconnecting', async () => {
    const { session, connect, states, writes } = openSession();
    const firstConnection = connect();
    await play(firstConnection, 4.1);
    session.disconnect('replaced');
    expect(firstConnection.endReason).toBe('replaced');
    expect(writes.some((line) => line.includes(reconnectingIssue))).toBe(false);
    expect(session.silentMs).toBeNull();
    const secondConnection = connect();
    await vi.advanceTimersByTimeAsync(9_000);
    expect([session.isActive, session.isOver, secondConnection.endReason]).toEqual([true, false, null]);
    expect(states()).toEqual(['active 7', 'active 8']);
  });
});

describe('an encoder with wrong timestamps', () => {
  let videoFrameCount = 0;
  test.each<[string, (packet: MediaPacket) => number]>([
    ['one audio frame 8 s ahead', ({ kind, dts }) => (kind === 'audio' && dts === 4_992 ? 12_992 : dts)],
    ['video an hour ahead', ({ kind, dts }) => (kind === 'video' ? dts + 3_600_000 : dts)],
    ['audio 15 s ahead', ({ kind, dts }) => (kind === 'audio' ? dts + 15_000 : dts)],
    [
      'every 60th video frame far ahead',
      ({ kind, dts }) => dts + (kind === 'video' && ++videoFrameCount % 60 === 0 ? 9_800_000 : 0),
    ],
    ['a clock that is adjusted', ({ dts }) => (dts < 6_000 ? dts : dts + 40_000)],
  ])('has one timeline without a discontinuity: %s', async (_name, stampOf) => {
    const { session, connect, playlist } = openSession();
    const connection = connect();
    await play(connection, 12, stampOf);
    connection.disconnect('finished');
    expect(playlist()).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect(playlist()).toContain('#EXT-X-TARGETDURATION:2\n');
    expect(secondsOf(playlist())).toBeCloseTo(12, 0);
    await session.close();
  });
});

describe('media that cannot be packaged', () => {
  const vp9 = steadyFrames({ untilMs: 2_000, audio: false }).map(
    (packet) => ({ ...packet, codec: 'vp9' }) as MediaPacket,
  );

  const packetsWithMp3 = [
    videoConfig(),
    ...steadyFrames({ untilMs: 4_100 }).map((packet) =>
      packet.kind === 'audio' ? audioFrame(packet.dts, 'mp3') : packet,
    ),
  ];

  test('ends the publish with a message that names its codec', async () => {
    const { session, connect, writes, progressRows } = openSession();
    const connection = connect();
    connection.publish(vp9);
    expect(connection.endReason).toBe('cut');
    expect(connection.rejectionMessage).toBe('video codec is VP9; H.264, HEVC and AV1 are accepted');
    await session.close();
    expect(writes).toContain('issues 7 video codec is VP9; H.264, HEVC and AV1 are accepted');
    expect(writes).toContain('rejected 7 video codec is VP9; H.264, HEVC and AV1 are accepted 127.0.0.1');
    expect(writes.at(-1)).toBe('idle 7');
    expect(writes.some((line) => line.startsWith('active'))).toBe(false);
    expect(progressRows).toEqual([]);
  });

  test('in one track does not affect the other, and becomes an issue', async () => {
    const { session, connect, states } = openSession();
    const connection = connect();
    connection.publish(packetsWithMp3);
    expect(states()).toEqual(['active 7 audio codec is MP3; AAC, MP3, AC-3 and Opus are accepted']);
    await session.close();
  });

  test('stops being an issue after the next good publish', async () => {
    const { session, connect, writes } = openSession();
    const firstConnection = connect();
    firstConnection.publish(packetsWithMp3);
    firstConnection.disconnect('lost');
    await play(connect(), 2.1);
    expect(writes.at(-1)).toBe('issues 8');
    await session.close();
  });
});

describe('close', () => {
  test('ends a running publish, and can be called twice', async () => {
    const { session, connect, states, onOver } = openSession();
    const connection = connect();
    await play(connection, 4.1);
    await Promise.all([session.close(), session.close()]);
    await session.close();
    expect(connection.endReason).toBe('cut');
    expect(states()).toEqual(['active 7', 'idle 7']);
    expect(onOver).toHaveBeenCalledTimes(1);
  });

  test('ends the wait for a lost encoder', async () => {
    const { session, connect, states } = openSession();
    const connection = connect();
    await play(connection, 4.1);
    connection.disconnect('lost');
    await session.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(states()).toEqual(['active 7', 'idle 7']);
  });
});

describe('features of a session', () => {
  /** A session feature that logs its writes. */
  function withFeature() {
    const featureCalls: string[] = [];
    let host: FeatureHost | undefined;
    const live = openSession([
      (featureHost) => {
        host = featureHost;
        return {
          follow: ({ publishNumber, settings }) =>
            void featureCalls.push(`follow ${publishNumber} v${settings.version}`),
          close: () => {
            featureCalls.push('close');
            return Promise.resolve();
          },
          finishSoon: () => void featureCalls.push('finishSoon'),
        };
      },
    ]);
    if (!host) throw new Error('no feature was started');
    return { ...live, featureCalls, host };
  }

  test('follow every publish and every change of settings, and close with the session', async () => {
    const { session, connect, featureCalls } = withFeature();
    const connection = connect();
    session.configure({ ...publish.settings, version: 1 });
    await play(connection, 3);
    connection.disconnect('lost');
    connect();
    await session.close();
    session.configure({ ...publish.settings, version: 2 });
    expect(featureCalls).toEqual(['follow 7 v0', 'follow 7 v1', 'follow 8 v0', 'close']);
  });

  test('get `finishSoon` after `close` if the session is closed with it', async () => {
    const { session, connect, featureCalls } = withFeature();
    connect();
    await session.close(true);
    expect(featureCalls.slice(1)).toEqual(['close', 'finishSoon']);
  });

  test('add issues to the stream and remove them', () => {
    const { connect, host, writes } = withFeature();
    connect();
    host.report(['480p is skipped']);
    host.report([]);
    expect(writes).toEqual(['issues 7 480p is skipped', 'issues 7']);
  });
});
