import { expect, test } from '@playwright/test';
import { createResetLink } from '@/lib/domain/accounts';
import { withContext } from '@/scripts/cli/open-context';
import { makeAccount, makeApiKey, newCredentials } from '../accounts';
import { checkPage } from './page-checks';
import { createStream, logIn, logInAsOperator } from './page-actions';

test('a forgotten password is reset with a link from the operator, which works once', async ({ page }) => {
  const account = await makeAccount();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByText('Ask the server operator for a link')).toBeVisible();
  await checkPage(page, 'reset-password-no-mail');
  const link = await withContext((ctx) => createResetLink(ctx, account.email));
  await page.goto(link);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('At least 10 characters', { exact: true })).toBeVisible();
  await checkPage(page, 'reset-password');
  await page.getByLabel('New password').fill('quiet river stones 43');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page).toHaveURL('/');
  // A link that differs from the current URL only in its hash would not load the page again.
  await page.goto('/settings');
  await page.goto(link);
  await page.getByLabel('New password').fill('quiet river stones 44');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('This link is incomplete, has expired or was used already')).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page.getByText('Ask the server operator for a link')).toBeVisible();
});

test('the email address can be changed only with the password', async ({ page }) => {
  const account = await logIn(page);
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  const { email } = newCredentials();
  await dialog.getByLabel('New email').fill(email);
  await dialog.getByLabel('Your password').fill('something else');
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await expect(dialog.getByText('Is not the password of this account')).toBeVisible();
  await checkPage(page, 'change-email');
  await dialog.getByLabel('Your password').fill(account.password);
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByText('Email address changed')).toBeVisible();
  await expect(page.getByRole('main').getByText(email)).toBeVisible();
});

test('a link that confirms an email address shows an error if it is incomplete or invalid', async ({
  page,
}) => {
  await page.goto('/confirm-email');
  await expect(page.getByRole('button', { name: 'Confirm email address' })).toBeDisabled();
  await page.goto('/confirm-email#x');
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByText('has expired or was used already')).toBeVisible();
  await checkPage(page, 'confirm-email');
});

test('an operator invites a person, who signs up with the link once, and revokes another invitation', async ({
  page,
  browser,
}) => {
  await logInAsOperator(page);
  await page.goto('/admin/invitations');
  const guest = newCredentials();
  await page.getByRole('button', { name: 'Invite person' }).first().click();
  await page.getByLabel('Email (optional)').fill(guest.email);
  await checkPage(page, 'admin-invite');
  await page.getByRole('button', { name: 'Create link' }).click();
  const createdDialog = page.getByRole('dialog', { name: 'Invitation created' });
  const link = (await createdDialog.getByRole('group', { name: 'Link' }).textContent()) ?? '';
  await createdDialog.getByRole('button', { name: 'Done' }).click();

  const guestContext = await browser.newContext();
  const otherPage = await guestContext.newPage();
  await otherPage.goto(link);
  await expect(otherPage.getByText('You are invited')).toBeVisible();
  await expect(otherPage.getByLabel('Email')).toHaveValue(guest.email);
  await checkPage(otherPage, 'sign-up-invited');
  await otherPage.getByLabel('Password').fill(guest.password);
  await otherPage.getByRole('button', { name: 'Create account' }).click();
  await expect(otherPage).toHaveURL('/');
  await guestContext.clearCookies();
  await otherPage.goto(link);
  await expect(otherPage.getByRole('heading', { name: 'This invitation doesn’t work' })).toBeVisible();
  await checkPage(otherPage, 'sign-up-bad-invitation');
  await guestContext.close();

  const table = page.getByRole('table', { name: 'Invitations' });
  await page.reload();
  await expect(table.getByRole('row', { name: new RegExp(guest.email) })).toContainText('Used');
  await page.getByRole('button', { name: 'Invite person' }).first().click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions for Anyone with the link' }).click();
  await page.getByRole('menuitem', { name: 'Revoke invitation' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(table.getByRole('row', { name: /Anyone with the link/ }).first()).toContainText('Revoked');
  await checkPage(page, 'admin-invitations');
});

test('an operator suspends, unsuspends and deletes an account', async ({ page, browser }) => {
  const otherContext = await browser.newContext();
  const otherPage = await otherContext.newPage();
  const account = await logIn(otherPage);
  await otherPage.goto('/');
  await createStream(otherPage, 'Town hall');
  await otherPage.evaluate(async () => {
    const body = JSON.stringify({ name: 'Lake TV' });
    const headers = { 'content-type': 'application/json' };
    await fetch('/api/dashboard/teams', { method: 'POST', headers, body });
  });
  const apiKey = await makeApiKey(account.id);
  const readKeyStatus = async () =>
    (await page.request.get('/api/user/me', { headers: { authorization: `Bearer ${apiKey}` } })).status();
  await logInAsOperator(page);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }).click();
  await expect(page).toHaveURL('/admin/accounts');
  await page.getByRole('searchbox').fill(account.email);
  const table = page.getByRole('table', { name: 'Accounts' });
  await expect(table.getByRole('row')).toHaveCount(2);
  const row = table.getByRole('row', { name: new RegExp(account.email) });
  const chooseAction = async (item: string) => {
    await page.getByRole('button', { name: `Actions for ${account.email}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const dialog = page.getByRole('alertdialog');

  await expect(row).toContainText('Lake TV (Owner)');
  await chooseAction('Quotas of Lake TV…');
  await expect(page.getByRole('dialog', { name: 'Quotas of Lake TV' })).toBeVisible();
  await page.keyboard.press('Escape');

  await chooseAction('Suspend account');
  await checkPage(page, 'admin-suspend');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await expect(row).toContainText('Suspended');
  expect(await readKeyStatus()).toBe(403);
  await otherPage.goto('/streams');
  await expect(otherPage).toHaveURL(/\/login/);
  await checkPage(page, 'admin-accounts');

  await chooseAction('Unsuspend account');
  await dialog.getByRole('button', { name: 'Unsuspend account' }).click();
  await expect(row).not.toContainText('Suspended');
  expect(await readKeyStatus()).toBe(200);

  await chooseAction('Delete account');
  await dialog.getByRole('textbox').fill('delete');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('heading', { name: 'No account matches' })).toBeVisible();
  expect([401, 403]).toContain(await readKeyStatus());
  await otherContext.close();
});

test('an operator sees queues, free space and settings, whose secrets are masked', async ({ page }) => {
  await logInAsOperator(page);
  await page.goto('/admin/queues');
  await expect(page.getByRole('table', { name: 'Queues' })).toContainText('Webhook deliveries');
  await checkPage(page, 'admin-queues');
  await page.goto('/admin/storage');
  await expect(page.getByRole('region', { name: 'Free space' })).toContainText(/\d [GT]B/);
  await checkPage(page, 'admin-storage');
  await page.goto('/admin/settings');
  const row = page.getByRole('table', { name: 'Settings' }).getByRole('row', { name: /^APP_SECRET/ });
  await expect(row).toContainText('••••••');
  await checkPage(page, 'admin-settings');
});

test('an account that is not an operator gets 404 for admin pages and 403 for the admin API', async ({
  page,
}) => {
  await logIn(page);
  for (const path of ['/admin/accounts', '/admin/settings', '/admin/nodes'])
    expect((await page.goto(path))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('main')).toHaveCount(1);
  for (const path of ['accounts', 'invitations', 'queues', 'storage', 'settings'])
    expect((await page.request.get(`/api/admin/${path}`)).status()).toBe(403);
});
