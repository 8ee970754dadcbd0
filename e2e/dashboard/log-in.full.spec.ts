import { expect, test } from '@playwright/test';
import { makeAccount, newPerson } from '../accounts';
import { fillCredentials } from './session';

test('the return URL never leads to another site', async ({ page }) => {
  const person = await makeAccount();
  await page.goto('/login?next=/.//example.com/phish');
  await fillCredentials(page, person);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/');
});

test('form errors are shown at their field, before and after the request', async ({ page }) => {
  await page.goto('/signup');
  await fillCredentials(page, { email: 'not-an-address', password: 'short' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Enter your email address')).toBeVisible();
  await expect(page.getByText('At least 10 characters')).toBeVisible();

  const person = newPerson();
  await fillCredentials(page, { ...person, password: 'password123' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('too common')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
});

test('signing up with a known address does not log anyone in', async ({ page }) => {
  const person = await makeAccount();
  await page.goto('/signup');
  await fillCredentials(page, { ...person, password: 'another long password' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('No account was created')).toBeVisible();
});
