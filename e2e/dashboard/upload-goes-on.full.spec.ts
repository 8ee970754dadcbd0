import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { dock, encode } from './films';
import { lookAround } from './look';
import { logIn } from './session';

const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const film = join(folder, 'River at dawn.mp4');
/** Noise does not compress, so three seconds have several megabytes. */
const heavy = join(folder, 'Rapids.mp4');

test.beforeAll(() => {
  encode(film, 'testsrc2=size=320x180:rate=25:duration=6');
  encode(heavy, 'testsrc2=size=640x360:rate=25:duration=3,noise=alls=100:allf=t', ['-crf', '18']);
});

test('an upload resumes after a reload at its last offset', async ({ page, context }) => {
  test.slow();
  await logIn(page);
  await page.goto('/assets');
  const network = await context.newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  const { size } = statSync(heavy);
  await throttle(size / 10);
  await page.getByLabel('Files to upload').first().setInputFiles(heavy);
  const bar = dock(page).getByRole('progressbar', { name: 'Upload of Rapids.mp4' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(20);
  await page.reload();
  await expect(dock(page).getByText(/when you left the page/)).toBeVisible();

  await lookAround(page, 'upload');

  await throttle(-1);
  const again = dock(page).getByLabel('File Rapids.mp4');
  await again.setInputFiles(film);
  await expect(dock(page).getByText('“River at dawn.mp4” is a different file')).toBeVisible();
  const nextRequest = page.waitForRequest((request) => request.method() === 'PATCH');
  await again.setInputFiles(heavy);
  expect(Number((await nextRequest).headers()['upload-offset'])).toBeGreaterThan(0);
  await expect(dock(page).getByText('Ready to play')).toBeVisible();
  await expect(page.getByRole('row', { name: /Rapids/ })).toContainText('Ready');
});
