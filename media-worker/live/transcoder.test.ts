import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Profile } from '@/lib/contract/profile';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import type { AuthorizedPublish } from '@/lib/streams';
import type { MediaPacket } from '../ingest/media-packet';
import { LiveSession } from './live-session';
import { ProgressMeter } from './progress-meter';
import { FakeConnection } from './testing/fake-connection';
import { packetsOfFlv } from './testing/flv-file';
import { TranscodeBudget } from './transcode-budget';
import { startTranscoder } from './transcoder';
import type { LiveWindow } from './window';

vi.setConfig({ testTimeout: 30_000 });
const run = promisify(execFile);

let dir = '';
let media: MediaPacket[] = [];
let smaller: MediaPacket[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'transcoder-'));
  media = await encode('640x360', ['-bf', '2', '-force_key_frames', '0,1.1,2.0333,3.1,4.5667']);
  smaller = await encode('480x270', ['-force_key_frames', '0,2,4']);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const sessions: LiveSession[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((session) => session.close())));

async function encode(size: string, more: readonly string[]): Promise<MediaPacket[]> {
  const file = join(dir, `${size}.flv`);
  await run('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30`],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100', '-t', '6', '-pix_fmt', 'yuv420p'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '600', '-sc_threshold', '0', ...more],
    ...['-c:a', 'aac', '-f', 'flv', file],
  ]);
  return packetsOfFlv(await readFile(file));
}

const profile = (height: number, more: Partial<Profile> = {}): Profile => ({
  name: `${height}p`,
  width: Math.round((height * 16) / 9),
  height,
  bitrate: 300_000,
  fps: 0,
  ...more,
});

function open(profiles: readonly Profile[], budget = new TranscodeBudget(2)) {
  const publish: AuthorizedPublish = {
    streamId: 'stream',
    playbackId: 'abcd1234efgh5678',
    sessionId: 'session',
    run: 7,
    publishedAt: new Date(0),
    settings: { version: 0, profiles: [...profiles], record: false, targets: [] },
  };
  const said: (readonly string[])[] = [];
  const session = new LiveSession(publish, {
    clock: systemClock,
    log: createLogger('test', 'silent'),
    meter: new ProgressMeter(() => Promise.resolve(), systemClock),
    companions: [startTranscoder({ clock: systemClock, budget })],
    onOver: () => undefined,
    record: {
      active: () => undefined,
      issues: (_publish, issues) => void said.push(issues),
      idle: () => Promise.resolve(),
    },
  });
  sessions.push(session);
  let runs = publish.run;
  const connect = () => {
    const connection = new FakeConnection(() => systemClock.monotonic());
    connection.admitted(session.attach({ ...publish, run: runs++ }, connection));
    return connection;
  };
  const configure = (wanted: readonly Profile[]) =>
    session.configure({ ...publish.settings, version: 1, profiles: [...wanted] });
  return { session, connect, configure, said, publish };
}

const windowOf = (session: LiveSession, name: string): LiveWindow | undefined =>
  session.renditions.get(name)?.window;

const inits = (window: LiveWindow | undefined) =>
  new Set(window?.view().segments.map(({ init }) => init)).size;

const cuts = (window: LiveWindow | undefined) =>
  window?.view().segments.map(({ msn, durationMs, discontinuity, wallMs }) => ({
    msn,
    ms: Math.round(durationMs),
    discontinuity,
    wallMs,
  })) ?? [];

/** Waits for what ffmpeg brings about. */
const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000 });

