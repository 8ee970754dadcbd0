import { expect, test, type Page } from '@playwright/test';
import { measureScripts } from './scripts';
import { createStream, expectPlaying, logIn, setTestPattern } from './session';
import { countShifts, smallestShift, maxShift } from './shifts';

/** Gzipped bytes. Next.js and React are more than half, hls.js most of the rest (docs/adr/0022-hls-js-light-build.md). */
const WATCH_SCRIPTS = 270_000;
const measure = (page: Page, path: string, selector: string): Promise<number> =>
  smallestShift(page, async () => {
    await page.goto(path);
    await page.locator(selector).first().waitFor();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  });

test('pages do not move when data arrives; the player is small', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Numbers');
  await countShifts(page);
  const pages = [
    ['/', 'h2'],
    ['/streams', 'td'],
    [`/streams/${stream.id}`, '[data-phase]'],
    ['/assets', 'h2'],
    [`/watch/${stream.playbackId}`, '[data-phase]'],
  ] as const;
  for (const [path, selector] of pages) {
    expect(await measure(page, path, selector), `CLS of ${path}`).toBeLessThan(maxShift);
  }

  await setTestPattern(page, stream.id, true);
  const scripts = await measureScripts(page, async () => {
    await page.goto(`/watch/${stream.playbackId}`);
    await expectPlaying(page);
  });
  expect(await page.title()).toBe('Numbers · Headwater');
  // The server renders the whole page including the latest thumbnail: no part waits for a script.
  const wholePage = await (await page.request.get(`/streams/${stream.id}`)).text();
  expect(wholePage).toContain('<title>Numbers · Headwater</title>');
  expect(wholePage).toContain(`/hls/${stream.playbackId}/thumbnail.jpg"`);
  expect(wholePage).toContain('aria-label="Rename stream"');
  // A click before the scripts are loaded is not lost.
  await page.goto(`/streams/${stream.id}?tab=settings`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Delete stream' }).click();
  await expect(page.getByRole('alertdialog', { name: /Numbers/ })).toBeVisible();
  // A live stream has more content: the picture, its health and its viewers. A phone has the least room for it.
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await measure(page, `/streams/${stream.id}`, '[data-phase="playing"]')).toBeLessThan(maxShift);
  await setTestPattern(page, stream.id, false);
  expect(scripts.count).toBeGreaterThan(3);
  expect(scripts.size).toBeLessThan(WATCH_SCRIPTS);
});
