import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { endReconnectWindow } from '../media/testing/service';
import { expectPlaying, signUp } from './page-actions';

const run = promisify(execFile);

// A new browser shows all animations.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('three steps lead a new person from sign-up to a live stream, a recording and an API call', async ({
  page,
  context,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Get started');
  await expect(page.getByText('0 of 3 steps done')).toBeVisible();

  await page.getByRole('button', { name: 'Create my first stream' }).click();
  await expect(page.getByRole('link', { name: 'My first stream' })).toBeVisible();
  await expect(page.getByText('Waiting for video')).toBeVisible();

  // The page masks the key; the clipboard gets the whole key.
  const command = page.getByLabel('ffmpeg command', { exact: true });
  await expect(command).toContainText('/live/••••-••••-••••-••••');
  await page.getByRole('button', { name: 'Copy ffmpeg command' }).click();
  const copiedText = await page.evaluate(() => navigator.clipboard.readText());
  expect(copiedText).toMatch(/-f flv rtmp:\/\/\S+\/live\/\w{4}-\w{4}-\w{4}-\w{4}$/);

  await page.getByRole('tab', { name: 'OBS Studio' }).click();
  const key = page.getByRole('group', { name: 'Stream key' });
  await expect(key).toHaveText('••••-••••-••••-••••');
  await page.getByRole('button', { name: 'Reveal stream key' }).click();
  await expect(key).toHaveText(copiedText.split('/').at(-1) ?? '');

  await page.getByRole('button', { name: 'Send test pattern' }).click();
  await expectPlaying(page);
  await expect(page.getByLabel('Monitor').getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Watch page' })).toContainText('/watch/');

  await page.getByRole('button', { name: 'Stop test pattern' }).click();
  await expect(page.getByLabel('Monitor').getByText('Idle', { exact: true })).toBeVisible();

  await expect(page.getByText('2 of 3 steps done')).toBeVisible();
  const linkTo = async (name: string) =>
    (await page.getByRole('main').getByRole('link', { name }).first().getAttribute('href')) ?? '';
  const [streamPath, recordings] = [await linkTo('My first stream'), await linkTo('Recordings')];
  expect(recordings).toBe(`${streamPath}?tab=sessions`);

  await page.getByRole('link', { name: 'Create an API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('First');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const curl = (await dialog.getByLabel('Try it', { exact: true }).textContent()) ?? '';
  const { stdout } = await run('sh', ['-c', `${curl} --silent`]);
  expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toContain('My first stream');

  await page.goto(recordings);
  // Ends the reconnect window, which would take six minutes.
  await endReconnectWindow(streamPath.split('/').at(-1) ?? '');
  await page.getByRole('link', { name: 'Asset', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expectPlaying(page);
  await expect(page.getByRole('slider', { name: 'Position' })).toBeVisible();

  // A team that has sent video gets the regular home page.
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('region', { name: 'Recent recordings and uploads' })).toContainText(
    'My first stream',
  );
  await expect(page.getByText('Get started')).toHaveCount(0);
});
