import { type Browser, expect, type Page, test } from '@playwright/test';
import { tokenSnippets } from '@/components/access/token-snippets';
import { ApiAccount } from '../media/testing/service';
import { checkPage } from './page-checks';
import { expectPlaying, logIn } from './page-actions';
import { createVideoAsset } from './video';

/** Opens a page in a new browser context, for a viewer who is not logged in. */
async function openViewerPage(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  return context.newPage();
}

/**
 * Signs a playback token with the Node.js code that the dashboard shows. The code is imported as a module, and reads the
 * signing key from the environment.
 * @param envLines lines of an .env file with the signing key
 */
async function createTokenWithSnippet(envLines: string, playbackId: string): Promise<string> {
  const [snippet] = tokenSnippets;
  const variables = envLines.split('\n').map((line): [name: string, value: string] => {
    const [name = ''] = line.split('=', 1);
    return [name, line.slice(name.length + 1)];
  });
  for (const [name, value] of variables) process.env[name] = value;
  const moduleUrl = `data:text/javascript;base64,${Buffer.from(snippet.code).toString('base64')}`;
  const { playbackToken } = (await import(moduleUrl)) as { playbackToken: (id: string) => string };
  for (const [name] of variables) Reflect.deleteProperty(process.env, name);
  return playbackToken(playbackId);
}

test('an asset with the policy “Signed token” plays with a token that the code of the dashboard signs, until the signing key is disabled', async ({
  page,
  browser,
}) => {
  test.slow();
  const { id } = await logIn(page);
  const asset = await createVideoAsset('River film', 60, await ApiAccount.create(id));
  await page.goto('/developers/signing-keys');
  await expect(page.getByRole('heading', { name: 'No signing keys yet' })).toBeVisible();
  await checkPage(page, 'signing-keys-empty');
  await page.getByRole('button', { name: 'Create signing key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Website');
  await dialog.getByRole('button', { name: 'Create signing key' }).click();
  const envLines = (await dialog.getByLabel('Lines for .env', { exact: true }).textContent()) ?? '';
  await checkPage(page, 'signing-key-created');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download .pem' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Website.pem');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /Website/ })).toContainText('Active');
  await checkPage(page, 'signing-keys');

  await page.goto(`/assets/${asset.id}?tab=sharing`);
  const panel = page.getByRole('region', { name: 'Who can watch' });
  await panel.getByRole('radio', { name: /^Signed token/ }).click();
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Access saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expectPlaying(page);
  await checkPage(page, 'asset-access');

  const viewer = await openViewerPage(browser, page);
  await viewer.goto(`/watch/${asset.playbackId}`);
  await expect(viewer.getByText('This link is not enough')).toBeVisible();
  await checkPage(viewer, 'watch-rejected');
  await viewer.goto(`/watch/${asset.playbackId}?jwt=not.a.token`);
  await expect(viewer.getByText('This link is not valid')).toBeVisible();
  const token = await createTokenWithSnippet(envLines, asset.playbackId);
  await viewer.goto(`/watch/${asset.playbackId}?jwt=${token}`);
  await expectPlaying(viewer);

  await page.goto('/developers/signing-keys');
  await page.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable key' }).click();
  await expect(page.getByRole('row', { name: /Website/ })).toContainText('Disabled');
  await viewer.goto(`/watch/${asset.playbackId}?jwt=${token}`);
  await expect(viewer.getByText('This link no longer works')).toBeVisible({ timeout: 30_000 });
  await viewer.context().close();
});
