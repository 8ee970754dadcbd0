import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@playwright/test';
import type HlsPlayer from 'hls.js';
import { Encoder, createSourceFile } from './testing/encoder';
import { measureSegment, readRenditions, readSegments } from './testing/playlist';
import { hlsUrl, ApiAccount, findRolePid, rtmpUrl, fetchSessionRows, waitUntil } from './testing/service';

// Renditions of one stream of 640x360 at 30 fps. The tests run in series, because each test continues with the same stream.
test.describe.configure({ mode: 'serial' });

const lowProfile = { name: '180p (low)', width: 320, height: 180, bitrate: 200_000, fps: 15 };
const fullProfile = { name: '360p', width: 640, height: 360, bitrate: 500_000, fps: 0 };
const largeProfile = { name: '720p', width: 1280, height: 720, bitrate: 2_000_000, fps: 0 };
/** Folders of the renditions: the names of the profiles, encoded for URLs. */
const folders = { low: '180p~20~28low~29', full: '360p' };

let owner: ApiAccount;
let encoder: Encoder | undefined;
let stream: Awaited<ReturnType<ApiAccount['createStream']>>;

const masterUrl = () => hlsUrl(stream.playbackId);
const playlistUrl = (folder: string) => hlsUrl(stream.playbackId, `${folder}/index.m3u8`);
const readListedFolders = async () => (await readRenditions(masterUrl())).map(({ folder }) => folder);
const readNewestMsn = async (folder: string) => (await readSegments(playlistUrl(folder))).at(-1)?.msn ?? -1;
const readStream = () => owner.readStream(stream.id);

/** Finds the pid of the ffmpeg that makes the renditions. It is the only child of the live process with a filter graph. */
function findTranscoderPid(): number | null {
  const live = findRolePid('live');
  const pid = readdirSync('/proc').find((name) => {
    try {
      // The name in parentheses is followed by the state and the parent pid (proc_pid_stat(5)).
      const [, parent] = /\) \w (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return (
        Number(parent) === live && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('filter_complex')
      );
    } catch {
      return false; // there is no such process, or it has just ended
    }
  });
  return pid === undefined ? null : Number(pid);
}

test.beforeAll(async () => {
  owner = await ApiAccount.create();
  stream = await owner.createStream({ profiles: [lowProfile, fullProfile, largeProfile] });
  encoder = new Encoder(await createSourceFile(), rtmpUrl(stream.streamKey));
});
test.afterAll(() => encoder?.kill());

test('renditions are listed after the source, except a profile that is larger than the source', async () => {
  await waitUntil(async () => (await readListedFolders()).includes('source'));
  await waitUntil(async () => (await readListedFolders()).length === 3);
  const [source, ...madeRenditions] = await readRenditions(masterUrl());
  expect(source).toMatchObject({ folder: 'source', width: 640, height: 360, frameRate: 30 });
  expect(
    madeRenditions.map(({ folder, width, height, frameRate }) => [folder, width, height, frameRate]),
  ).toEqual([
    [folders.low, 320, 180, 15],
    [folders.full, 640, 360, 30],
  ]);
  const { issues, isHealthy } = await readStream();
  expect(issues).toEqual(['rendition "720p" (1280x720) is left out: the source is only 640x360']);
  expect(isHealthy).toBe(false);
});

test('renditions have the segment boundaries, numbers and times of the source', async () => {
  await waitUntil(async () => (await readSegments(playlistUrl(folders.low))).length >= 3);
  const lists = await Promise.all(
    ['source', folders.low, folders.full].map((folder) => readSegments(playlistUrl(folder))),
  );
  const [source = [], ...renditions] = lists;
  for (const [index, rendition] of renditions.entries()) {
    const fps = index === 0 ? 15 : 30;
    for (const segment of rendition.slice(0, 3)) {
      const original = source.find(({ msn }) => msn === segment.msn);
      if (!original) throw new Error(`the source has no segment ${segment.msn}`);
      expect(segment.discontinuity).toBe(original.discontinuity);
      expect(Math.abs(segment.duration - original.duration)).toBeLessThan(0.002);
      expect(Math.abs(segment.date - original.date)).toBeLessThanOrEqual(1);
      const [sourceSegment, renditionSegment] = await Promise.all([
        measureSegment(original),
        measureSegment(segment),
      ]);
      expect(renditionSegment.startsWithKeyframe).toBe(true);
      // Times are rounded to milliseconds. Half a frame at 30 fps would be acceptable.
      expect(Math.abs(renditionSegment.firstVideoAt - sourceSegment.firstVideoAt)).toBeLessThan(0.002);
      expect(Math.abs(renditionSegment.firstAudioAt - sourceSegment.firstAudioAt)).toBeLessThan(0.025);
      expect(renditionSegment.videoFrames).toBe(segment.duration * fps);
      expect(renditionSegment).toMatchObject(
        index === 0 ? { width: 320, height: 180 } : { width: 640, height: 360 },
      );
      // Rate control may deviate in one segment, and the audio of the source is added.
      expect((renditionSegment.bytes * 8) / segment.duration).toBeLessThan(
        1.25 * (index === 0 ? lowProfile : fullProfile).bitrate + 128_000,
      );
    }
  }
});

