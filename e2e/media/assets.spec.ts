import { expect, test } from '@playwright/test';
import { Upload } from 'tus-js-client';
import type { Task } from '@/lib/contract/tasks/task';
import { filmAndOwner } from './testing/assets';

let assets: Awaited<ReturnType<typeof filmAndOwner>>;

test.beforeAll(async () => {
  assets = await filmAndOwner();
});

test('from PUT to a playable asset, including playback in a browser', async ({ page }) => {
  const { file, ask, read: readJson, settled: settledAsset, isPlayable } = assets;
  const { url, asset, task } = await ask('Town hall');
  const put = await fetch(url, { method: 'PUT', body: file, headers: { 'Content-Type': 'video/mp4' } });
  expect([put.status, await put.text()]).toEqual([200, '']);
  // The response may have been lost: uploading the same file again succeeds, another file is refused.
  expect((await fetch(url, { method: 'PUT', body: file })).status).toBe(200);
  expect((await fetch(url, { method: 'PUT', body: Buffer.concat([file, file]) })).status).toBe(422);
  const ready = await settledAsset(asset.id);
  await isPlayable(ready);
  const taskView = await readJson<Task>(`/api/task/${task.id}`);
  expect(taskView.status).toMatchObject({ phase: 'completed', progress: 1 });
  expect(taskView.output?.import?.assetSpec).toMatchObject({ name: 'Town hall', size: file.length });
  // Playback of the MP4 file in a browser.
  await page.setContent(`<video src="${ready.downloadUrl ?? ''}" muted></video>`);
  const video = page.locator('video');
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(1);
  expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(10, 0);
});

test('from tus to a playable asset', async () => {
  const { file, ask, settled: settledAsset, isPlayable } = assets;
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
  await isPlayable(await settledAsset(asset.id));
});

test('the upload request refuses an unsupported file', async () => {
  const { ask, read: readJson, settled: settledAsset } = assets;
  const { url, asset, task } = await ask('Not a video');
  const put = await fetch(url, { method: 'PUT', body: 'hello' });
  expect(put.status).toBe(422);
  const reason = 'the file is not an MP4';
  expect(await put.json()).toMatchObject({ errors: [reason] });
  expect((await settledAsset(asset.id)).status).toMatchObject({ phase: 'failed', errorMessage: reason });
  expect((await readJson<Task>(`/api/task/${task.id}`)).status).toMatchObject({
    phase: 'failed',
    errorMessage: reason,
  });
});
