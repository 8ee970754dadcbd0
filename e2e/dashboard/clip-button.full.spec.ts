import { expect, test } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { ApiAccount, waitUntil } from '../media/testing/service';
import { expectAccessible, checkPage } from './page-checks';
import { clickControl, expectPlaying, logIn } from './page-actions';
import { createVideoAsset } from './video';

const createUniqueName = (prefix: string) => `${prefix} ${crypto.randomUUID().slice(0, 8)}`;

test('the Clip button makes a clip of the selected part of an asset', async ({ page }) => {
  const account = await logIn(page);
  const owner = await ApiAccount.create(account.id);
  const asset = await createVideoAsset(createUniqueName('River'), 40, owner);
  await page.goto(`/assets/${asset.id}`);
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    video.currentTime = 20;
    return video.play();
  });
  await expectPlaying(page);
  await clickControl(page, 'Clip');
  const panel = page.getByRole('region', { name: 'New clip' });
  await panel.getByRole('slider', { name: 'Start' }).fill('12');
  await panel.getByRole('slider', { name: 'End' }).fill('16');
  await expect(panel.getByText('Length: 0:04')).toBeVisible();
  // The player shows the frame at which the clip will end.
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBe(16);
  await expectAccessible(page, 'clip editor');
  await checkPage(page, 'clip-editor');
  const name = createUniqueName('Waterfall');
  await panel.getByRole('textbox', { name: 'Name' }).fill(name);
  await panel.getByRole('button', { name: 'Create clip' }).click();
  await expect(page.getByText(`Creating “${name}”`)).toBeVisible();
  const filters = encodeURIComponent(JSON.stringify([{ id: 'sourceType', value: 'clip' }]));
  const readClips = async () =>
    (await (await owner.request('GET', `/api/asset?filters=${filters}`)).json()) as Asset[];
  await waitUntil(async () => (await readClips())[0]?.status.phase === 'ready');
  const [clip] = await readClips();
  expect(clip).toMatchObject({ name, source: { type: 'clip', playbackId: asset.playbackId } });
  expect(Math.abs((clip?.videoSpec?.duration ?? 0) - 4)).toBeLessThan(0.5);
  await page.goto(`/assets/${clip?.id}`);
  await expect(page.getByText('Clip', { exact: true }).first()).toBeVisible();
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    return video.play();
  });
  await expectPlaying(page);
});
