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
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'transcoder-'));
  media = await encode('640x360', ['-bf', '2', '-force_key_frames', '0,1.1,2.0333,3.1,4.5667']);
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

const cuts = (window: LiveWindow | undefined) =>
  window?.view().segments.map(({ msn, durationMs, discontinuity, wallMs }) => ({
    msn,
    ms: Math.round(durationMs),
    discontinuity,
    wallMs,
  })) ?? [];

describe('renditions', () => {
  test('have the segments of the source: numbers, lengths and dates', async () => {
    const { session, connect } = open([profile(180), profile(90, { fps: 12 })]);
    const connection = connect();
    connection.send(media);
    connection.cut('finished');
    await session.close();
    const source = cuts(windowOf(session, 'source'));
    console.log(source, cuts(windowOf(session, '180p')), cuts(windowOf(session, '90p')));
    expect(source.length).toBeGreaterThan(2);
  });
});
