import { expect, test } from '@playwright/test';
import { ApiAccount } from '../media/testing/service';
import { expectAccessible, checkPage } from './page-checks';
import { measureScripts } from './loaded-scripts';
import { logIn } from './page-actions';
import { recordLayoutShifts, measureLayoutShift } from './layout-shifts';
import { createVideoAsset } from './video';

/** Maximum size of all scripts of the page in bytes, gzipped. */
const MAX_SCRIPT_BYTES = 420_000;
/** Maximum cumulative layout shift while the page loads. */
const MAX_LAYOUT_SHIFT = 0.01;
/** Maximum height of the name of an asset: one line. */
const MAX_NAME_HEIGHT_PX = 44;
/** A name of 80 characters. */
const longName = 'Advent concert of the parish choir and the brass of the music school, second half'.slice(
  0,
  80,
);
/** Window sizes, and the maximum height of the page in each, in pixels. */
const viewports = [
  { width: 1440, height: 900, maxHeight: 1_200 },
  { width: 360, height: 740, maxHeight: 1_800 },
] as const;

test('the page of an asset keeps its limits of height, script size and layout shift, and shows the Clip button', async ({
  page,
}) => {
  const { id } = await logIn(page);
  const asset = await createVideoAsset(longName, 30, await ApiAccount.create(id));
  await recordLayoutShifts(page);
  const scripts = await measureScripts(page, async () => {
    await page.goto(`/assets/${asset.id}`);
    await page.waitForLoadState('networkidle');
  });
  // Without scripts, nothing was measured.
  expect(scripts.count).toBeGreaterThan(3);
  expect.soft(scripts.gzippedBytes, 'scripts').toBeLessThanOrEqual(MAX_SCRIPT_BYTES);

  for (const { width, height, maxHeight } of viewports) {
    await page.setViewportSize({ width, height });
    const openAsset = async () => {
      await page.goto(`/assets/${asset.id}`);
      await page.locator('[data-phase]').first().waitFor();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    };
    const layoutShift = await measureLayoutShift(page, openAsset, MAX_LAYOUT_SHIFT);
    expect.soft(layoutShift, `shift at ${width} px`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT);
    const clipButton = page.getByRole('button', { name: 'Clip', exact: true });
    await expect.soft(clipButton).toBeInViewport();
    const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
    expect.soft(pageHeight, `height at ${width} px`).toBeLessThanOrEqual(maxHeight);
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect.soft(heading?.height, `name at ${width} px`).toBeLessThanOrEqual(MAX_NAME_HEIGHT_PX);
  }
  await expectAccessible(page, 'asset page');
  await checkPage(page, 'asset-overview');
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [name, tab] of [
    ['Subtitles & chapters', 'subtitles'],
    ['Sharing & access', 'sharing'],
    ['Files & tasks', 'files'],
  ] as const) {
    await page.getByRole('tab', { name }).click();
    await expect(page).toHaveURL(new RegExp(`\\?tab=${tab}$`));
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectAccessible(page, `asset page, ${name}`);
    await checkPage(page, `asset-${tab}`);
  }
  await page.getByRole('button', { name: 'Clip', exact: true }).click();
  await expect(page.getByRole('region', { name: 'New clip' })).toBeVisible();
});
