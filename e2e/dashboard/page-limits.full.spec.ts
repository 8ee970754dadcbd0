import { expect, test, type Page } from '@playwright/test';
import { measureScripts } from './loaded-scripts';
import { createStream, expectPlaying, logIn, setTestPattern } from './page-actions';
import { recordLayoutShifts, measureLayoutShift, MAX_LAYOUT_SHIFT } from './layout-shifts';

/**
 * Limit for the scripts of the watch page in gzipped bytes. Next.js and React are more than half of them, and hls.js is
 * most of the rest (docs/adr/0022-hls-js-light-build.md).
 */
const MAX_WATCH_SCRIPT_BYTES = 270_000;
const measureShift = (page: Page, path: string, selector: string): Promise<number> =>
  measureLayoutShift(page, async () => {
    await page.goto(path);
    await page.locator(selector).first().waitFor();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  });

test('pages keep the limit of layout shifts, the scripts of the watch page keep their limit of size, and the server renders the whole page of a stream', async ({
  page,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'Numbers');
  await recordLayoutShifts(page);
  const pages = [
    ['/', 'h2'],
    ['/streams', 'td'],
    [`/streams/${stream.id}`, '[data-phase]'],
    ['/assets', 'h2'],
    [`/watch/${stream.playbackId}`, '[data-phase]'],
  ] as const;
  for (const [path, selector] of pages) {
    expect(await measureShift(page, path, selector), `cumulative layout shift of ${path}`).toBeLessThan(
      MAX_LAYOUT_SHIFT,
    );
  }

  await setTestPattern(page, stream.id, true);
  const scripts = await measureScripts(page, async () => {
    await page.goto(`/watch/${stream.playbackId}`);
    await expectPlaying(page);
  });
  expect(await page.title()).toBe('Numbers · Headwater');
  // The server renders the whole page including the latest thumbnail, so no part waits for a script.
  const pageHtml = await (await page.request.get(`/streams/${stream.id}`)).text();
  expect(pageHtml).toContain('<title>Numbers · Headwater</title>');
  expect(pageHtml).toContain(`/hls/${stream.playbackId}/thumbnail.jpg"`);
  expect(pageHtml).toContain('aria-label="Rename stream"');
  // A click before the scripts are loaded is not lost.
  await page.goto(`/streams/${stream.id}?tab=settings`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Delete stream' }).click();
  await expect(page.getByRole('alertdialog', { name: /Numbers/ })).toBeVisible();
  // The page of a live stream also shows its picture, health and viewers. A phone has the least room for them.
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await measureShift(page, `/streams/${stream.id}`, '[data-phase="playing"]')).toBeLessThan(
    MAX_LAYOUT_SHIFT,
  );
  await setTestPattern(page, stream.id, false);
  // Without scripts, nothing was measured.
  expect(scripts.count).toBeGreaterThan(3);
  expect(scripts.gzippedBytes).toBeLessThan(MAX_WATCH_SCRIPT_BYTES);
});
