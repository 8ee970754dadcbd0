import { expect, test } from '@playwright/test';
import { makeAccount } from '../accounts';
import { fillCredentials, logIn, logOut } from './page-actions';

test('after a log-out, a wrong password shows an error, and the right password opens the requested page', async ({
  page,
}) => {
  const account = await logIn(page);
  await page.goto('/');
  await logOut(page, account);

  await page.goto('/streams?status=live');
  await expect(page).toHaveURL('/login?next=%2Fstreams%3Fstatus%3Dlive');
  await fillCredentials(page, { ...account, password: 'not the password' });
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Email')).toHaveValue(account.email);

  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/streams?status=live');
});

test('pages of the dashboard lead to the log-in page without a sign-in session', async ({ page }) => {
  // The service needs an account, because without accounts the sign-in page leads to sign-up.
  await makeAccount();
  for (const path of ['/', '/streams', '/streams/3f0c9b3e-2c4f-4a55-8a8e-0d1f5f0f7a11', '/developers/keys']) {
    await page.goto(path);
    await expect(page).toHaveURL(path === '/' ? '/login' : `/login?next=${encodeURIComponent(path)}`);
  }
});
