import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { ApiAccount } from '../media/testing/service';
import { checkPage } from './page-checks';
import { clickControl, expectPlaying, logIn } from './page-actions';
import { createVideoAsset } from './video';

const createSrt = (text: string) => Buffer.from(`1\n00:00:00,000 --> 00:00:30,000\n${text}\n`);

async function addSubtitles(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add subtitles' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add subtitles' });
  await dialog.getByLabel('Subtitle file').setInputFiles({ name, mimeType: '', buffer: createSrt(text) });
  await expect(dialog.getByText(name)).toBeVisible();
  if (name.includes('.de.')) await checkPage(page, 'asset-add-subtitles');
  await dialog.getByRole('button', { name: 'Add subtitles' }).click();
  await expect(dialog).toBeHidden();
}

/** Reads the visible text tracks: for each, its label and the texts that it shows now. */
const readCaptions = (page: Page) =>
  page.locator('video').evaluate(({ textTracks }: HTMLVideoElement) =>
    Array.from(textTracks)
      .filter(({ mode }) => mode === 'showing')
      .map(({ label, activeCues }) => [
        label,
        ...Array.from(activeCues ?? [], (cue) => (cue as VTTCue).text),
      ]),
  );

test('the owner adds subtitles, a viewer selects or hides them, and the selection is remembered', async ({
  page,
  browser,
}) => {
  const { id } = await logIn(page);
  const asset = await createVideoAsset('River', 30, await ApiAccount.create(id));
  await page.goto(`/assets/${asset.id}?tab=subtitles`);
  await expect(page.getByText('No subtitles yet')).toBeVisible();
  await addSubtitles(page, 'film.de.srt', 'Die Quelle');
  await addSubtitles(page, 'film.fr.srt', 'La source');
  await page.getByRole('button', { name: /Français/ }).click();
  await page.getByRole('menuitem', { name: 'Show by default' }).click();
  await expect(page.getByText('Default', { exact: true })).toBeVisible();
  await page.getByText('Français', { exact: true }).scrollIntoViewIfNeeded();
  await checkPage(page, 'asset-subtitles');
  const storageState = await page.context().storageState();
  const baseURL = new URL(page.url()).origin;
  const germanContext = await browser.newContext({ baseURL, locale: 'de-DE', storageState });
  const germanPage = await germanContext.newPage();
  await germanPage.goto(`/assets/${asset.id}?tab=subtitles`);
  await germanPage.getByText('Français', { exact: true }).scrollIntoViewIfNeeded();
  await checkPage(germanPage, 'asset-subtitles-german');
  await germanContext.close();

  // The viewer has a new browser context, because this browser may cache the previous playlist for a minute.
  const viewerContext = await browser.newContext({ baseURL });
  const viewer = await viewerContext.newPage();
  const openWatchPage = async () => {
    await viewer.goto(`/watch/${asset.playbackId}`);
    await expectPlaying(viewer);
  };
  await openWatchPage();
  await expect.poll(() => readCaptions(viewer)).toEqual([['Français', 'La source']]);
  await clickControl(viewer, 'Settings');
  const captions = viewer.getByRole('dialog', { name: 'Player settings' }).getByLabel('Captions');
  await captions.selectOption('Deutsch');
  await expect.poll(() => readCaptions(viewer)).toEqual([['Deutsch', 'Die Quelle']]);
  await checkPage(viewer, 'watch-subtitles');
  await openWatchPage();
  await expect.poll(() => readCaptions(viewer)).toEqual([['Deutsch', 'Die Quelle']]);
  await viewer.keyboard.press('c');
  await expect.poll(() => readCaptions(viewer)).toEqual([]);
  await openWatchPage();
  await expect(viewer.getByRole('button', { name: 'Captions' })).toHaveAttribute('aria-pressed', 'false');
  expect(await readCaptions(viewer)).toEqual([]);
  await viewerContext.close();
});

