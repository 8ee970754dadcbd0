import { expect, test, type Page } from '@playwright/test';
import { cameraArgs } from '../media/testing/whip-page';
import { ApiAccount, MAX_IMMEDIATE_DELAY_MS, measureEventDelayMs } from '../media/testing/service';
import { checkPage } from './page-checks';
import { createStream, expectPlaying, logIn } from './page-actions';

/** Chromium simulates the devices: a camera whose frames contain a counter, a microphone with a beep each second, a screen. */
test.use({
  launchOptions: {
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      ...cameraArgs,
      '--auto-select-desktop-capture-source=Entire screen',
    ],
  },
});

const panelOf = (page: Page, name: string) => page.getByRole('region', { name });
const expectStatus = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: new RegExp(`^${text}$`) })).toBeVisible();

const readPreviewSize = (page: Page) =>
  page
    .locator('video')
    .evaluate(({ videoWidth, videoHeight }: HTMLVideoElement) => `${videoWidth}x${videoHeight}`);

test('a person goes live from the browser with a camera, shares a screen, mutes audio and video, and ends the stream', async ({
  page,
  context,
}) => {
  const account = await logIn(page);
  const owner = await ApiAccount.create(account.id);
  const { id, playbackId } = await createStream(page, 'Town hall');
  await page.goto(`/streams/${id}`);
  await page.getByRole('link', { name: 'Go live from this browser' }).click();
  await expect(page).toHaveURL(`/streams/${id}/go-live`);
  await checkPage(page, 'go-live-idle', { always: true });

  await panelOf(page, 'Connection test').getByRole('button').click();
  await expect(panelOf(page, 'Connection test')).toContainText('WebRTC works from here.');

  await page.getByRole('button', { name: 'Use camera and microphone' }).click();
  await expect.poll(() => readPreviewSize(page)).toBe('1280x720');
  const meter = page.getByRole('meter', { name: 'Microphone level' });
  // The level in decibels; -60 is the level of silence.
  await expect.poll(async () => Number(await meter.getAttribute('aria-valuenow'))).toBeGreaterThan(-40);
  await expect(page.getByRole('combobox', { name: 'Camera' })).not.toHaveValue('');

  await page.getByRole('button', { name: 'Go live', exact: true }).click();
  await expectStatus(page, 'Live');
  await owner.waitUntilActive(id);
  await expect(panelOf(page, 'Sending')).toContainText(/\d (k|M)bit\/s/);
  await expect(panelOf(page, 'Sending')).toContainText('1280 × 720');
  await expect(panelOf(page, 'Sending')).toContainText(/\d ms/);

  const viewer = await context.newPage();
  await viewer.goto(`/watch/${playbackId}`);
  await expectPlaying(viewer);
  await page.bringToFront();
  await checkPage(page, 'go-live-camera', { always: true });

  await page.getByRole('button', { name: 'Share screen' }).click();
  await expect(page.getByRole('button', { name: 'Share another screen' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Camera' })).toHaveValue('');
  await expectPlaying(viewer);
  await page.getByRole('button', { name: 'Mute audio' }).click();
  await expect(meter).toHaveAttribute('aria-valuetext', 'Muted');
  await page.getByRole('button', { name: 'Turn off video' }).click();
  await expect(page.getByText('Video off. Viewers see black.')).toBeVisible();
  await expectPlaying(viewer);
  await page.getByRole('button', { name: 'Turn on video' }).click();
  await page.getByRole('button', { name: 'Use camera' }).click();
  await expect.poll(() => readPreviewSize(page)).toBe('1280x720');
  await checkPage(page, 'go-live-again', { always: true });

  // The browser asks before the page is left. The stream stays live if the person stays.
  const shownDialog = page.waitForEvent('dialog');
  await page.setViewportSize({ width: 1440, height: 900 });
  const whenClicked = page.getByRole('link', { name: 'Streams', exact: true }).first().click();
  const dialog = await shownDialog;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await whenClicked;
  await expectStatus(page, 'Live');

  await page.getByRole('button', { name: 'End stream' }).click();
  const endedAt = Date.now();
  await page.getByRole('button', { name: 'End now' }).click();
  await expect(page.getByText('The stream has ended')).toBeVisible();
  await owner.waitUntilIdle(id);
  expect(await measureEventDelayMs(endedAt, id, 'stream.idle')).toBeLessThan(MAX_IMMEDIATE_DELAY_MS);
  await checkPage(page, 'go-live-ended', { always: true });
  await panelOf(page, 'Preview').getByRole('link', { name: 'Recordings' }).click();
  await expect(page).toHaveURL(`/streams/${id}?tab=sessions`);
});

test('leaving the page ends the live stream immediately', async ({ page }) => {
  const account = await logIn(page);
  const owner = await ApiAccount.create(account.id);
  const { id } = await createStream(page, 'Town hall');
  await page.addInitScript(() =>
    addEventListener('pagehide', () => sessionStorage.setItem('leftAt', String(Date.now()))),
  );
  await page.goto(`/streams/${id}/go-live`);
  await page.getByRole('button', { name: 'Use camera and microphone' }).click();
  await page.getByRole('button', { name: 'Go live', exact: true }).click();
  await expectStatus(page, 'Live');
  await owner.waitUntilActive(id);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/streams');
  // The delay is measured from `pagehide`, so the load of the next page is not included.
  const leftAt = Number(await page.evaluate(() => sessionStorage.getItem('leftAt')));
  await owner.waitUntilIdle(id);
  expect(await measureEventDelayMs(leftAt, id, 'stream.idle')).toBeLessThan(MAX_IMMEDIATE_DELAY_MS);
});
