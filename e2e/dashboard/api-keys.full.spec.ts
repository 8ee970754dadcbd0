import { expect, test } from '@playwright/test';
import { expectAccessible } from './page-checks';
import { logIn } from './page-actions';

test('a browser key is created with origins, its secret is shown after the creation and again for the password of the account, and the key is deleted', async ({
  page,
}) => {
  const account = await logIn(page);
  await page.goto('/developers/keys');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Website');
  await dialog.getByRole('radio', { name: /Browser key/ }).click();
  const originsField = dialog.getByLabel('Allowed origins');
  await originsField.fill('https://example.com/shop');
  await expect(dialog.getByText('must not have a path: use https://example.com')).toBeVisible();
  await originsField.fill('https://Example.com:443, http://localhost:5173');
  await originsField.press('Enter');
  await expect(dialog.getByRole('list', { name: 'Origins of this key' }).getByRole('listitem')).toHaveText([
    'https://example.com',
    'http://localhost:5173',
  ]);
  await originsField.fill('*');
  await originsField.press('Enter');
  await expect(dialog.getByText('lets every website use this key')).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove *' }).click();
  await dialog.getByRole('switch', { name: 'Full access' }).click();
  await expect(dialog.getByText('Anyone who opens your page can read this key')).toBeVisible();
  await dialog.getByRole('switch', { name: 'Full access' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const secret = (await dialog.getByRole('group', { name: 'Secret' }).textContent()) ?? '';
  await expectAccessible(page, 'secret of a key');
  expect(secret).toMatch(/^lsk_\w{38}$/);
  await expect(dialog.getByRole('group', { name: 'Line for .env' })).toHaveText(
    `HEADWATER_API_KEY=${secret}`,
  );
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row', { name: /Website/ });
  await expect(row).toContainText(secret.slice(-4));
  await expect(page.getByRole('main')).not.toContainText(secret);
  await expect(row).toContainText('https://example.com +1');

  await page.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Reveal secret' }).click();
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Reveal secret' }).click();
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await dialog.getByLabel('Your password').fill(account.password);
  await dialog.getByRole('button', { name: 'Reveal secret' }).click();
  await expect(dialog.getByRole('group', { name: 'Secret' })).toHaveText(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Delete key' }).click();
  const confirmDialog = page.getByRole('alertdialog', { name: 'Delete the key “Website”?' });
  await confirmDialog.getByLabel('Type “delete” to confirm').fill('delete');
  await confirmDialog.getByRole('button', { name: 'Delete key' }).click();
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
});

test('a backend key authenticates API requests as soon as it is created', async ({
  page,
  playwright,
  baseURL,
}) => {
  const account = await logIn(page);
  await page.goto('/developers/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Server');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByRole('group', { name: 'Secret' }).textContent()) ?? '';

  const anonymousContext = await playwright.request.newContext(baseURL ? { baseURL } : {});
  const accountResponse = await anonymousContext.get('/api/user/me', {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(accountResponse.status()).toBe(200);
  expect(await accountResponse.json()).toMatchObject({ email: account.email });
  await anonymousContext.dispose();
});
