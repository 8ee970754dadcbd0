import { expect, test } from '@playwright/test';
import { ApiAccount } from '../media/testing/service';
import { checkPage } from './page-checks';
import { clickControl, createStream, expectPlaying, logIn, setTestPattern } from './page-actions';

const createUniqueName = (prefix: string) => `${prefix} ${crypto.randomUUID().slice(0, 8)}`;

test('clips of a recorded live stream can be made on its dashboard page and its watch page, which also rewinds the stream and plays its recording', async ({
  page,
}) => {
  test.setTimeout(600_000);
  await logIn(page);
  const stream = await createStream(page, createUniqueName('Town hall'), { record: true, viewerClips: true });
  await setTestPattern(page, stream.id, true);
  await page.goto(`/streams/${stream.id}`);
  await expectPlaying(page, 60_000);
  // Clips shorter than a second are rejected.
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
  const readSeekableSeconds = () =>
    readVideo(({ seekable: ranges }) => (ranges.length > 0 ? ranges.end(0) - ranges.start(0) : 0));
  await clickControl(page, 'Rewind 30 seconds');
  await expect.poll(readSeekableSeconds, { timeout: 60_000 }).toBeGreaterThan(16);
  await expect
    .poll(() =>
      readVideo(({ seekable: ranges, currentTime }) => (ranges.length > 0 ? ranges.end(0) - currentTime : 0)),
    )
    .toBeGreaterThan(10);
  await expectPlaying(page);
  // The control bar stays visible while it has the keyboard focus.
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('Tab');
  await checkPage(page, 'watch-dvr');
  await page.locator('video').hover();
  await clickControl(page, 'Jump to live');
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible({ timeout: 60_000 });
  await expectPlaying(page);

  // The watch page has the Clip button because the stream allows clips by viewers (`viewerClips`).
  await clickControl(page, 'Clip');
  const viewerPanel = page.getByRole('region', { name: 'New clip' });
  await expect(viewerPanel.getByText('Length: 0:15')).toBeVisible();
  await checkPage(page, 'viewer-clip');
  await viewerPanel.getByRole('button', { name: 'Create clip' }).click();
  const clipUrl = await viewerPanel.getByRole('link', { name: 'Open clip' }).getAttribute('href');
  const viewerPage = await page.context().newPage();
  await viewerPage.goto(clipUrl ?? '');
  await expectPlaying(viewerPage, 90_000);
  await expect
    .poll(() => viewerPage.locator('video').evaluate((video: HTMLVideoElement) => video.duration))
    .toBeGreaterThan(13);
  await viewerPage.close();
  await viewerPanel.getByRole('button', { name: 'Close' }).click();
  await expect(viewerPanel).toBeHidden();

  // The recording can be watched immediately after the session ends.
  await setTestPattern(page, stream.id, false);
  await page.getByRole('link', { name: /recording/i }).click({ timeout: 90_000 });
  await expectPlaying(page, 60_000);
  await expect.poll(() => readVideo(({ duration }) => duration)).toBeLessThan(1_000);
});

test('viewers rewind a live stream that is not recorded, play it at double speed and return to the live edge, and its session has no recording', async ({
  page,
}) => {
  test.setTimeout(360_000);
  const account = await logIn(page);
  const owner = await ApiAccount.create(account.id);
  const stream = await createStream(page, createUniqueName('Radio'), { dvrSeconds: 600 });
  await setTestPattern(page, stream.id, true);
  await page.goto(`/watch/${stream.playbackId}`);
  await expectPlaying(page, 60_000);
  const readVideo = (pick: (video: HTMLVideoElement) => number) => page.locator('video').evaluate(pick);
  const readSeekableSeconds = () =>
    readVideo(({ seekable: ranges }) => (ranges.length > 0 ? ranges.end(0) - ranges.start(0) : 0));
  await clickControl(page, 'Rewind 30 seconds');
  // 45 s are much longer than the live window.
  await expect.poll(readSeekableSeconds, { timeout: 180_000 }).toBeGreaterThan(45);
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('Home');
  const readSecondsBehindLive = () =>
    readVideo(({ seekable: ranges, currentTime }) => ranges.end(0) - currentTime);
  await expect.poll(readSecondsBehindLive).toBeGreaterThan(30);
  await expectPlaying(page);
  await clickControl(page, 'Settings');
  await page.getByLabel('Speed').selectOption('2');
  const readPlaybackRate = () => readVideo(({ playbackRate }) => playbackRate);
  const timeBefore = await readVideo(({ currentTime }) => currentTime);
  await expect.poll(() => readVideo(({ currentTime }) => currentTime)).toBeGreaterThan(timeBefore + 3);
  expect(await readPlaybackRate()).toBe(2);
  await page.keyboard.press('Escape');
  await clickControl(page, 'Jump to live');
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible({ timeout: 60_000 });
  await expectPlaying(page);
  await expect.poll(readPlaybackRate).toBeLessThan(1.2);

  // The session of a stream that is not recorded has no recording.
  const response = await owner.request('GET', `/api/stream/${stream.id}/sessions`);
  const [session] = (await response.json()) as { id: string; record: boolean; recordingStatus?: string }[];
  expect(session).toMatchObject({ record: false });
  expect(session).not.toHaveProperty('recordingStatus');
  expect((await page.request.get(`/watch/${session?.id}`)).status()).toBe(404);
  await setTestPattern(page, stream.id, false);
});
