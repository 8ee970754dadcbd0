import { expect, test } from '@playwright/test';
import type { Audience } from '@/lib/contract/audience/audience';
import { createStream, expectPlaying, logIn, setTestPattern } from './page-actions';

test('a viewer of the watch page counts as watching the stream until the page closes, and the views and minutes remain', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Watched');
  await page.goto(`/streams/${stream.id}?tab=audience`);
  await expect(page.getByRole('heading', { name: 'No reports yet' })).toBeVisible();
  await setTestPattern(page, stream.id, true);

  const viewerContext = await browser.newContext();
  const viewer = await viewerContext.newPage();
  await viewer.goto(new URL(`/watch/${stream.playbackId}`, page.url()).href);
  await expectPlaying(viewer);
  const readAudience = async () => {
    const response = await page.request.get(`/api/data/audience?streamId=${stream.id}`);
    return (await response.json()) as Audience;
  };
  await expect.poll(async () => (await readAudience()).viewers).toBe(1);
  const { startupMs, views } = await readAudience();
  expect(views).toBe(1);
  expect(startupMs.half).toBeGreaterThan(0);
  // The page polls every five seconds.
  const figures = page.getByRole('tabpanel', { name: 'Audience' });
  await expect(figures.getByText('Watching now')).toBeVisible();
  for (const chart of ['Watching', 'Start-up', 'Stalled', 'Encoder'])
    await expect(figures.getByRole('img', { name: chart })).toBeVisible();

  // The player loads the reporter after the first frame, and sends the last report when the page closes.
  await viewer.close({ runBeforeUnload: false });
  await viewerContext.close();
  await expect.poll(async () => (await readAudience()).viewers).toBe(0);
  const endedAudience = await readAudience();
  expect(endedAudience.playedMinutes).toBeGreaterThan(0);
  expect(endedAudience.heights.map(({ name }) => name)).toHaveLength(1);
  await setTestPattern(page, stream.id, false);
});
