import { execFileSync, spawnSync } from 'node:child_process';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '@/lib/contract/streams/profile';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { LiveSession } from '@/media-worker/live/session/live-session';
import {
  segmentCuts,
  encode,
  openStream,
  profile,
  windowOf,
} from '@/media-worker/live/session/testing/live-stream';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import { TranscodeBudget } from './transcode-budget';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import { LiveWindow } from '@/media-worker/media/packaging/window';

let packets: MediaPacket[] = [];
let smallerClip: MediaPacket[] = [];
beforeAll(async () => {
  const keys = (at: string) => ['-force_key_frames', at];
  packets = await encode({
    size: '640x360',
    seconds: 6,
    ffmpegArguments: ['-bf', '2', ...keys('0,1.1,2.0333,3.1,4.3667')],
  });
  smallerClip = await encode({ size: '480x270', seconds: 6, ffmpegArguments: keys('0,2,4') });
});

const sessions: LiveSession[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((session) => session.close())));

/** Opens a session whose clock stands still, so that a busy machine does not count as too slow for the renditions. */
function openLive(profiles: readonly Profile[], budget = new TranscodeBudget(2)) {
  const stream = openStream(profiles, { budget, clock: new SteppedClock() });
  sessions.push(stream.session);
  return stream;
}

const countInits = (window: LiveWindow | undefined) =>
  new Set(window?.view().segments.map(({ init }) => init)).size;

/** Waits until ffmpeg has produced a result. */
const waitUntil = (condition: () => boolean) => expect.poll(condition).toBe(true);

/** Waits until every rendition has a segment. An ffmpeg that starts after the end of the source would be stopped. */
const whenEncoding = (session: LiveSession) =>
  waitUntil(() => session.renditions.all.every(({ window }) => window.view().segments.length > 0));

describe('renditions', () => {
  test('have the segments of the source: numbers, durations, discontinuities and dates', async () => {
    const { session, connect } = openLive([profile(180), profile(90, { fps: 12 })]);
    const connection = connect();
    connection.publish(packets);
    await whenEncoding(session);
    connection.disconnect('finished');
    await session.close();
    const source = segmentCuts(windowOf(session, 'source'));
    expect(source.map(({ ms }) => ms)).toEqual([2034, 2333, 1633]);
    for (const name of ['180p', '90p']) {
      const renditionCuts = segmentCuts(windowOf(session, name));
      expect(renditionCuts.map(({ msn, discontinuity }) => [msn, discontinuity])).toEqual(
        source.map(({ msn, discontinuity }) => [msn, discontinuity]),
      );
      for (const [index, { ms, wallClockMs }] of renditionCuts.entries()) {
        expect(Math.abs(wallClockMs - (source[index]?.wallClockMs ?? 0))).toBeLessThanOrEqual(1);
        // The last frame lasts as long as the frame before it, so it is longer at lower frame rates.
        expect(Math.abs(ms - (source[index]?.ms ?? 0))).toBeLessThanOrEqual(index === 2 ? 84 : 1);
      }
    }
  });

  test('have the requested size and frame rate', async () => {
    const { session, connect } = openLive([profile(180), profile(90, { fps: 12 })]);
    const connection = connect();
    connection.publish(packets);
    await whenEncoding(session);
    connection.disconnect('finished');
    await session.close();
    expect(windowOf(session, '180p')?.measure()).toMatchObject({ resolution: { width: 320, height: 180 } });
    expect(windowOf(session, '90p')?.measure()).toMatchObject({ resolution: { width: 160, height: 90 } });
    expect(windowOf(session, '180p')?.measure()?.codecs).toHaveLength(2);
    expect(windowOf(session, '90p')?.measure()?.frameRate).toBeCloseTo(12, 0);
  });

  test('continue after a discontinuity when the encoder reconnects with another size', async () => {
    const budget = new TranscodeBudget(2);
    const { session, connect } = openLive([profile(180)], budget);
    const firstConnection = connect();
    firstConnection.publish(packets);
    await whenEncoding(session);
    firstConnection.disconnect('lost');
    // In real use ffmpeg has ended long before an encoder reconnects.
    await waitUntil(
      () => segmentCuts(windowOf(session, '180p')).length === 3 && budget.freeCoresFor({}) === Infinity,
    );
    const secondConnection = connect();
    secondConnection.publish(smallerClip);
    await waitUntil(() => segmentCuts(windowOf(session, '180p')).length >= 5);
    secondConnection.disconnect('finished');
    await session.close();
    const source = segmentCuts(windowOf(session, 'source')).map(({ msn, discontinuity }) => [
      msn,
      discontinuity,
    ]);
    const renditionCuts = segmentCuts(windowOf(session, '180p')).map(({ msn, discontinuity }) => [
      msn,
      discontinuity,
    ]);
    expect(renditionCuts).toEqual(source);
    // A discontinuity has the number of its publish.
    expect(new Set(renditionCuts.map(([, discontinuity]) => discontinuity))).toEqual(new Set([7, 8]));
  });

  test('are not made without profiles, nor for audio alone', () => {
    const withoutProfiles = openLive([]);
    withoutProfiles.connect().publish(packets);
    const withoutVideo = openLive([profile(180)]);
    withoutVideo.connect().publish(packets.filter(({ kind }) => kind === 'audio'));
    expect(withoutProfiles.session.renditions.all).toHaveLength(1);
    expect(withoutVideo.session.renditions.all).toHaveLength(1);
    expect(withoutVideo.reports.at(-1)).toEqual(['renditions need video; the encoder sends only audio']);
  });

  test('are not made for profiles that a layer of the encoder replaces, until the layer ends', async () => {
    const { session, connect } = openLive([profile(180), profile(90)]);
    const layer = new Rendition('layer-1', new LiveWindow({ clock: new SteppedClock() }));
    layer.layerSize = { width: 320, height: 180 };
    session.renditions.add(layer);
    const connection = connect();
    connection.publish(packets.slice(0, packets.length / 2));
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', 'layer-1', '90p']);
    session.renditions.remove(layer);
    await waitUntil(() => session.renditions.get('180p') !== undefined);
  });

  test('above the source are reported as not made', () => {
    const { session, connect, reports } = openLive([profile(720), profile(180)]);
    connect().publish(packets);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', '180p']);
    expect(reports.at(-1)?.[0]).toContain('"720p" (1280x720) is left out');
  });
});