describe('renditions', () => {
  test('have the segments of the source: numbers, lengths, breaks and dates', async () => {
    const { session, connect } = open([profile(180), profile(90, { fps: 12 })]);
    const connection = connect();
    connection.send(media);
    connection.cut('finished');
    await session.close();
    const source = cuts(windowOf(session, 'source'));
    expect(source.map(({ ms }) => ms)).toEqual([2034, 2533, 1433]);
    for (const name of ['180p', '90p']) {
      const made = cuts(windowOf(session, name));
      expect(made.map(({ msn, discontinuity }) => [msn, discontinuity])).toEqual(
        source.map(({ msn, discontinuity }) => [msn, discontinuity]),
      );
      for (const [index, { ms, wallMs }] of made.entries()) {
        expect(Math.abs(wallMs - (source[index]?.wallMs ?? 0))).toBeLessThanOrEqual(1);
        // The last frame is as long as the one before it, which lasts longer where there are fewer.
        expect(Math.abs(ms - (source[index]?.ms ?? 0))).toBeLessThanOrEqual(index === 2 ? 84 : 1);
      }
    }
  });

  test('are of the size, and say so', async () => {
    const { session, connect } = open([profile(180), profile(90, { fps: 12 })]);
    const connection = connect();
    connection.send(media);
    connection.cut('finished');
    await session.close();
    expect(windowOf(session, '180p')?.facts()).toMatchObject({ resolution: { width: 320, height: 180 } });
    expect(windowOf(session, '90p')?.facts()).toMatchObject({ resolution: { width: 160, height: 90 } });
    expect(windowOf(session, '180p')?.facts()?.codecs).toHaveLength(2);
    expect(windowOf(session, '90p')?.facts()?.frameRate).toBeCloseTo(12, 0);
  });

  test('go on behind a discontinuity when the encoder comes back, in any size', async () => {
    const budget = new TranscodeBudget(2);
    const { session, connect } = open([profile(180)], budget);
    const first = connect();
    first.send(media);
    first.cut('lost');
    // In real time ffmpeg has ended long before somebody is back.
    await until(() => cuts(windowOf(session, '180p')).length === 3 && budget.freeFor({}) === Infinity);
    const second = connect();
    second.send(smaller);
    await until(() => cuts(windowOf(session, '180p')).length >= 5);
    second.cut('finished');
    await session.close();
    const source = cuts(windowOf(session, 'source')).map(({ msn, discontinuity }) => [msn, discontinuity]);
    const made = cuts(windowOf(session, '180p')).map(({ msn, discontinuity }) => [msn, discontinuity]);
    expect(made).toEqual(source);
    expect(new Set(made.map(([, discontinuity]) => discontinuity))).toEqual(new Set([7, 8]));
  });

  test('are not made without profiles, nor of sound alone', () => {
    const none = open([]);
    none.connect().send(media);
    const silent = open([profile(180)]);
    silent.connect().send(media.filter(({ kind }) => kind === 'audio'));
    expect(none.session.renditions.all).toHaveLength(1);
    expect(silent.session.renditions.all).toHaveLength(1);
    expect(silent.said.at(-1)).toEqual(['renditions need a picture; the encoder sends sound alone']);
  });

  test('above the source are said not to be made', () => {
    const { session, connect, said } = open([profile(720), profile(180)]);
    connect().send(media);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', '180p']);
    expect(said.at(-1)?.[0]).toContain('"720p" (1280x720) is left out');
  });
});

describe('a change of the profiles', () => {
  test('goes on without a gap where a rung stays, and takes the others away and in', async () => {
    const { session, connect, configure } = open([profile(180), profile(90)]);
    const connection = connect();
    const half = media.findIndex(({ dts }) => dts > 2_500);
    connection.send(media.slice(0, half));
    await until(() => (windowOf(session, '180p')?.view().segments.length ?? 0) >= 1);
    configure([profile(180), profile(144)]);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', '180p', '144p']);
    connection.send(media.slice(half));
    await until(() => cuts(windowOf(session, '144p')).length >= 1);
    connection.cut('finished');
    await session.close();
    const msns = (name: string) => cuts(windowOf(session, name)).map(({ msn }) => msn);
    expect(msns('180p')).toEqual(msns('source'));
    expect(msns('source')).toEqual(expect.arrayContaining(msns('144p')));
    expect(inits(windowOf(session, '180p'))).toBe(2);
  });

  test('to none ends everything', async () => {
    const { session, connect, configure } = open([profile(180)]);
    connect().send(media);
    await until(() => cuts(windowOf(session, '180p')).length >= 1);
    configure([]);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source']);
  });
});

describe('what other streams leave', () => {
  test('goes to the small rungs, and the large come when there is room', async () => {
    const budget = new TranscodeBudget(0.2);
    const other = {};
    budget.take(other, 0.1);
    const { session, connect, said } = open([profile(360), profile(90)], budget);
    connect().send(media);
    expect(session.renditions.all.map(({ name }) => name)).toEqual(['source', '90p']);
    expect(said.at(-1)?.[0]).toContain('"360p" is paused: other streams use the capacity');
    budget.take(other, 0);
    await until(() => session.renditions.all.some(({ name }) => name === '360p'));
    expect(said.at(-1)).toEqual([]);
    expect(budget.freeFor(other)).toBeLessThan(0.1);
    await session.close();
    expect(budget.freeFor(other)).toBe(Infinity);
  });
});
