import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Session } from '@/lib/contract/sessions/session';
import { startIngest } from '@/media-worker/rtmp/testing/ingest-harness';
import { complaintsOfDecoder, Encoder, sourceFile } from './testing/encoder';
import {
  endWindow,
  eventsOf,
  killDatabase,
  Owner,
  processOf,
  rtmpUrl,
  sessionsOf,
  until,
} from './testing/service';

const run = promisify(execFile);
const hlsJs = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');
let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
});
const closing: (() => Promise<unknown>)[] = [];
// Its player runs in a page of the service where the service's policy would allow no script.
test.use({ bypassCSP: true });
test.afterEach(async () => {
  await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Parent {
  readonly id: string;
  readonly streamKey: string;
}

function publish({ streamKey }: Parent): Encoder {
  const encoder = new Encoder(source, rtmpUrl(streamKey));
  encoders.push(encoder);
  return encoder;
}

async function json<T>(path: string): Promise<T> {
  const response = await owner.request('GET', path);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

async function onlySession(parent: Parent): Promise<Session> {
  const rows = await sessionsOf(parent.id);
  expect(rows).toHaveLength(1);
  return json<Session>(`/api/session/${rows[0]?.id}`);
}

const assetsOf = async (sessionId: string): Promise<Asset[]> =>
  (await json<Asset[]>('/api/asset')).filter(({ source: from }) => {
    return from.type === 'recording' && from.sessionId === sessionId;
  });

/** Waits until so many segments of the stream were counted. */
const recorded = (parent: Parent, segments: number) =>
  until(async () => (await owner.stream(parent.id)).sourceSegments >= segments, 60_000);

/** Segments of the stream so far; -1 while nobody can be asked. */
const counted = (parent: Parent): Promise<number> =>
  owner.stream(parent.id).then(
    ({ sourceSegments }) => sourceSegments,
    () => -1,
  );

async function untilReady(parent: Parent): Promise<Session> {
  await until(async () => (await onlySession(parent)).recordingStatus !== 'waiting', 60_000);
  const session = await onlySession(parent);
  expect(session).toMatchObject({ recordingStatus: 'ready', isActive: false });
  expect(session).not.toHaveProperty('recordingError');
  return session;
}

/** Checksums of the decoded pictures, in their order. */
async function picturesOf(input: string): Promise<string[]> {
  const words = [
    '-v',
    'error',
    '-i',
    input,
    '-map',
    '0:v',
    '-vf',
    'scale=160:-2',
    '-fps_mode',
    'passthrough',
    '-f',
    'framemd5',
    '-',
  ];
  const { stdout } = await run('ffmpeg', words, { maxBuffer: 64 * 1024 * 1024 });
  const rows = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return rows.map((row) => row.split(',').at(-1)?.trim() ?? '');
}

async function timesOf(input: string, kind: 'v' | 'a'): Promise<number[]> {
  const words = [
    '-v',
    'error',
    '-select_streams',
    kind,
    '-show_entries',
    'packet=pts_time',
    '-of',
    'csv=p=0',
  ];
  const { stdout } = await run('ffprobe', [...words, input], { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .toSorted((a, b) => a - b);
}

/** How many pictures of `recording` from `at` on are those of the source, from its beginning. */
function follows(recording: readonly string[], at: number, from: readonly string[]): number {
  let length = 0;
  while (at + length < recording.length && recording[at + length] === from[length % from.length]) length++;
  return length;
}

/** Seconds between a picture and the sound nearest to it. */
function soundAfterPicture(sound: readonly number[], pictureAt: number): number {
  return Math.min(...sound.map((time) => Math.abs(time - pictureAt)));
}

/** Plays it in a page of its own, from the begin and across a break. */
async function playsAcross(page: Page, url: string, breakAt: number): Promise<void> {
  // Another origin than the media's, and not a secret one: the browser holds it against CORS.
  await page.goto('/api/healthz');
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: hlsJs });
  await page.evaluate(
    ([address, at]) => {
      const video = document.querySelector('video');
      const { Hls } = globalThis as unknown as {
        Hls: new () => { loadSource(url: string): void; attachMedia(video: HTMLVideoElement | null): void };
      };
      const hls = new Hls();
      hls.loadSource(address);
      hls.attachMedia(video);
      video?.addEventListener('loadeddata', () => (video.currentTime = Math.max(0, at - 1)), { once: true });
      void video?.play();
    },
    [url, breakAt] as const,
  );
  const video = page.locator('video');
  const time = () => video.evaluate((each: HTMLVideoElement) => each.currentTime);
  await expect.poll(time, { timeout: 20_000 }).toBeGreaterThan(breakAt + 1);
  const decoded = () =>
    video.evaluate((each: HTMLVideoElement) => each.getVideoPlaybackQuality().totalVideoFrames);
  expect(await decoded()).toBeGreaterThan(20);
}

test('two publishes with a pause become one recording, frame for frame', async ({ page }) => {
  const small = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };
  const stream = await owner.newStream({ record: true, name: 'Town hall', profiles: [small] });
  const first = publish(stream);
  await recorded(stream, 2);
  await first.stop();
  await owner.untilActive(stream.id, false);
  expect(await onlySession(stream)).toMatchObject({
    record: true,
    recordingStatus: 'waiting',
    isActive: true,
  });
  await owner.request('PATCH', `/api/stream/${stream.id}`, { record: false });
  const { sourceSegments } = await owner.stream(stream.id);
  const second = publish(stream);
  await owner.untilActive(stream.id, true, 15_000);
  await recorded(stream, sourceSegments + 2);
  await until(async () => (await owner.stream(stream.id)).issues !== null, 10_000);
  expect((await owner.stream(stream.id)).issues?.join()).toContain('turned off');
  await second.stop();
  await owner.untilActive(stream.id, false);

  await endWindow(stream.id);
  const session = await untilReady(stream);
  expect(await eventsOf(stream.id)).toEqual([
    ...['stream.started', 'recording.started', 'stream.idle', 'recording.waiting'],
    ...['stream.started', 'stream.idle', 'recording.waiting', 'recording.ready'],
  ]);
  const assets = await assetsOf(session.id);
  expect(assets).toMatchObject([{ status: { phase: 'ready' }, userId: session.userId }]);
  expect(assets[0]?.name).toMatch(/^Town hall · /);
  expect(session.recordingGaps).toHaveLength(1);

  const { recordingUrl = '', mp4URL = '' } = session;
  const [made, sent] = [await picturesOf(mp4URL), await picturesOf(source)];
  const one = follows(made, 0, sent);
  expect(one).toBeGreaterThan(90);
  expect(one + follows(made, one, sent)).toBe(made.length);
  const sourceUrl = new URL('source/index.m3u8', recordingUrl).href;
  expect(await picturesOf(sourceUrl)).toEqual(made);
  expect(Math.abs(made.length / 30 - session.sourceSegmentsDuration)).toBeLessThan(0.3);

  // The distance between picture and sound is that of the source, before the pause and behind it.
  const [pictures, sounds] = [await timesOf(mp4URL, 'v'), await timesOf(mp4URL, 'a')];
  const breakAt = pictures[one] ?? 0;
  const late = sounds.filter((time) => time >= breakAt - 0.012)[0] ?? 0;
  expect(late - breakAt).toBeLessThan(0.024);
  expect(soundAfterPicture(sounds, breakAt)).toBeLessThan(0.012);
  expect(Math.abs((pictures.at(-1) ?? 0) - (sounds.at(-1) ?? 0))).toBeLessThan(0.15);

  expect(await complaintsOfDecoder(mp4URL, 60)).toBe('');
  expect(await complaintsOfDecoder(sourceUrl, 60)).toBe('');
  const master = await (await fetch(recordingUrl)).text();
  expect(master.match(/RESOLUTION=\d+x\d+/g)).toEqual(['RESOLUTION=640x360', 'RESOLUTION=256x144']);
  const rendition = master.split('\n').find((line) => line.startsWith('r-')) ?? '';
  const segments = (text: string) => text.match(/^.*_i\.m4s$/gm) ?? [];
  const own = segments(await (await fetch(new URL(rendition, recordingUrl))).text());
  expect(own).toHaveLength(segments(await (await fetch(sourceUrl)).text()).length);
  // What the transcoder did not have, such as the begin, is played from the source.
  expect(own.filter((line) => !line.startsWith('..')).length).toBeGreaterThan(own.length / 2);
  const range = await fetch(mp4URL, { headers: { Range: 'bytes=4-7' } });
  expect([range.status, await range.text()]).toEqual([206, 'ftyp']);
  await playsAcross(page, recordingUrl, breakAt);
});

test(
  'database, live and jobs killed, with renditions and a target: one recording of all closed segments',
  { tag: '@alone' },
  async () => {
    const target = await startIngest();
    closing.push(() => target.server.close());
    const small = { name: 'small', width: 256, height: 144, bitrate: 200_000, fps: 0 };
    const url = `rtmp://127.0.0.1:${target.port}/live/good-key`;
    const targets = [{ profile: 'small', spec: { url } }];
    const stream = await owner.newStream({ record: true, profiles: [small], multistream: { targets } });
    const first = publish(stream);
    await recorded(stream, 2);
    const told = () => eventsOf(stream.id).catch((): string[] => []);
    await until(async () => (await told()).includes('multistream.connected'));

    // The stream does not need the database: whoever watches, and the target, notice nothing.
    const before = (await owner.stream(stream.id)).sourceSegments;
    killDatabase();
    await until(() => counted(stream).then((segments) => segments >= before + 2), 40_000);
    expect(first.running).toBe(true);
    expect(target.admitted).toHaveLength(1);
    expect(await told()).toEqual(['stream.started', 'recording.started', 'multistream.connected']);

    process.kill(processOf('live'), 'SIGKILL');
    await owner.untilActive(stream.id, false);
    let again = publish(stream);
    await until(async () => {
      if (!again.running) again = publish(stream);
      return (await owner.stream(stream.id)).isActive;
    }, 240_000);
    await recorded(stream, (await counted(stream)) + 2);
    await again.stop();
    await owner.untilActive(stream.id, false);

    await endWindow(stream.id);
    await until(async () => (await sessionsOf(stream.id))[0]?.state === 'ended');
    process.kill(processOf('jobs'), 'SIGKILL');
    killDatabase();
    // A connection from before may still answer: only a new one proves that the database is back.
    await until(() => eventsOf(stream.id).then(Boolean, () => false));
    await until(() => counted(stream).then((segments) => segments >= 0));
    const session = await untilReady(stream);
    expect(await assetsOf(session.id)).toHaveLength(1);
    const names = await eventsOf(stream.id);
    expect(names.filter((name) => name === 'recording.ready')).toHaveLength(1);
    expect(names.filter((name) => name === 'recording.started')).toHaveLength(1);
    const of = (kind: string) =>
      names.filter((name) => name.startsWith(kind)).map((name) => name.split('.')[1]);
    expect(of('stream.')).toEqual(['started', 'idle', 'started', 'idle']);
    expect(of('multistream.')).toEqual(['connected', 'disconnected', 'connected', 'disconnected']);

    const { mp4URL = '' } = session;
    const [made, sent] = [await picturesOf(mp4URL), await picturesOf(source)];
    const one = follows(made, 0, sent);
    expect(one + follows(made, one, sent)).toBe(made.length);
    // Counters are written each 5 s, segments as they close: nothing counted is missing.
    expect(made.length / 30).toBeGreaterThan(session.sourceSegmentsDuration - 0.3);
    expect(await complaintsOfDecoder(mp4URL, 60)).toBe('');

    await owner.request('DELETE', `/api/asset/${(await assetsOf(session.id))[0]?.id}`);
    expect(await onlySession(stream)).toMatchObject({ recordingStatus: 'deleted' });
    await until(async () => (await fetch(mp4URL)).status === 404);
  },
);
