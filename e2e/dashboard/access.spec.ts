import { type Browser, expect, type Page, test } from '@playwright/test';
import { tokenSnippets } from '@/components/access/token-snippets';
import { Owner } from '../media/testing/service';
import { expectAccessible, lookAround } from './look';
import { createStream, expectPlaying, logIn, setTestPattern } from './session';
import { makeVideo } from './video';

/** A viewer who is not logged in. */
async function newViewer(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  return context.newPage();
}

const stage = (page: Page) => page.locator('[data-phase]');

/** Runs the snippet of the page for Node, with the keys that it reads from the environment. */
async function tokenBySnippet(lines: string, playbackId: string): Promise<string> {
  const [snippet] = tokenSnippets;
  const given = lines.split('\n').map((line): [name: string, value: string] => {
    const [name = ''] = line.split('=', 1);
    return [name, line.slice(name.length + 1)];
  });
  for (const [name, value] of given) process.env[name] = value;
  const source = `data:text/javascript;base64,${Buffer.from(snippet.code).toString('base64')}`;
  const { playbackToken } = (await import(source)) as { playbackToken: (id: string) => string };
  for (const [name] of given) Reflect.deleteProperty(process.env, name);
  return playbackToken(playbackId);
}

test('a stream with a password: the wrong one, the right one, and another one later', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'River, members only');
  await setTestPattern(page, stream.id, true);
  await page.goto(`/streams/${stream.id}?tab=settings`);
  const panel = page.getByRole('region', { name: 'Who can watch' });
  await panel.getByRole('radio', { name: /^Password/ }).click();
  await panel.getByLabel('Password for viewers').fill('open sesame');
  await lookAround(page, 'access-policy');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved who can watch')).toBeVisible();
  await expect(
    page.getByRole('banner').or(page.locator('header')).getByText('Password').first(),
  ).toBeVisible();

  // Its owner needs none.
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expectPlaying(page, 60_000);

  const { origin } = new URL(page.url());
  const storageState = await page.context().storageState();
  const german = await browser.newContext({ baseURL: origin, locale: 'de-DE', storageState });
  const owner = await german.newPage();
  await owner.goto(`/streams/${stream.id}?tab=settings`);
  await expect(owner.getByRole('region', { name: 'Wer zusehen darf' })).toBeVisible();
  await lookAround(owner, 'access-policy-german');
  await owner.getByRole('radio', { name: /^Ihr Server entscheidet/ }).click();
  await owner.getByRole('textbox', { name: 'Kontext' }).fill('{ "plan": "gold" }');
  await lookAround(owner, 'access-webhook-german');
  await german.close();

  const viewer = await newViewer(browser, page);
  await viewer.goto(`/watch/${stream.playbackId}`);
  const field = viewer.getByLabel('Password');
  await expect(field).toBeVisible();
  await lookAround(viewer, 'watch-password');
  await field.fill('open barley');
  await viewer.getByRole('button', { name: 'Watch' }).click();
  await expect(viewer.getByText('Wrong password')).toBeVisible();
  await expectAccessible(viewer, 'a wrong password');
  await field.fill('open sesame');
  await field.press('Enter');
  await expectPlaying(viewer, 60_000);
  // The token is kept for the tab.
  await viewer.reload();
  await expectPlaying(viewer, 60_000);

  // Another password ends what was given for the first.
  await page.getByRole('tab', { name: 'Settings' }).click();
  await panel.getByLabel('Password for viewers').fill('open wheat');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(stage(viewer)).toHaveAttribute('data-phase', 'refused', { timeout: 60_000 });
  await expect(viewer.getByText('The password was changed')).toBeVisible();

  // A link for one viewer needs no password.
  await page.getByRole('tab', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('group', { name: 'Watch page with token' });
  await expect(link).toBeVisible();
  await lookAround(page, 'access-link');
  const guest = await newViewer(browser, page);
  await guest.goto((await link.textContent()) ?? '');
  await expectPlaying(guest, 60_000);
  await guest.goto(((await link.textContent()) ?? '').replace('/watch/', '/embed/'));
  await expectPlaying(guest, 60_000);

  await page.goto('/streams');
  const row = page.getByRole('row', { name: /members only/ });
  await expect(row.getByTitle('Restricted: Password')).toBeVisible();
  // Its owner sees the picture, here and on the home page.
  const width = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => row.locator('img').evaluate(width), { timeout: 60_000 }).toBeGreaterThan(0);
  await page.goto('/');
  const card = page.getByRole('listitem').filter({ hasText: 'members only' });
  await expect.poll(() => card.locator('img').evaluate(width), { timeout: 60_000 }).toBeGreaterThan(0);
  await setTestPattern(page, stream.id, false);
  for (const each of [viewer, guest]) await each.context().close();
});

test('a video with signed tokens: a key, the code of the page, and a key that is disabled', async ({
  page,
  browser,
}) => {
  test.slow();
  const { id } = await logIn(page);
  const asset = await makeVideo('River film', 60, await Owner.create(id));
  await page.goto('/developers/signing-keys');
  await expect(page.getByRole('heading', { name: 'No signing keys yet' })).toBeVisible();
  await lookAround(page, 'signing-keys-empty');
  await page.getByRole('button', { name: 'Create signing key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Website');
  await dialog.getByRole('button', { name: 'Create signing key' }).click();
  const lines = (await dialog.getByLabel('Lines for .env', { exact: true }).textContent()) ?? '';
  await lookAround(page, 'signing-key-created');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download .pem' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Website.pem');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /Website/ })).toContainText('Active');
  await lookAround(page, 'signing-keys');

  await page.goto(`/assets/${asset.id}`);
  const panel = page.getByRole('region', { name: 'Who can watch' });
  await panel.getByRole('radio', { name: /^Signed token/ }).click();
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved who can watch')).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await expectPlaying(page);
  await lookAround(page, 'asset-access');

  const viewer = await newViewer(browser, page);
  await viewer.goto(`/watch/${asset.playbackId}`);
  await expect(viewer.getByText('This link is not enough')).toBeVisible();
  await lookAround(viewer, 'watch-refused');
  await viewer.goto(`/watch/${asset.playbackId}?jwt=not.a.token`);
  await expect(viewer.getByText('This link is not valid')).toBeVisible();
  const token = await tokenBySnippet(lines, asset.playbackId);
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
