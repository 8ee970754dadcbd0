import { expect, test } from '@playwright/test';
import { createStream, expectPlaying, logIn, setTestPattern } from './page-actions';

// access-password.full.spec.ts tests links with a token, the German page and the view of the owner.
test('a viewer needs the password of a stream, and loses access when the password changes', async ({
  page,
  browser,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'River, members only');
  await setTestPattern(page, stream.id, true);
  await page.goto(`/streams/${stream.id}?tab=settings`);
  const panel = page.getByRole('region', { name: 'Who can watch' });
  const savePassword = async (password: string) => {
    await panel.getByLabel('Password for viewers').fill(password);
    await panel.getByRole('button', { name: 'Save' }).click();
  };
  await panel.getByRole('radio', { name: /^Password/ }).click();
  await savePassword('open sesame');
  await expect(page.getByText('Access saved')).toBeVisible();

  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const viewer = await context.newPage();
  await viewer.goto(`/watch/${stream.playbackId}`);
  const passwordField = viewer.getByLabel('Password');
  await passwordField.fill('open barley');
  await viewer.getByRole('button', { name: 'Watch' }).click();
  await expect(viewer.getByText('Wrong password')).toBeVisible();
  await passwordField.fill('open sesame');
  await passwordField.press('Enter');
  await expectPlaying(viewer);

  // A new password revokes access that was granted with the previous password.
  await savePassword('open wheat');
  await expect(viewer.locator('[data-phase]')).toHaveAttribute('data-phase', 'rejected');
  await expect(viewer.getByText('The password was changed')).toBeVisible();
  await setTestPattern(page, stream.id, false);
  await context.close();
});
