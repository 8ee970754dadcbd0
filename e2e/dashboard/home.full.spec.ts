import { expect, test } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, createWebhook, logIn, setTestPattern } from './session';

test('the home page shows live streams with their viewers, and the checklist until it is hidden', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Town hall', { record: true });
  // The checklist links to the live stream, although the next stream is newer.
  await createStream(page, 'Next week');
  await createWebhook(page, 'Chat bot');
  await setTestPattern(page, stream.id, true);
  await expect
    .poll(async () => {
      const response = await page.request.get('/api/user/overview');
      const { live } = (await response.json()) as {
        live: { streams: { bitrate: number | null }[] };
      };
      return live.streams[0]?.bitrate ?? 0;
    })
    .toBeGreaterThan(0);

  await page.goto('/');
  const liveRegion = page.getByRole('region', { name: 'Live now' });
  await expect(liveRegion.getByRole('link', { name: 'Town hall' })).toBeVisible();
  await expect(liveRegion.getByText(/bit\/s/)).toBeVisible();
  await expect(liveRegion.getByText('0 viewers')).toBeVisible();
  // The picture is a thumbnail of the stream, and not the placeholder.
  await expect
    .poll(() => liveRegion.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const checklist = page.getByRole('region', { name: 'Get started' });
  await expect(checklist.getByText('3 of 5 steps done')).toBeVisible();
  await expect(checklist.getByRole('link', { name: 'Town hall' })).toBeVisible();
  await checkPage(page, 'home-live');

  await checklist.getByRole('button', { name: 'Hide' }).click();
  await expect(checklist).toHaveCount(0);
  await page.reload();
  await expect(liveRegion).toBeVisible();
  await expect(checklist).toHaveCount(0);

  await setTestPattern(page, stream.id, false);
  await expect(liveRegion.getByText('No stream is live.')).toBeVisible();
});
