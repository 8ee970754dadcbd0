import { expect, test, type Page } from '@playwright/test';
import { makeAccount } from '../accounts';
import { checkPage } from './page-checks';
import { fillCredentials } from './page-actions';

/** Logs in on the page of the identity provider. */
async function logInAtProvider(page: Page, email: string): Promise<void> {
  await page.locator('input[name="login"]').fill(email);
  await page.locator('input[name="password"]').fill('anything');
  await page.locator('button[type="submit"]').click();
}

test('a person who logs in with the identity provider gets an account and the requested page', async ({
  page,
}) => {
  const email = `oidc-${crypto.randomUUID()}@example.com`;
  // The service needs an account, because without accounts the sign-in page leads to sign-up.
  await makeAccount();
  await page.goto('/login?next=%2Fassets');
  await checkPage(page, 'log-in-with-provider');
  await page.getByRole('button', { name: 'Continue with Lake ID' }).click();
  await logInAtProvider(page, email);
  await expect(page).toHaveURL('/assets');
  await expect(page.getByRole('button', { name: `Account ${email}` })).toBeVisible();
});

test('an account with the same email address is linked, and its old password becomes invalid', async ({
  page,
  browser,
}) => {
  const account = await makeAccount();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Lake ID' }).click();
  await logInAtProvider(page, account.email);
  await expect(page.getByRole('button', { name: `Account ${account.email}` })).toBeVisible();

  const otherContext = await browser.newContext();
  const otherPage = await otherContext.newPage();
  await otherPage.goto('/login');
  await fillCredentials(otherPage, account);
  await otherPage.getByRole('button', { name: 'Log in' }).click();
  await expect(otherPage.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
  await otherContext.close();
});
