import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { clickControl, expectPlaying } from '../dashboard/page-actions';
import { runFfmpeg } from '../media/testing/run-ffmpeg';
import { readChildCommands, ApiAccount, findRolePid, waitUntil } from '../media/testing/service';

// Playback of renditions that are encoded when a viewer selects them.

const folder = mkdtempSync(join(tmpdir(), 'renditions-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const HOUR_SECONDS = 3_600;

/** Creates a file of one hour from a loop of one minute of 480p with B-frames, which phones and editors produce. */
async function makeHourFile(): Promise<string> {
  const [minuteFile, hourFile] = [join(folder, 'minute.mp4'), join(folder, 'hour.mp4')];
  await runFfmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=size=854x480:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440'],
    ...[
      '-t',
      '60',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '50',
      '-b:v',
      '500k',
    ],
    ...['-c:a', 'aac', '-b:a', '32k', minuteFile],
  );
  await runFfmpeg('-stream_loop', '-1', '-i', minuteFile, '-t', String(HOUR_SECONDS), '-c', 'copy', hourFile);
  return hourFile;
}

test('a viewer selects a rendition, seeks in it and returns to the source without a player error, and encoding stops after the page is closed', async ({
  page,
}) => {
  const owner = await ApiAccount.create();
  const uploadResponse = await owner.request('POST', '/api/asset/request-upload', { name: 'An hour' });
  const { url, asset } = (await uploadResponse.json()) as { url: string; asset: Asset };
  const put = await fetch(url, { method: 'PUT', body: await openAsBlob(await makeHourFile()) });
  expect(put.status).toBe(200);
  let playbackId = '';
  await waitUntil(async () => {
    const { status, ...assetFields } = (await (
      await owner.request('GET', `/api/asset/${asset.id}`)
    ).json()) as Asset;
    expect(status.errorMessage).toBeUndefined();
    playbackId = assetFields.playbackId;
    return status.phase === 'ready';
  }, 120_000);

  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  const requestedFiles: string[] = [];
  page.on('request', (request) => requestedFiles.push(new URL(request.url()).pathname));
  // A busy machine has no capacity to encode. Viewers then get frames of the file under the same URL.
  let substitutedCount = 0;
  page.on('response', (response) => {
    if (/\/\d+p\/.*\.m4s$/.test(response.url()) && response.headers()['cache-control'] === 'no-store')
      substitutedCount += 1;
  });
  await page.goto(`/watch/${playbackId}`);
  await expectPlaying(page);
  const video = page.locator('video');
  const readHeight = () => video.evaluate((element: HTMLVideoElement) => element.videoHeight);
  const readTime = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  // The first frame is from the file itself, so playback does not wait for an encoder.
  expect(requestedFiles.find((path) => path.endsWith('.m4s'))).toContain('/source/');

  await clickControl(page, 'Settings');
  const quality = page.getByRole('dialog', { name: 'Player settings' }).getByLabel('Quality');
  await expect(quality.locator('option')).toHaveText([/^Auto/, '480p', '360p', '240p']);
  await quality.selectOption('240p');
  await expect
    .poll(() => requestedFiles.some((path) => /\/240p\/.*\.m4s$/.test(path)), { timeout: 90_000 })
    .toBe(true);
  const timeBefore = await readTime();
  await expect.poll(readTime, { timeout: 60_000 }).toBeGreaterThan(timeBefore + 12);

  const middleSeconds = HOUR_SECONDS / 2 + 17;
  const seekStartedAt = Date.now();
  await video.evaluate(
    (element: HTMLVideoElement, seconds) => void (element.currentTime = seconds),
    middleSeconds,
  );
  await expect.poll(readTime, { timeout: 60_000, intervals: [50] }).toBeGreaterThan(middleSeconds + 0.05);
  test.info().annotations.push({ type: 'seek', description: `${Date.now() - seekStartedAt} ms` });

  if (substitutedCount === 0) await expect.poll(readHeight, { timeout: 60_000 }).toBe(240);

  await quality.selectOption('480p');
  await expect.poll(readHeight, { timeout: 90_000 }).toBe(480);
  const timeAfter = await readTime();
  await expect.poll(readTime, { timeout: 60_000 }).toBeGreaterThan(timeAfter + 2);
  await expect(page.locator('[data-phase]')).toHaveAttribute('data-phase', 'playing');
  const error = await video.evaluate((element: HTMLVideoElement) => element.error?.message ?? null);
  const readBufferedSeconds = () =>
    video.evaluate(({ buffered, currentTime }: HTMLVideoElement) => {
      for (let i = 0; i < buffered.length; i++)
        if (buffered.start(i) <= currentTime && currentTime <= buffered.end(i))
          return buffered.end(i) - currentTime;
      return 0;
    });
  await expect.poll(readBufferedSeconds).toBeGreaterThan(0);
  expect(error).toBeNull();
  expect(pageErrors).toEqual([]);

  // No viewer watches the rest of the file, so encoding stops after the segments that were encoded ahead.
  await page.close();
  const readEncoderCommands = () =>
    readChildCommands(findRolePid('jobs')).filter((command) => command.includes('stitchable=1'));
  await expect.poll(readEncoderCommands, { timeout: 240_000 }).toEqual([]);
});