describe('a change of the profiles', () => {
  test('continues an unchanged rendition without a gap, and adds and removes others', async () => {
    const { session, connect, configure } = openLive([profile(180), profile(90)]);
    const connection = connect();
    const half = packets.findIndex(({ dts }) => dts > 2_500);
    connection.publish(packets.slice(0, half));
    await waitUntil(() => (windowOf(session, '180p')?.view().segments.length ?? 0) >= 1);
    configure([profile(180), profile(144)]);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', '180p', '144p']);
    connection.publish(packets.slice(half));
    await waitUntil(() => segmentCuts(windowOf(session, '144p')).length >= 1);
    connection.disconnect('finished');
    await session.close();
    const msns = (name: string) => segmentCuts(windowOf(session, name)).map(({ msn }) => msn);
    expect(msns('180p')).toEqual(msns('source'));
    expect(msns('source')).toEqual(expect.arrayContaining(msns('144p')));
    expect(countInits(windowOf(session, '180p'))).toBe(2);
  });

  test('to none ends all renditions', async () => {
    const { session, connect, configure } = openLive([profile(180)]);
    connect().publish(packets);
    await waitUntil(() => segmentCuts(windowOf(session, '180p')).length >= 1);
    configure([]);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source']);
  });
});

describe('cores that other streams leave', () => {
  test('go to the small renditions, and to the large ones when there are enough', async () => {
    const budget = new TranscodeBudget(0.2);
    const otherOwner = {};
    budget.reserve(otherOwner, 0.1);
    const { session, connect, reports } = openLive([profile(360), profile(90)], budget);
    connect().publish(packets);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', '90p']);
    expect(reports.at(-1)?.[0]).toContain('"360p" is paused: other streams use the transcoding capacity');
    budget.reserve(otherOwner, 0);
    await waitUntil(() => session.renditions.all.some(({ name }) => name === '360p'));
    expect(reports.at(-1)).toEqual([]);
    expect(budget.freeCoresFor(otherOwner)).toBeLessThan(0.1);
    await session.close();
    expect(budget.freeCoresFor(otherOwner)).toBe(Infinity);
  });
});

describe('cores that other streams take later', () => {
  test('displace no running rendition, even after a reconnect', async () => {
    const budget = new TranscodeBudget(0.2);
    const { session, connect, reports } = openLive([profile(180), profile(90)], budget);
    const connection = connect();
    connection.publish(packets);
    await waitUntil(() => segmentCuts(windowOf(session, '180p')).length >= 1);
    const otherOwner = {};
    budget.reserve(otherOwner, 5);
    connection.disconnect('lost');
    // Wait until ffmpeg has ended.
    await waitUntil(() => budget.freeCoresFor(otherOwner) === Infinity);
    connect().publish(smallerClip);
    const discontinuitiesOf = (name: string) =>
      new Set(segmentCuts(windowOf(session, name)).map(({ discontinuity }) => discontinuity));
    await waitUntil(() => discontinuitiesOf('180p').size === 2 && discontinuitiesOf('90p').size === 2);
    expect(reports.flat().join()).not.toContain('paused');
  });
});

/** Pid of the ffmpeg that makes the renditions; null if there is none. */
function transcoderPid(): number | null {
  const processIds = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'filter_complex'])
    .stdout.toString()
    .trim();
  return processIds === '' ? null : Number(processIds);
}

describe('a killed ffmpeg', () => {
  test('is restarted, reported meanwhile, and does not affect the source', async () => {
    const { session, connect, reports } = openLive([profile(90)]);
    const connection = connect();
    const half = packets.findIndex(({ dts }) => dts > 2_500);
    connection.publish(packets.slice(0, half));
    await waitUntil(() => segmentCuts(windowOf(session, '90p')).length >= 1);
    process.kill(transcoderPid() ?? 0, 'SIGKILL');
    await waitUntil(() => reports.at(-1)?.[0]?.includes('transcoding failed and is restarting') === true);
    const madeMs = () => windowOf(session, '90p')?.mediaEndMs ?? 0;
    const beforeMs = madeMs();
    connection.publish(packets.slice(half));
    await waitUntil(() => madeMs() > beforeMs);
    connection.disconnect('finished');
    await session.close();
    const source = segmentCuts(windowOf(session, 'source'));
    const renditionCuts = segmentCuts(windowOf(session, '90p'));
    expect(source.map(({ ms }) => ms)).toEqual([2034, 2333, 1633]);
    expect(renditionCuts.at(-1)?.msn).toBe(source.at(-1)?.msn);
    expect(execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]).toString()).not.toContain(
      'filter_complex',
    );
  });
});
