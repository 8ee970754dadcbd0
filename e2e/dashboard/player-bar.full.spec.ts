import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { expectAccessible } from './page-checks';
import { inspectBar, controlsByWidth } from './player-bar';
import { clickControl, expectPlaying } from './page-actions';
import { createVideoAsset } from './video';

// The control bar of the player at several widths. An embed is as wide as its window.

let asset: Asset;
test.beforeAll(async () => {
  asset = await createVideoAsset('River', 60);
});

const readBar = (page: Page) => page.locator('[data-controls]').evaluate(inspectBar);

for (const touch of [false, true]) {
  test(`the control bar has its buttons inside the picture at widths from 320 to 2560 px${touch ? ', and at least 44 px high and wide on a touchscreen' : ''}`, async ({
    browser,
  }) => {
    const viewport = { width: 1280, height: 720 };
    const context = await browser.newContext({ viewport, hasTouch: touch, isMobile: touch });
    const page = await context.newPage();
    await page.goto(`/embed/${asset.playbackId}`);
    await expectPlaying(page);
    for (const [width, names] of controlsByWidth) {
      await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
      await expect
        .poll(async () => (await readBar(page)).names, { message: `${width} px` })
        .toEqual([...names].sort());
      const { outside, overlaps, small, scrollWidth } = await readBar(page);
      expect({ width, outside, overlaps, scrollWidth }).toEqual({
        width,
        outside: [],
        overlaps: [],
        scrollWidth: width,
      });
      if (touch) expect.soft(small, `${width} px`).toEqual([]);
    }
    await context.close();
  });
}

test('controls that do not fit into a narrow bar are in the settings, which cover the player', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 180 });
  await page.goto(`/embed/${asset.playbackId}`);
  await expectPlaying(page);
  await clickControl(page, 'Settings');
  const panel = page.getByRole('dialog', { name: 'Player settings' });
  await expect(panel.getByRole('button', { name: 'Picture in picture' })).toHaveCount(1);
  await expect(panel.getByText('Length')).toHaveCount(1);
  await expect(panel.getByRole('slider', { name: 'Volume' })).toHaveCount(1);
  expect(await panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 320, height: 180 });
  await expectAccessible(page, 'settings of a narrow player');
  await panel.getByRole('button', { name: 'Close settings' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Settings' })).toBeFocused();

  await page.setViewportSize({ width: 960, height: 540 });
  await clickControl(page, 'Settings');
  await expect(panel.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Picture in picture' })).toHaveCount(0);
  await expect(panel.getByText('Length')).toHaveCount(0);
});
