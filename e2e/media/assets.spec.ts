import { expect, test } from '@playwright/test';
import { Upload } from 'tus-js-client';
import type { Task } from '@/lib/contract/tasks/task';
import { createFileAndOwner } from './testing/assets';

let assetTests: Awaited<ReturnType<typeof createFileAndOwner>>;

test.beforeAll(async () => {
  assetTests = await createFileAndOwner();
});

test('a file uploaded with PUT becomes a playable asset, and its MP4 plays in a browser', async ({
  page,
}) => {
  const { file, requestUpload, readJson, waitUntilSettled, expectPlayable } = assetTests;
  const { url, asset, task } = await requestUpload('Town hall');
  const putResponse = await fetch(url, {
    method: 'PUT',
    body: file,
    headers: { 'Content-Type': 'video/mp4' },
  });
  expect([putResponse.status, await putResponse.text()]).toEqual([200, '']);
  // A client whose response was lost may upload the same file again. Another file is rejected.
  expect((await fetch(url, { method: 'PUT', body: file })).status).toBe(200);
  expect((await fetch(url, { method: 'PUT', body: Buffer.concat([file, file]) })).status).toBe(422);
  const readyAsset = await waitUntilSettled(asset.id);
  await expectPlayable(readyAsset);
  const completedTask = await readJson<Task>(`/api/task/${task.id}`);
  expect(completedTask.status).toMatchObject({ phase: 'completed', progress: 1 });
  expect(completedTask.output?.import?.assetSpec).toMatchObject({ name: 'Town hall', size: file.length });
  // Playback of the MP4 file in a browser.
  await page.setContent(`<video src="${readyAsset.downloadUrl ?? ''}" muted></video>`);
  const video = page.locator('video');
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(1);
  expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(10, 0);
});

test('a file uploaded with tus becomes a playable asset', async () => {
  const { file, requestUpload, waitUntilSettled, expectPlayable } = assetTests;
  const { tusEndpoint, asset } = await requestUpload('In pieces');
  await new Promise<void>((resolve, reject) => {
    new Upload(file, {
      endpoint: tusEndpoint,
      chunkSize: 100_000,
      metadata: { filename: 'film.mp4', filetype: 'video/mp4' },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  await expectPlayable(await waitUntilSettled(asset.id));
});

test('an upload of an unsupported file is rejected, and its asset and task fail with the same reason', async () => {
  const { requestUpload, readJson, waitUntilSettled } = assetTests;
  const { url, asset, task } = await requestUpload('Not a video');
  const putResponse = await fetch(url, { method: 'PUT', body: 'hello' });
  expect(putResponse.status).toBe(422);
  const reason = 'the file is not an MP4';
  expect(await putResponse.json()).toMatchObject({ errors: [reason] });
  expect((await waitUntilSettled(asset.id)).status).toMatchObject({ phase: 'failed', errorMessage: reason });
  expect((await readJson<Task>(`/api/task/${task.id}`)).status).toMatchObject({
    phase: 'failed',
    errorMessage: reason,
  });
});
