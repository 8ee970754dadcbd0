import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { uploadsRegion, encodeVideo } from './uploads';
import { checkPage } from './page-checks';
import { logIn } from './page-actions';

const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const smallFile = join(folder, 'River at dawn.mp4');
/** A file of several megabytes. Its three seconds contain noise, which does not compress. */
const largeFile = join(folder, 'Rapids.mp4');

test.beforeAll(async () => {
  await encodeVideo(smallFile, 'testsrc2=size=320x180:rate=25:duration=6');
  await encodeVideo(largeFile, 'testsrc2=size=640x360:rate=25:duration=3,noise=alls=100:allf=t', [
    '-crf',
    '18',
  ]);
});

test('after a reload, an upload accepts only the same file and resumes at its offset', async ({
  page,
  context,
}) => {
  test.slow();
  await logIn(page);
  await page.goto('/assets');
  const network = await context.newCDPSession(page);
  /** Sets the upload speed in bytes per second; -1 is unlimited. */
  const limitUploadSpeed = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  const { size } = statSync(largeFile);
  // The whole upload would take 10 s, so it is incomplete at the reload.
  await limitUploadSpeed(size / 10);
  await page.getByLabel('Files to upload').first().setInputFiles(largeFile);
  const progressBar = uploadsRegion(page).getByRole('progressbar', { name: 'Upload of Rapids.mp4' });
  await expect.poll(async () => Number(await progressBar.getAttribute('aria-valuenow'))).toBeGreaterThan(20);
  await page.reload();
  await expect(uploadsRegion(page).getByText(/when you left the page/)).toBeVisible();
  await checkPage(page, 'upload');

  await limitUploadSpeed(-1);
  const fileInput = uploadsRegion(page).getByLabel('File Rapids.mp4');
  await fileInput.setInputFiles(smallFile);
  await expect(uploadsRegion(page).getByText('“River at dawn.mp4” is a different file')).toBeVisible();
  const nextRequest = page.waitForRequest((request) => request.method() === 'PATCH');
  await fileInput.setInputFiles(largeFile);
  expect(Number((await nextRequest).headers()['upload-offset'])).toBeGreaterThan(0);
  await expect(uploadsRegion(page).getByText('Ready to play')).toBeVisible();
  await expect(page.getByRole('row', { name: /Rapids/ })).toContainText('Ready');
});
