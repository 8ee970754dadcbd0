import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { locateAsset, updateAsset } from '@/lib/domain/assets';
import { assetPrefix } from '@/lib/core/storage-keys';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { killFfmpegDuring } from '@/media-worker/testing/kill-ffmpeg';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { AssetPictures } from './asset-pictures';
import { createServeAsset } from './serve-asset';

const fixtures = createWorkerFixtures(await testDatabase());
const { ctx, storage } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { import: importAssetJob });
let reads = 0;
const segmentReads = createIndexedReads(storage);
const countedStorage: Pick<typeof storage, 'head' | 'read'> = {
  head: (key) => segmentReads.head(key),
  read: (key, range) => {
    if (key.endsWith('.m4s')) reads++;
    return segmentReads.read(key, range);
  },
};
/**
 * Long enough for a busy machine: after the timeouts of the product, a viewer gets 503 and asks again, but these tests
 * are about the pictures.
 */
const timeouts = { waitMs: 300_000, ffmpegTimeoutMs: 300_000 };
const pictures = new AssetPictures({ storage: countedStorage, log: ctx.log }, timeouts);
// Nothing is cached, so each request sees changes of the test.
const serve = (assetPictures: AssetPictures) =>
  createServeAsset({ storage: segmentReads, pictures: assetPictures, locate: (id) => locateAsset(ctx, id) });
afterAll(async () => {
  await pictures.close();
  await work.close();
  samples.remove();
});

/** Creates twelve seconds of video in which each second has a different gray. */
function makeGrayVideo(): string {
  const path = samples.path('grays.mp4');
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'color=black:s=640x360:r=10:d=12'],
    ...['-vf', "geq=lum='16+18*floor(T)':cb=128:cr=128", '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-g', '40', '-bf', '2', '-pix_fmt', 'yuv420p', path],
  ]);
  return path;
}

/** Luma of the same frame in the uploaded file. */
function expectedLuma(seconds: number): number {
  const path = samples.path('expected.jpg');
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-ss', String(seconds), '-i', samples.path('grays.mp4'), '-frames:v', '1', path],
  ]);
  return measure(readFileSync(path)).luma;
}

/** Width and mean luma of a picture. */
function measure(bytes: Buffer): { width: number; luma: number } {
  const path = samples.path('measured.jpg');
  writeFileSync(path, bytes);
  const size = execFileSync('ffprobe', [
    ...['-v', 'error', '-show_entries', 'stream=width', '-of', 'csv=p=0', path],
  ]);
  const raw = execFileSync('ffmpeg', [
    ...['-v', 'error', '-i', path, '-vf', 'format=gray', '-f', 'rawvideo', '-'],
  ]);
  return {
    width: Number(String(size).trim()),
    luma: raw.reduce((sum, value) => sum + value, 0) / raw.length,
  };
}

const { assetId, playbackId } = await receiveFile(fixtures, owner, makeGrayVideo());
await work.drain();
const get = async (file: string, query = '', headers = {}, assetPictures = pictures) => {
  const assetRequest = {
    path: `/${playbackId}/${file}`,
    download: false,
    headers,
    query: new URLSearchParams(query),
  };
  const { status, headers: sentHeaders = {}, body = [] } = await serve(assetPictures)(assetRequest);
  return { status, sentHeaders, bytes: Buffer.concat([...body]) };
};

test('a frame of any second is served in the next larger width', async () => {
  const [early, late] = [
    await get('thumbnail.jpg', 'time=2&width=100'),
    await get('thumbnail.jpg', 'time=9.7'),
  ];
  expect(early.sentHeaders).toMatchObject({
    'Content-Type': 'image/jpeg',
    ETag: expect.any(String) as string,
  });
  const [dark, light] = [measure(early.bytes), measure(late.bytes)];
  expect([dark.width, light.width]).toEqual([160, 640]);
  // The brightness of the next second differs by 18.
  expect(Math.abs(dark.luma - expectedLuma(2))).toBeLessThan(6);
  expect(Math.abs(light.luma - expectedLuma(9))).toBeLessThan(6);
  expect(
    (await get('thumbnail.jpg', 'time=2&width=1', { 'if-none-match': early.sentHeaders['ETag'] })).status,
  ).toBe(304);
  // A narrower video is not enlarged, and a time after the end shows the last second.
  expect(measure((await get('thumbnail.jpg', 'time=500&width=1280')).bytes).width).toBe(640);
});

