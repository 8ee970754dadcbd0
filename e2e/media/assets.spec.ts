import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Upload } from 'tus-js-client';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Task } from '@/lib/contract/tasks/task';
import { complaintsOfDecoder, probe } from './testing/encoder';
import { Owner, until } from './testing/service';

let owner: Owner;
let path: string;
let file: Buffer<ArrayBuffer>;

test.beforeAll(async () => {
  owner = await Owner.create();
  path = join(mkdtempSync(join(tmpdir(), 'assets-')), 'film.mp4');
  // As ffmpeg writes it when nobody asks for more: the index at the end.
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=10'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=10'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac', path],
  ]);
  file = readFileSync(path);
});

interface Asked {
  readonly url: string;
  readonly tusEndpoint: string;
  readonly asset: Asset;
  readonly task: Task;
}

async function ask(name: string): Promise<Asked> {
  const response = await owner.request('POST', '/api/asset/request-upload', { name });
  expect(response.status).toBe(200);
  return (await response.json()) as Asked;
}

const read = async <T>(address: string) => (await (await owner.request('GET', address)).json()) as T;

/** The asset when nothing will become of it any more; its progress never falls on the way. */
async function settled(id: string): Promise<Asset> {
  let asset = await read<Asset>(`/api/asset/${id}`);
  let progress = 0;
  await until(async () => {
    asset = await read<Asset>(`/api/asset/${id}`);
    expect(asset.status.progress ?? 0).toBeGreaterThanOrEqual(progress);
    progress = asset.status.progress ?? 0;
    return asset.status.phase === 'ready' || asset.status.phase === 'failed';
  });
  return asset;
}

async function isPlayable({ playbackUrl = '', downloadUrl = '', ...asset }: Asset): Promise<void> {
  expect(asset.status).toMatchObject({ phase: 'ready', progress: 1 });
  expect(asset.hash).toContainEqual({
    algorithm: 'sha256',
    hash: createHash('sha256').update(file).digest('hex'),
  });
  expect(asset.videoSpec).toMatchObject({
    format: 'mp4',
    tracks: [
      { type: 'video', codec: 'h264', fps: 25, width: 320, height: 180, pixelFormat: 'yuv420p' },
      { type: 'audio', codec: 'aac', channels: 1, sampleRate: 48_000 },
    ],
  });
  expect((await probe(playbackUrl)).map((track) => track.codec_name).sort()).toEqual(['aac', 'h264']);
  expect(await complaintsOfDecoder(playbackUrl, 10)).toBe('');
  const part = await fetch(downloadUrl, { headers: { Range: 'bytes=4-7' } });
  expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
  expect((await probe(downloadUrl)).map((track) => track.codec_name).sort()).toEqual(['aac', 'h264']);
}

test('from PUT to a playable asset, in the browser too', async ({ page }) => {
  const { url, asset, task } = await ask('Town hall');
  const put = await fetch(url, { method: 'PUT', body: file, headers: { 'Content-Type': 'video/mp4' } });
  expect([put.status, await put.text()]).toEqual([200, '']);
  // The answer may have been lost: the same file again is fine, another one is not.
  expect((await fetch(url, { method: 'PUT', body: file })).status).toBe(200);
  expect((await fetch(url, { method: 'PUT', body: Buffer.concat([file, file]) })).status).toBe(422);
  const ready = await settled(asset.id);
  await isPlayable(ready);
  const done = await read<Task>(`/api/task/${task.id}`);
  expect(done.status).toMatchObject({ phase: 'completed', progress: 1 });
  expect(done.output?.import?.assetSpec).toMatchObject({ name: 'Town hall', size: file.length });
  // The MP4 itself, as a browser sees it.
  await page.setContent(`<video src="${ready.downloadUrl ?? ''}" muted></video>`);
  const video = page.locator('video');
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(1);
  expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(10, 0);
});

test('from tus to a playable asset', async () => {
  const { tusEndpoint, asset } = await ask('In pieces');
  await new Promise<void>((resolve, reject) => {
    new Upload(file, {
      endpoint: tusEndpoint,
      chunkSize: 100_000,
      metadata: { filename: 'film.mp4', filetype: 'video/mp4' },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  await isPlayable(await settled(asset.id));
});

test('a file that is not accepted is refused by the upload itself', async () => {
  const { url, asset, task } = await ask('Not a video');
  const put = await fetch(url, { method: 'PUT', body: 'hello' });
  expect(put.status).toBe(422);
  const reason = 'the file is not an MP4';
  expect(await put.json()).toMatchObject({ errors: [reason] });
  expect((await settled(asset.id)).status).toMatchObject({ phase: 'failed', errorMessage: reason });
  expect((await read<Task>(`/api/task/${task.id}`)).status).toMatchObject({
    phase: 'failed',
    errorMessage: reason,
  });
});

test('a rendition of an asset is an asset', async () => {
  const { url, asset } = await ask('To be transcoded');
  await fetch(url, { method: 'PUT', body: file });
  await settled(asset.id);
  const profile = { name: '128p', width: 228, height: 128, bitrate: 200_000, fps: 0 };
  const asked = await owner.request('POST', `/api/asset/${asset.id}/transcode`, { name: 'Small', profile });
  expect(asked.status).toBe(201);
  const made = await settled(((await asked.json()) as Asked).asset.id);
  expect(made).toMatchObject({ status: { phase: 'ready' }, sourceAssetId: asset.id });
  expect(made.videoSpec?.tracks[0]).toMatchObject({ width: 228, height: 128, fps: 25 });
  expect(await complaintsOfDecoder(made.playbackUrl ?? '', 10)).toBe('');
});
