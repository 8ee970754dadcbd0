import { expect, test, type Page } from '@playwright/test';
import { HOUR_MS } from '@/lib/core/units';
import { checkPage } from './page-checks';
import { createStream, createWebhook, logIn, setTestPattern } from './page-actions';

/** Uploads a file that is no video, so that its task fails. */
async function uploadTextFile(page: Page, name: string): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const response = await page.request.post('/api/asset/request-upload', { data: { name }, headers });
  const { url } = (await response.json()) as { url: string };
  const upload = await page.request.put(url, { data: Buffer.from('These are notes, not a video.\n') });
  // The service rejects the upload, because the first bytes of the file are not those of a media file.
  expect(upload.status()).toBe(422);
}

/** Waits until the bitrate of the only live stream is known. */
async function waitForBitrate(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const response = await page.request.get('/api/user/overview');
      const { live } = (await response.json()) as {
        live: { streams: { bitrate: number | null }[] };
      };
      return live.streams[0]?.bitrate ?? 0;
    })
    .toBeGreaterThan(0);
}

test('the home page shows a live stream with its bitrate and viewers, and no panel for live streams after its end', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Town hall', { record: true });
  await createWebhook(page, 'Chat bot');
  await setTestPattern(page, stream.id, true);
  await waitForBitrate(page);

  await page.goto('/');
  const liveRegion = page.getByRole('region', { name: 'Live now' });
  await expect(liveRegion.getByRole('link', { name: 'Town hall' })).toBeVisible();
  await expect(liveRegion.getByText(/bit\/s/)).toBeVisible();
  await expect(liveRegion.getByText('0 viewers')).toBeVisible();
  // The picture is a thumbnail of the stream, and not the placeholder.
  await expect
    .poll(() => liveRegion.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await checkPage(page, 'home-live');

  await setTestPattern(page, stream.id, false);
  await expect(liveRegion).toHaveCount(0);
  await expect(page.getByText('Nothing live')).toBeVisible();
});

test('a home page with one live stream, three problems and two announced streams is at most 900 px high, and has its sections in order on a phone', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Town hall', { record: true });
  await setTestPattern(page, stream.id, true);
  for (const [name, hours] of [
    ['Evening song', 6],
    ['Council of the parish', 50],
  ] as const)
    await createStream(page, name, { startsAt: Date.now() + hours * HOUR_MS });
  for (const name of ['notes.mp4', 'minutes.mp4', 'agenda.mp4']) await uploadTextFile(page, name);
  // Until the first video arrives, the page shows the first steps.
  await waitForBitrate(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const region = (name: string | RegExp) => page.getByRole('region', { name });
  await expect(region('Needs attention: 3').getByRole('listitem')).toHaveCount(3);
  await expect(region('Coming up').getByRole('listitem')).toHaveCount(2);
  await expect(region('Live now').getByText(/bit\/s/)).toBeVisible({ timeout: 60_000 });
  await expect(region('Today')).toBeVisible();
  await expect(region(/^Recent/).getByRole('listitem')).toHaveCount(3);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
  await checkPage(page, 'home-busy');

  await page.setViewportSize({ width: 360, height: 740 });
  const sectionTops = await Promise.all(
    ['Live now', /^Needs attention/, 'Coming up', /^Recent/, 'Today'].map(
      async (name) => (await region(name).boundingBox())?.y ?? 0,
    ),
  );
  expect(sectionTops).toEqual(sectionTops.toSorted((a, b) => a - b));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
