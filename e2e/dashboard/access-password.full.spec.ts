import { type Browser, expect, type Page, test } from '@playwright/test';

import { expectAccessible, lookAround } from './look';
import { createStream, expectPlaying, logIn, setTestPattern } from './session';

/** A viewer who is not logged in. */
async function newViewer(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  return context.newPage();
}

const stage = (page: Page) => page.locator('[data-phase]');

test('a stream with a password: a wrong password, the right one, and a changed one', async ({
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
  await expect(page.getByText('Access saved')).toBeVisible();
  await expect(
    page.getByRole('banner').or(page.locator('header')).getByText('Password').first(),
  ).toBeVisible();

  // The owner needs no password.
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expectPlaying(page);

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
  await expectPlaying(viewer);
  // The token is stored for the lifetime of the tab.
  await viewer.reload();
  await expectPlaying(viewer);

  // A new password revokes access that was granted with the previous password.
  await page.getByRole('tab', { name: 'Settings' }).click();
  await panel.getByLabel('Password for viewers').fill('open wheat');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(stage(viewer)).toHaveAttribute('data-phase', 'refused');
  await expect(viewer.getByText('The password was changed')).toBeVisible();

  // A link for one viewer needs no password.
  await page.getByRole('tab', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('group', { name: 'Watch page with token' });
  await expect(link).toBeVisible();
  await lookAround(page, 'access-link');
  const guest = await newViewer(browser, page);
  await guest.goto((await link.textContent()) ?? '');
  await expectPlaying(guest);
  await guest.goto(((await link.textContent()) ?? '').replace('/watch/', '/embed/'));
  await expectPlaying(guest);

  await page.goto('/streams');
  const row = page.getByRole('row', { name: /members only/ });
  await expect(row.getByTitle('Restricted: Password')).toBeVisible();
  // The owner sees the thumbnail here and on the home page.
  const width = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => row.locator('img').evaluate(width)).toBeGreaterThan(0);
  await page.goto('/');
  const card = page.getByRole('listitem').filter({ hasText: 'members only' });
  await expect.poll(() => card.locator('img').evaluate(width)).toBeGreaterThan(0);
  await setTestPattern(page, stream.id, false);
  for (const each of [viewer, guest]) await each.context().close();
});
