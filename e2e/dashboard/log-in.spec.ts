import { expect, test } from '@playwright/test';
import { makeAccount, newPerson } from '../accounts';
import { fillCredentials, logIn, logOut } from './session';

test('log-out, wrong password, and back to the page that was asked for', async ({ page }) => {
  const person = await logIn(page);
  await page.goto('/');
  await logOut(page, person);

  await page.goto('/streams?status=live');
  await expect(page).toHaveURL('/login?next=%2Fstreams%3Fstatus%3Dlive');
  await fillCredentials(page, { ...person, password: 'not the password' });
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);

  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/streams?status=live');
});

test('no page of the dashboard opens without a session', async ({ page }) => {
  // Before there is an account, the way leads to the sign-up.
  await makeAccount();
  for (const path of ['/', '/streams', '/streams/3f0c9b3e-2c4f-4a55-8a8e-0d1f5f0f7a11', '/developers/keys']) {
    await page.goto(path);
    await expect(page).toHaveURL(path === '/' ? '/login' : `/login?next=${encodeURIComponent(path)}`);
  }
});

test('the way back never leads to another site', async ({ page }) => {
  const person = await makeAccount();
  await page.goto('/login?next=/.//example.com/phish');
  await fillCredentials(page, person);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/');
});

test('mistakes are said at the field before and after asking the server', async ({ page }) => {
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
