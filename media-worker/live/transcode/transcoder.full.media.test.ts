import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '@/lib/contract/streams/profile';
import type { Clock } from '@/lib/infra/clock';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { LiveSession } from '@/media-worker/live/session/live-session';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  segmentCuts,
  encode,
  openStream,
  profile,
  windowOf,
} from '@/media-worker/live/session/testing/live-stream';
import { TranscodeBudget } from './transcode-budget';

let packets: MediaPacket[] = [];
beforeAll(async () => {
  const keys = (at: string) => ['-force_key_frames', at];
  packets = await encode({
    size: '640x360',
    seconds: 6,
    ffmpegArguments: ['-bf', '2', ...keys('0,1.1,2.0333,3.1,4.3667')],
  });
});

const sessions: LiveSession[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((session) => session.close())));

function openLive(profiles: readonly Profile[], budget?: TranscodeBudget, clock?: Clock) {
  const stream = openStream(profiles, { ...(budget ? { budget } : {}), ...(clock ? { clock } : {}) });
  sessions.push(stream.session);
  return stream;
}

/** Waits until ffmpeg has produced a result. */
const waitUntil = (condition: () => boolean) => expect.poll(condition).toBe(true);

test('renditions are complete to the last frame if ffmpeg is behind when the source ends', async () => {
  const largeClip = await encode({ size: '1920x1080', seconds: 5, ffmpegArguments: ['-g', '60'] });
  const profiles = [profile(1080, { bitrate: 4_000_000 })];
  const { session, connect } = openLive(profiles, new TranscodeBudget(2), new SteppedClock());
  const connection = connect();
  connection.publish(largeClip);
  // ffmpeg has started and still has most of the video to encode.
  await waitUntil(() => (windowOf(session, '1080p')?.mediaEndMs ?? 0) > 0);
  connection.disconnect('finished');
  await session.close();
  const [source, rendition] = [
    segmentCuts(windowOf(session, 'source')),
    segmentCuts(windowOf(session, '1080p')),
  ];
  expect(rendition.map(({ msn }) => msn)).toEqual(source.map(({ msn }) => msn));
  expect(Math.abs((rendition.at(-1)?.ms ?? 0) - (source.at(-1)?.ms ?? 0))).toBeLessThanOrEqual(1);
});

describe('a machine that is too slow', () => {
  test('keeps the small renditions, reports an issue, and tries the others again later', async () => {
    const clock = new SteppedClock();
    const { session, connect, reports } = openLive(
      [profile(360), profile(90)],
      new TranscodeBudget(2),
      clock,
    );
    const connection = connect();
    /** The clip, moved to its repetition with this index. */
    const packetsOfRound = (round: number) =>
      packets.map((packet) => ({
        ...packet,
        dts: packet.dts + round * 6_200,
        pts: packet.pts + round * 6_200,
      }));
    // Twenty-four seconds of media in one burst: more than any machine encodes in time.
    connection.publish([0, 1, 2, 3].flatMap(packetsOfRound));
    const names = () => session.renditions.all.map(({ name }) => name);
    await waitUntil(() => names().join() === 'source,90p');
    expect(reports.at(-1)?.join()).toContain('"360p" is paused: this machine is too slow for it');
    clock.ms += 59_000;
    connection.publish(packetsOfRound(4));
    await delay(1_200); // The transcoder checks once a second.
    expect(names()).toEqual(['source', '90p']);
    clock.ms += 2_000;
    connection.publish(packetsOfRound(5));
    await waitUntil(() => names().join() === 'source,90p,360p');
    expect(reports.at(-1)?.join()).not.toContain('paused');
  });
});

/** Pid of the ffmpeg that makes the renditions; null if there is none. */
function transcoderPid(): number | null {
  const processIds = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'filter_complex'])
    .stdout.toString()
    .trim();
  return processIds === '' ? null : Number(processIds);
}

describe('a frozen ffmpeg', () => {
  test('is replaced by one with one rendition fewer, which is tried again later, while the source continues', async () => {
    const clock = new SteppedClock();
    const { session, connect, reports } = openLive(
      [profile(180), profile(90)],
      new TranscodeBudget(2),
      clock,
    );
    const connection = connect();
    const names = () => session.renditions.all.map(({ name }) => name).join();
    /** Publishes the clip repeatedly in real time. */
    const play = (round: number) => {
      clock.ms += 6_200;
      connection.publish(
        packets.map((packet) => ({
          ...packet,
          dts: packet.dts + round * 6_200,
          pts: packet.pts + round * 6_200,
        })),
      );
    };
    play(0);
    await waitUntil(() => segmentCuts(windowOf(session, '90p')).length >= 2);
    const frozenPid = transcoderPid();
    if (frozenPid === null) throw new Error('there is no transcoder');
    process.kill(frozenPid, 'SIGSTOP');
    for (let round = 1; round < 4; round++) {
      play(round);
      await delay(1_100); // The transcoder checks once a second.
    }
    await waitUntil(() => names() === 'source,90p');
    expect(reports.at(-1)?.join()).toContain('"180p" is paused: this machine is too slow for it');
    // The frozen process ignores SIGTERM and is killed.
    await waitUntil(() => ![null, frozenPid].includes(transcoderPid()));
    play(4);
    const newest = () => segmentCuts(windowOf(session, 'source')).at(-1)?.msn ?? 0;
    await waitUntil(() => (segmentCuts(windowOf(session, '90p')).at(-1)?.msn ?? 0) >= newest() - 1);
    expect(session.isActive).toBe(true);
    await delay(1_100); // The transcoder must see that the process keeps up.
    clock.ms += 61_000;
    play(5);
    await waitUntil(() => names().includes('180p'));
    expect(reports.at(-1)?.join()).not.toContain('paused');
  });
});
