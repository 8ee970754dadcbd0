import { expect, test } from '@playwright/test';

import { Owner } from '../media/testing/service';
import { lookAround } from './look';
import { clickControl, createStream, expectPlaying, logIn, setTestPattern } from './session';

const nameOf = (kind: string) => `${kind} ${crypto.randomUUID().slice(0, 8)}`;

test('a recorded live stream: clip, rewind, go live, clip as a viewer', async ({ page }) => {
  test.setTimeout(600_000);
  await logIn(page);
  const stream = await createStream(page, nameOf('Town hall'), { record: true, viewerClips: true });
  await setTestPattern(page, stream.id, true);
  await page.goto(`/streams/${stream.id}`);
  await expectPlaying(page, 60_000);
  // Clips shorter than a second are refused.
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime), {
      timeout: 60_000,
    })
    .toBeGreaterThan(4);
  await clickControl(page, 'Clip');
  const panel = page.getByRole('region', { name: 'New clip' });
  await panel.getByRole('button', { name: 'Create clip' }).click();
  await expect(panel).toBeHidden();
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page).toHaveURL(/\/assets\//);
  await expectPlaying(page, 90_000).catch(async () => {
    // The player waits for a click.
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.play());
    await expectPlaying(page);
  });

  // By now the stream is longer than the live window.
  await page.goto(`/watch/${stream.playbackId}`);
  await expectPlaying(page, 60_000);
  const readVideo = (pick: (video: HTMLVideoElement) => number) => page.locator('video').evaluate(pick);
  const seekable = () =>
    readVideo(({ seekable: ranges }) => (ranges.length > 0 ? ranges.end(0) - ranges.start(0) : 0));
  await clickControl(page, 'Rewind 30 seconds');
  await expect.poll(seekable, { timeout: 60_000 }).toBeGreaterThan(16);
  await expect
    .poll(() =>
      readVideo(({ seekable: ranges, currentTime }) => (ranges.length > 0 ? ranges.end(0) - currentTime : 0)),
    )
    .toBeGreaterThan(10);
  await expectPlaying(page);
  // The control bar stays visible while it has the keyboard focus.
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('Tab');
  await lookAround(page, 'watch-dvr');
  await page.locator('video').hover();
  await clickControl(page, 'Jump to live');
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible({ timeout: 60_000 });
  await expectPlaying(page);

  // A viewer needs no account to make a clip.
  await clickControl(page, 'Clip');
  const chooser = page.getByRole('region', { name: 'New clip' });
  await expect(chooser.getByText('Length: 0:15')).toBeVisible();
  await lookAround(page, 'viewer-clip');
  await chooser.getByRole('button', { name: 'Create clip' }).click();
  const address = await chooser.getByRole('link', { name: 'Open clip' }).getAttribute('href');
  const viewerPage = await page.context().newPage();
  await viewerPage.goto(address ?? '');
  await expectPlaying(viewerPage, 90_000);
  await expect
    .poll(() => viewerPage.locator('video').evaluate((video: HTMLVideoElement) => video.duration))
    .toBeGreaterThan(13);
  await viewerPage.close();
  await chooser.getByRole('button', { name: 'Close' }).click();
  await expect(chooser).toBeHidden();

  // The recording can be watched immediately after the session ends.
  await setTestPattern(page, stream.id, false);
  await page.getByRole('link', { name: /recording/i }).click({ timeout: 90_000 });
  await expectPlaying(page, 60_000);
  await expect.poll(() => readVideo(({ duration }) => duration)).toBeLessThan(1_000);
});

test('viewers rewind a live stream that is not recorded, at a selected speed', async ({ page }) => {
  test.setTimeout(360_000);
  const person = await logIn(page);
  const owner = await Owner.create(person.id);
  const stream = await createStream(page, nameOf('Radio'), { dvrSeconds: 600 });
  await setTestPattern(page, stream.id, true);
  await page.goto(`/watch/${stream.playbackId}`);
  await expectPlaying(page, 60_000);
  const readVideo = (pick: (video: HTMLVideoElement) => number) => page.locator('video').evaluate(pick);
  const seekable = () =>
    readVideo(({ seekable: ranges }) => (ranges.length > 0 ? ranges.end(0) - ranges.start(0) : 0));
  await clickControl(page, 'Rewind 30 seconds');
  // Much longer than the live window.
  await expect.poll(seekable, { timeout: 180_000 }).toBeGreaterThan(45);
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('Home');
  const behind = () => readVideo(({ seekable: ranges, currentTime }) => ranges.end(0) - currentTime);
  await expect.poll(behind).toBeGreaterThan(30);
  await expectPlaying(page);
  await clickControl(page, 'Settings');
  await page.getByLabel('Speed').selectOption('2');
  const rate = () => readVideo(({ playbackRate }) => playbackRate);
  const before = await readVideo(({ currentTime }) => currentTime);
  await expect.poll(() => readVideo(({ currentTime }) => currentTime)).toBeGreaterThan(before + 3);
  expect(await rate()).toBe(2);
  await page.keyboard.press('Escape');
  await clickControl(page, 'Jump to live');
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible({ timeout: 60_000 });
  await expectPlaying(page);
  await expect.poll(rate).toBeLessThan(1.2);

  // The session has no recording, neither now nor later.
  const response = await owner.request('GET', `/api/stream/${stream.id}/sessions`);
  const [session] = (await response.json()) as { id: string; record: boolean; recordingStatus?: string }[];
  expect(session).toMatchObject({ record: false });
  expect(session).not.toHaveProperty('recordingStatus');
  expect((await page.request.get(`/watch/${session?.id}`)).status()).toBe(404);
  await setTestPattern(page, stream.id, false);
});
