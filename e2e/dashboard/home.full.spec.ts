import { expect, test } from '@playwright/test';
import { lookAround } from './look';
import { createStream, createWebhook, logIn, setTestPattern } from './session';

test('home shows live streams, problems, and the checklist until it is hidden', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Town hall', { record: true });
  // The page follows the live stream although this one is newer.
  await createStream(page, 'Next week');
  await createWebhook(page, 'Chat bot');
  await setTestPattern(page, stream.id, true);
  await expect
    .poll(async () => {
      const response = await page.request.get('/api/user/overview');
      const { live } = (await response.json()) as { live: { streams: { bitrate: number | null }[] } };
      return live.streams[0]?.bitrate ?? 0;
    })
    .toBeGreaterThan(0);

  await page.goto('/');
  const live = page.getByRole('region', { name: 'Live now' });
  await expect(live.getByRole('link', { name: 'Town hall' })).toBeVisible();
  await expect(live.getByText(/bit\/s/)).toBeVisible();
  await expect(live.getByText('0 viewers')).toBeVisible();
  // A thumbnail of the stream, not its placeholder.
  await expect
    .poll(() => live.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const setup = page.getByRole('region', { name: 'Get started' });
  await expect(setup.getByText('3 of 5 steps done')).toBeVisible();
  await expect(setup.getByRole('link', { name: 'Town hall' })).toBeVisible();
  await lookAround(page, 'home-live');

  await setup.getByRole('button', { name: 'Hide' }).click();
  await expect(setup).toHaveCount(0);
  await page.reload();
  await expect(live).toBeVisible();
  await expect(setup).toHaveCount(0);

  await setTestPattern(page, stream.id, false);
  await expect(live.getByText('No stream is live.')).toBeVisible();
});