test('segments of renditions are counted on the stream and its session', async () => {
  await waitUntil(async () => (await readStream()).transcodedSegments >= 6);
  const { sourceSegments, transcodedSegments, transcodedSegmentsDuration, transcodedBytes } =
    await readStream();
  expect(Math.abs(transcodedSegments - 2 * sourceSegments)).toBeLessThanOrEqual(2);
  expect(transcodedSegmentsDuration).toBeCloseTo(2 * transcodedSegments, 0);
  expect(transcodedBytes).toBeGreaterThan(10_000);
  const [session] = await fetchSessionRows(stream.id);
  expect(await owner.readStream(session?.id ?? '')).toMatchObject({ parentId: stream.id });
  expect((await owner.readStream(session?.id ?? '')).transcodedSegments).toBeGreaterThanOrEqual(
    transcodedSegments,
  );
});

test('hls.js plays every rendition and switches between them without a stall', async ({ page }) => {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js') });
  const playResult = await page.evaluate(playEveryLevel, masterUrl());
  expect(playResult.errors).toEqual([]);
  expect(playResult.heights).toEqual([180, 360, 360, 180]);
  expect(playResult.stalls).toBe(0);
});

test('renditions return after their ffmpeg was killed, and the source is not affected', async () => {
  const pid = findTranscoderPid();
  if (pid === null) throw new Error('There is no transcoder');
  const before = { source: await readNewestMsn('source'), low: await readNewestMsn(folders.low) };
  process.kill(pid, 'SIGKILL');
  await waitUntil(async () => (await readNewestMsn(folders.low)) > before.low + 1);
  expect(findTranscoderPid()).not.toBe(pid);
  const source = await readSegments(playlistUrl('source'));
  expect(source.at(-1)?.msn).toBeGreaterThan(before.source);
  expect(new Set(source.map(({ discontinuity }) => discontinuity)).size).toBe(1);
  expect(await readListedFolders()).toEqual(['source', folders.low, folders.full]);
  const lowSegment = (await readSegments(playlistUrl(folders.low))).at(-1);
  const original = source.find(({ msn }) => msn === lowSegment?.msn);
  if (!lowSegment || !original) throw new Error('The source has no segment with the number of the rendition');
  const [renditionSegment, sourceSegment] = await Promise.all([
    measureSegment(lowSegment),
    measureSegment(original),
  ]);
  expect(Math.abs(renditionSegment.firstVideoAt - sourceSegment.firstVideoAt)).toBeLessThan(0.002);
});

test('renditions follow a change of the profiles within 5 s, and an unchanged rendition keeps its listed segments', async () => {
  const before = await readSegments(playlistUrl(folders.full));
  const addedProfile = { ...lowProfile, name: '144p', width: 256, height: 144 };
  expect(
    (await owner.request('PATCH', `/api/stream/${stream.id}`, { profiles: [fullProfile, addedProfile] }))
      .status,
  ).toBe(204);
  await waitUntil(
    async () => (await readListedFolders()).join() === `source,${fullProfile.name},144p`,
    5_000,
  );
  const after = await readSegments(playlistUrl(folders.full));
  expect(after.some(({ msn }) => msn === before.at(-1)?.msn)).toBe(true);
  expect((await owner.request('PATCH', `/api/stream/${stream.id}`, { profiles: [] })).status).toBe(204);
  await waitUntil(
    async () => (await readListedFolders()).join() === 'source' && findTranscoderPid() === null,
    5_000,
  );
  expect(await readStream()).toMatchObject({ isHealthy: true, issues: null });
});

interface PlayResult {
  readonly errors: string[];
  readonly heights: number[];
  readonly stalls: number;
}

/**
 * Plays each level of hls.js until the picture has the size of the level and playback continues. The function runs in the
 * page.
 */
async function playEveryLevel(url: string): Promise<PlayResult> {
  const { Hls } = globalThis as unknown as { Hls: typeof HlsPlayer };
  const video = document.body.appendChild(document.createElement('video'));
  video.muted = true;
  const hls = new Hls({ lowLatencyMode: false });
  const errors: string[] = [];
  let stalls = 0;
  hls.on(Hls.Events.ERROR, (_event, { details }) => {
    if (details === Hls.ErrorDetails.BUFFER_STALLED_ERROR) stalls += 1;
    // Switching levels aborts loads of the previous level.
    else if (details !== Hls.ErrorDetails.INTERNAL_ABORTED) errors.push(details);
  });
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const waitFor = async (condition: () => boolean) => {
    for (let attempt = 0; attempt < 150 && !condition(); attempt++) await sleep(100);
  };
  hls.loadSource(url);
  hls.attachMedia(video);
  await waitFor(() => hls.levels.length === 3);
  const heights: number[] = [];
  const smallest = hls.levels.findIndex(({ height }) => height === 180);
  for (const level of [smallest, ...[0, 1, 2].filter((index) => index !== smallest), smallest]) {
    hls.nextLevel = level;
    const height = hls.levels[level]?.height;
    const startTime = video.currentTime;
    void video.play();
    await waitFor(() => video.videoHeight === height && video.currentTime > startTime + 1);
    heights.push(video.videoHeight);
  }
  hls.destroy();
  return { errors, heights, stalls };
}
