import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAccessible, checkPage } from './page-checks';
import { createStream, expectPlaying, logIn, setTestPattern } from './page-actions';

/** Opens a page in a new browser context, for a viewer who is not logged in. */
async function openViewerPage(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  return context.newPage();
}

const playerOf = (page: Page) => page.locator('[data-phase]');

test('viewers of a stream need its current password or a link with a token, and the owner needs neither', async ({
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
  await checkPage(page, 'access-policy');
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
  const germanContext = await browser.newContext({ baseURL: origin, locale: 'de-DE', storageState });
  const germanPage = await germanContext.newPage();
  await germanPage.goto(`/streams/${stream.id}?tab=settings`);
  await expect(germanPage.getByRole('region', { name: 'Wer zusehen darf' })).toBeVisible();
  await checkPage(germanPage, 'access-policy-german');
  await germanPage.getByRole('radio', { name: /^Ihr Server entscheidet/ }).click();
  await germanPage.getByRole('textbox', { name: 'Kontext' }).fill('{ "plan": "gold" }');
  await checkPage(germanPage, 'access-webhook-german');
  await germanContext.close();

  const viewer = await openViewerPage(browser, page);
  await viewer.goto(`/watch/${stream.playbackId}`);
  const passwordField = viewer.getByLabel('Password');
  await expect(passwordField).toBeVisible();
  await checkPage(viewer, 'watch-password');
  await passwordField.fill('open barley');
  await viewer.getByRole('button', { name: 'Watch' }).click();
  await expect(viewer.getByText('Wrong password')).toBeVisible();
  await expectAccessible(viewer, 'a wrong password');
  await passwordField.fill('open sesame');
  await passwordField.press('Enter');
  await expectPlaying(viewer);
  // The tab stores the token that replaces the password, so a reload does not ask again.
  await viewer.reload();
  await expectPlaying(viewer);

  // A new password revokes access that was granted with the previous password.
  await page.getByRole('tab', { name: 'Settings' }).click();
  await panel.getByLabel('Password for viewers').fill('open wheat');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(playerOf(viewer)).toHaveAttribute('data-phase', 'rejected');
  await expect(viewer.getByText('The password was changed')).toBeVisible();

  // A link for one viewer needs no password.
  await page.getByRole('tab', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('group', { name: 'Watch page with token' });
  await expect(link).toBeVisible();
  await checkPage(page, 'access-link');
  const guest = await openViewerPage(browser, page);
  await guest.goto((await link.textContent()) ?? '');
  await expectPlaying(guest);
  await guest.goto(((await link.textContent()) ?? '').replace('/watch/', '/embed/'));
  await expectPlaying(guest);

  await page.goto('/streams');
  const row = page.getByRole('row', { name: /members only/ });
  await expect(row.getByTitle('Restricted: Password')).toBeVisible();
  // The owner sees the thumbnail here and on the home page.
  const readNaturalWidth = (image: HTMLImageElement) => image.naturalWidth;
  await expect.poll(() => row.locator('img').evaluate(readNaturalWidth)).toBeGreaterThan(0);
  await page.goto('/');
  const card = page.getByRole('listitem').filter({ hasText: 'members only' });
  await expect.poll(() => card.locator('img').evaluate(readNaturalWidth)).toBeGreaterThan(0);
  await setTestPattern(page, stream.id, false);
  for (const viewerPage of [viewer, guest]) await viewerPage.context().close();
});
