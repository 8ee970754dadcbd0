import { expect, test, type Page } from '@playwright/test';
import { makeAccount } from '../accounts';
import { lookAround } from './look';
import { fillCredentials } from './session';

/** Fills in the log-in page of the provider. */
async function answerIssuer(page: Page, email: string): Promise<void> {
  await page.locator('input[name="login"]').fill(email);
  await page.locator('input[name="password"]').fill('anything');
  await page.locator('button[type="submit"]').click();
}

test('the identity provider authenticates a person, who gets an account and the requested page', async ({
  page,
}) => {
  const email = `oidc-${crypto.randomUUID()}@example.com`;
  // Without any account, the log-in page leads to sign-up.
  await makeAccount();
  await page.goto('/login?next=%2Fassets');
  await lookAround(page, 'log-in-with-provider');
  await page.getByRole('button', { name: 'Continue with Lake ID' }).click();
  await answerIssuer(page, email);
  await expect(page).toHaveURL('/assets');
  await expect(page.getByRole('button', { name: `Account ${email}` })).toBeVisible();
});

test('an account with the same address is linked, and its old password becomes invalid', async ({
  page,
  browser,
}) => {
  const person = await makeAccount();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Lake ID' }).click();
  await answerIssuer(page, person.email);
  await expect(page.getByRole('button', { name: `Account ${person.email}` })).toBeVisible();

  const otherContext = await browser.newContext();
  const stranger = await otherContext.newPage();
  await stranger.goto('/login');
  await fillCredentials(stranger, person);
  await stranger.getByRole('button', { name: 'Log in' }).click();
  await expect(stranger.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
  await otherContext.close();
});
