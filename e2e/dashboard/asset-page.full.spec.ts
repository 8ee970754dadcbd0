import { expect, test } from '@playwright/test';
import { Owner } from '../media/testing/service';
import { expectAccessible, lookAround } from './look';
import { measureScripts } from './scripts';
import { logIn } from './session';
import { countShifts, smallestShift } from './shifts';
import { makeVideo } from './video';

/** Maximum bytes of scripts, gzipped. */
const MAX_SCRIPT_BYTES = 420_000;
const MAX_SHIFT = 0.01;
const sizes = [
  { width: 1440, height: 900, maxHeight: 1_200 },
  { width: 360, height: 740, maxHeight: 1_800 },
] as const;

test('the page of an asset is short, small and without layout shifts; Clip is in view', async ({ page }) => {
  const { id } = await logIn(page);
  const asset = await makeVideo('River', 30, await Owner.create(id));
  await countShifts(page);
  const scripts = await measureScripts(page, async () => {
    await page.goto(`/assets/${asset.id}`);
    await page.waitForLoadState('networkidle');
  });
  expect(scripts.count).toBeGreaterThan(3);
  expect.soft(scripts.size, 'scripts').toBeLessThanOrEqual(MAX_SCRIPT_BYTES);

  for (const { width, height, maxHeight } of sizes) {
    await page.setViewportSize({ width, height });
    const open = async () => {
      await page.goto(`/assets/${asset.id}`);
      await page.locator('[data-phase]').first().waitFor();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    };
    const shift = await smallestShift(page, open, MAX_SHIFT);
    expect.soft(shift, `shift at ${width} px`).toBeLessThanOrEqual(MAX_SHIFT);
    const clip = page.getByRole('button', { name: 'Clip', exact: true });
    await expect.soft(clip).toBeInViewport();
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    expect.soft(tall, `height at ${width} px`).toBeLessThanOrEqual(maxHeight);
  }
  await expectAccessible(page, 'asset page');
  await lookAround(page, 'asset-overview');
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
    await lookAround(page, `asset-${tab}`);
  }
  await page.getByRole('button', { name: 'Clip', exact: true }).click();
  await expect(page.getByRole('region', { name: 'New clip' })).toBeVisible();
});