test('the owner chooses a poster and adds a tag, and an animated preview appears on hover in grid and table', async ({
  page,
}) => {
  const { id } = await logIn(page);
  const asset = await createVideoAsset('River', 30, await ApiAccount.create(id));
  await page.goto(`/assets/${asset.id}`);
  await page.getByRole('button', { name: 'Automatic', exact: true }).click();
  const slider = page.getByRole('slider', { name: 'Time of the frame' });
  await slider.fill('20');
  await expect(slider).toHaveAttribute('aria-valuetext', '0:20');
  await slider.blur();
  const frame = page.locator('img[src*="thumbnail.jpg?time=20&"]');
  await expect.poll(() => frame.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Use this frame' }).click();
  await expect(page.getByText('Poster changed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose automatically' })).toBeVisible();
  await checkPage(page, 'asset-poster');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Frame at 0:20' })).toBeVisible();

  await page.goto('/assets');
  await page.getByRole('checkbox', { name: 'Select River' }).click();
  const selectionBar = page.getByRole('region', { name: 'Selection' });
  await selectionBar.getByRole('button', { name: 'Add tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add tag' });
  await dialog.getByRole('textbox', { name: 'Tag' }).fill('Dawn');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await expect(page.getByText('dawn', { exact: true })).toBeVisible();
  // Bulk actions clear the selection.
  await expect(page.getByRole('checkbox', { name: 'Select River' })).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Select River' }).click();
  await selectionBar.getByRole('button', { name: 'Who can watch' }).click();
  await expect(page.getByRole('dialog', { name: 'Who can watch' })).toBeVisible();
  await checkPage(page, 'assets-policy');
  await page.keyboard.press('Escape');
  await checkPage(page, 'assets-tagged');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize({ width: 1440, height: 900 });
  // The grid, and then the table, whose search finds the tag.
  for (const query of ['?view=grid', '?q=daw']) {
    await page.goto(`/assets${query}`);
    const picture = page.locator('img[src*="poster.jpg?at=20"]');
    await expect(picture).toBeVisible();
    await picture.hover();
    const preview = page.locator('img[src*="preview.webp"]');
    await expect(preview).toBeVisible();
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  }
});

test('two playbacks of one viewer count as one view in the list of assets, and playback of the owner does not count', async ({
  page,
  browser,
}) => {
  const { id } = await logIn(page);
  const owner = await ApiAccount.create(id);
  const asset = await createVideoAsset('River', 30, owner);
  const readAsset = async () =>
    (await (await owner.request('GET', `/api/asset/${asset.id}`)).json()) as Asset;
  await page.goto(`/assets/${asset.id}`);
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expectPlaying(page);
  // Delivered minutes are written after the view that caused them.
  await expect.poll(async () => (await readAsset()).deliveredMinutes ?? 0).toBeGreaterThan(0);
  expect(await readAsset()).not.toHaveProperty('views');

  const baseURL = new URL(page.url()).origin;
  // A separate browser context, so that the viewer is not logged in.
  const viewerContext = await browser.newContext({
    baseURL,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Viewer/1',
  });
  const viewer = await viewerContext.newPage();
  // The second playback belongs to the same view.
  for (let playback = 1; playback <= 2; playback += 1) {
    await viewer.goto(`/watch/${asset.playbackId}`);
    await expectPlaying(viewer);
  }
  await viewerContext.close();
  // Narrower tables have no watch time.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/assets?sort=views-desc');
  const row = page.getByRole('row', { name: /River/ });
  await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();
  await expect(row.getByRole('cell', { name: / min$/ })).toBeVisible();
  await page.getByRole('link', { name: 'River' }).click();
  const watchedPanel = page.getByRole('region', { name: 'Watched in 30 days' });
  await expect(watchedPanel.getByText('1', { exact: true })).toBeVisible();
});

test('the owner replaces the file of an asset from a URL, and its playback id and playback URL do not change', async ({
  page,
}) => {
  const { id } = await logIn(page);
  const owner = await ApiAccount.create(id);
  const [asset, longerAsset] = [
    await createVideoAsset('River', 10, owner),
    await createVideoAsset('Delta', 40, owner),
  ];
  const readAsset = async () =>
    (await (await owner.request('GET', `/api/asset/${asset.id}`)).json()) as Asset;
  await page.goto(`/assets/${asset.id}`);
  await page.getByRole('button', { name: 'Actions for River' }).click();
  await page.getByRole('menuitem', { name: 'Replace file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace the file of “River”' });
  await expect(dialog).toBeVisible();
  await checkPage(page, 'asset-replace');
  const url = (longerAsset.downloadUrl ?? '').replace('//localhost', '//127.0.0.1');
  await dialog.getByLabel('File URL').fill(url);
  await dialog.getByRole('button', { name: 'Replace from the URL' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('A new file is on its way').first()).toBeVisible();
  await expect
    .poll(async () => (await readAsset()).videoSpec?.duration, { timeout: 240_000 })
    .toBeGreaterThan(39);
  const { playbackId, playbackUrl } = await readAsset();
  expect({ playbackId, playbackUrl }).toEqual({
    playbackId: asset.playbackId,
    playbackUrl: asset.playbackUrl,
  });
  await page.getByRole('tab', { name: 'Overview' }).click();
  // The page and its player update without a reload.
  await expect(page.getByText('0:00 / 0:40')).toBeVisible({ timeout: 120_000 });
});
