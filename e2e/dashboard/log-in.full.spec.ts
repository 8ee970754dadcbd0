import { expect, test } from '@playwright/test';
import { makeAccount, newCredentials } from '../accounts';
import { fillCredentials } from './page-actions';

test('a return URL that would lead to another site is replaced by the home page', async ({ page }) => {
  const account = await makeAccount();
  // The path normalizes to //example.com/phish, which is a URL of another host.
  await page.goto('/login?next=/.//example.com/phish');
  await fillCredentials(page, account);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/');
});

test('the sign-up form shows its own errors and those of the server, and keeps the email address', async ({
  page,
}) => {
  await page.goto('/signup');
  await fillCredentials(page, { email: 'not-an-address', password: 'short' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Enter your email address')).toBeVisible();
  await expect(page.getByText('At least 10 characters')).toBeVisible();

  const account = newCredentials();
  await fillCredentials(page, { ...account, password: 'password123' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('too common')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
});

test('signing up with the email address of an account shows that no account was created', async ({
  page,
}) => {
  const account = await makeAccount();
  await page.goto('/signup');
  await fillCredentials(page, { ...account, password: 'another long password' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('No account was created')).toBeVisible();
});
