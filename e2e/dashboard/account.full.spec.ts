import { expect, test, type Locator, type Page } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, fillCredentials, logIn } from './page-actions';

const searchInPalette = async (page: Page, text: string) => {
  const input = page.getByRole('combobox', { name: 'Search and commands' });
  // A page that has just loaded may not handle events yet.
  await expect(async () => {
    if (!(await input.isVisible())) await page.keyboard.press('Control+k');
    await expect(input).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await input.fill(text);
};

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(element).toBeFocused({ timeout: 1 });
  }).toPass({ intervals: [0] });
}

test('the keyboard alone opens pages and objects and creates and deletes objects, and a banner shows that the browser is offline', async ({
  page,
  context,
}) => {
  await logIn(page);
  await page.goto('/');
  const stream = await createStream(page, 'Choir rehearsal');
  await searchInPalette(page, 'usag');
  await expect(page.getByRole('option', { name: 'Usage' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/usage');
  await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(page).toHaveURL('/developers/keys');
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await checkPage(page, 'shortcuts');
  await page.keyboard.press('Escape');

  // The palette finds a stream by the playback id in a URL of any host.
  await searchInPalette(page, `http://elsewhere.example/hls/${stream.playbackId}/index.m3u8`);
  await page.getByRole('option', { name: 'Choir rehearsal' }).waitFor();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/streams/${stream.id}`);

  await searchInPalette(page, 'create str');
  await expect(page.getByRole('option', { name: 'Create stream' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Create stream' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/streams');

  await tabTo(page, page.getByRole('button', { name: 'Create stream' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('By hand');
  await tabTo(page, page.getByRole('tab', { name: 'Overview' }));
  await page.keyboard.press('End');
  // The focus of tabs moves after a timer.
  await expect(page.getByRole('tab', { name: 'Settings' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Delete stream' }));
  await page.keyboard.press('Enter');
  // The button that deletes nothing has the initial focus.
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await tabTo(page, page.getByRole('alertdialog').getByRole('textbox'));
  await page.keyboard.type('delete');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/streams');

  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await tabTo(page, page.getByRole('button', { name: 'Create key' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Server');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('group', { name: 'Secret' })).toContainText('lsk_');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: /Server/ })).toBeVisible();

  await context.setOffline(true);
  await expect(page.getByText('You are offline')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are offline')).toBeHidden();
});

test('changing the password logs out the other browser, and a person logs out everywhere and deletes the account', async ({
  page,
  browser,
}) => {
  const account = await logIn(page);
  const otherPage = await (await browser.newContext()).newPage();
  await otherPage.goto('/login');
  await fillCredentials(otherPage, account);
  await otherPage.getByRole('button', { name: 'Log in' }).click();
  await expect(otherPage).toHaveURL('/');

  await page.goto('/settings/password');
  const newPassword = 'other quiet river stones 43';
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Is not the password of this account')).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue(newPassword);
  await page.getByLabel('Current password').fill(account.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  // The other browser stays on its page and shows a dialog, so that typed text is kept.
  await expect(otherPage.getByRole('dialog', { name: 'You are logged out' })).toBeVisible();

  await page.goto('/settings/audit-log');
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText('Account password changed');
  await page.goto('/settings/devices');
  const devices = page.getByRole('list', { name: 'Signed-in devices' });
  await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  const confirmDialog = page.getByRole('alertdialog', { name: 'Log out everywhere?' });
  await confirmDialog.getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(page).toHaveURL('/login');

  await fillCredentials(page, { ...account, password: newPassword });
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/settings/danger-zone');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this account?' });
  await dialog.getByLabel('Type “delete” to confirm').fill('delete');
  await dialog.getByLabel('Your password').fill(newPassword);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL('/signup');
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await otherPage.context().close();
});
