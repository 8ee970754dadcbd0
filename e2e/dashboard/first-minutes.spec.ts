import { expect, test } from '@playwright/test';
import { expectPlaying, signUp } from './session';

test('from sign-up to a moving picture without a terminal', async ({ page, context }) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Go live in three steps');

  await page.getByRole('button', { name: 'Create my first stream' }).click();
  await expect(page.getByRole('link', { name: 'My first stream' })).toBeVisible();
  await expect(page.getByText('Waiting for your first frame')).toBeVisible();

  // The key is dots on the page and whole on the clipboard.
  const command = page.getByLabel('ffmpeg command', { exact: true });
  await expect(command).toContainText('/live/••••-••••-••••-••••');
  await page.getByRole('button', { name: 'Copy ffmpeg command' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/-f flv rtmp:\/\/\S+\/live\/\w{4}-\w{4}-\w{4}-\w{4}$/);

  await page.getByRole('tab', { name: 'OBS Studio' }).click();
  const key = page.getByRole('group', { name: 'Stream key' });
  await expect(key).toHaveText('••••-••••-••••-••••');
  await page.getByRole('button', { name: 'Reveal stream key' }).click();
  await expect(key).toHaveText(copied.split('/').at(-1) ?? '');

  await page.getByRole('button', { name: 'Send test pattern' }).click();
  await expectPlaying(page);
  await expect(page.getByLabel('Monitor').getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Page for viewers' })).toContainText('/watch/');

  await page.getByRole('button', { name: 'Stop test pattern' }).click();
  await expect(page.getByLabel('Monitor').getByText('Idle', { exact: true })).toBeVisible({
    timeout: 20_000,
  });
});