test('a picture that takes too long is answered with 503 and the time of the next attempt', async () => {
  const slowPictures = new AssetPictures({ storage: segmentReads, log: ctx.log }, { ffmpegTimeoutMs: 1 });
  const { status, sentHeaders } = await get('thumbnail.jpg', 'time=3', {}, slowPictures);
  expect(status).toBe(503);
  expect(sentHeaders).toMatchObject({ 'Retry-After': 5 });
  await slowPictures.close();
});

test('a picture whose ffmpeg is killed is answered with 503, not as a picture that the video lacks', async () => {
  const killedPictures = new AssetPictures({ storage: segmentReads, log: ctx.log }, timeouts);
  const { status } = await killFfmpegDuring(() => get('thumbnail.jpg', 'time=4', {}, killedPictures));
  expect(status).toBe(503);
  await killedPictures.close();
});

test('viewers who request a picture together share one ffmpeg', async () => {
  const before = reads;
  const answers = await Promise.all(Array.from({ length: 20 }, () => get('thumbnail.jpg', 'time=5')));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(reads - before).toBe(1);
});

test('times after the end show the last second and share its picture', async () => {
  await get('thumbnail.jpg', 'time=11&width=320');
  const before = reads;
  for (const time of [12, 13, 86_400]) await get('thumbnail.jpg', `time=${time}&width=320`);
  expect(reads - before).toBe(0);
});

test('one viewer with many requests does not delay others', async () => {
  let release: () => void = () => undefined;
  const whenReleased = new Promise<void>((resolve) => (release = resolve));
  let isBlocked = false;
  const blocking: typeof countedStorage = {
    ...countedStorage,
    head: async (key) => {
      if (isBlocked) await whenReleased;
      return segmentReads.head(key);
    },
  };
  const queue = new AssetPictures({ storage: blocking, log: ctx.log }, timeouts);
  const asset = await locateAsset(ctx, playbackId);
  if (!asset) throw new Error('the asset is ready');
  const requestFrom = (client: string) => ({ client, asset });
  const cachedPicture = await queue.getPicture(requestFrom('ann'), 1, 160);
  isBlocked = true;
  const ends = { rejected: 0, made: 0 };
  const requests = Array.from({ length: 34 }, async (_, n) => {
    const width = [320, 640, 1_280][Math.floor(n / 12)] ?? 160;
    const picture = await queue.getPicture(requestFrom('mallory'), n % 12, width);
    ends[picture === 'not-ready' ? 'rejected' : 'made'] += 1;
  });
  // The first picture is cached, the second is not.
  expect(await queue.getPicture(requestFrom('ann'), 1, 160)).toBe(cachedPicture);
  const pictureOfAnn = queue.getPicture(requestFrom('ann'), 5, 160);
  expect(ends.rejected).toBeGreaterThan(0);
  release();
  expect(Buffer.isBuffer(await pictureOfAnn)).toBe(true);
  expect(ends.made).toBeLessThan(4);
  await queue.close();
  await Promise.all(requests);
});

test.each(['time=x', 'width=0'])('%s is rejected', async (query) => {
  expect((await get('thumbnail.jpg', query)).status).toBe(400);
});

test('a preview is an animated WebP', async () => {
  const { status, sentHeaders, bytes } = await get('preview.webp');
  expect([status, sentHeaders['Content-Type']]).toEqual([200, 'image/webp']);
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  expect(bytes.includes('ANMF')).toBe(true);
});

test('the owner chooses the frame of the poster, and resets it', async () => {
  const luma = async () => {
    const { bytes, status } = await get('poster.jpg');
    return status === 200 && bytes.length > 0 ? measure(bytes).luma : null;
  };
  const change = (posterTime: number | null) => updateAsset(owner, { id: assetId, change: { posterTime } });
  expect(await change(11)).toMatchObject({ posterTime: 11 });
  expect(await luma()).toBeGreaterThan(200);
  expect(await change(null)).not.toHaveProperty('posterTime');
  // A streamed file from the storage.
  expect(await luma()).toBeNull();
  await expect(change(12.5)).rejects.toMatchObject({ code: 'invalid' });
});

test('thumbnails and previews are not written to the storage', async () => {
  const names: string[] = [];
  for await (const { key } of storage.list(assetPrefix(assetId))) names.push(key);
  expect(names.filter((name) => /thumbnail|webp/.test(name))).toEqual([]);
});
