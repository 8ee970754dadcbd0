import { expect, test } from '@playwright/test';
import { checkPage } from './page-checks';
import { logIn } from './page-actions';

test('an API key can be created with the scope Read only and an expiry date, and the table shows its scope', async ({
  page,
}) => {
  await logIn(page);
  await page.goto('/developers/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Monitoring');
  await dialog.getByRole('button', { name: 'Scope: Everything' }).click();
  await page.getByRole('menuitemradio', { name: 'Read only' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Expires: Never' }).click();
  await page.getByRole('menuitemradio', { name: 'In 30 days' }).click();
  await page.keyboard.press('Escape');
  await checkPage(page, 'key-limits');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: 'Monitoring' })).toContainText('Read only');
  await checkPage(page, 'key-table');
});
