import { expect, test } from '@playwright/test';
import { lookAround } from './look';
import { logIn, logInAsOperator } from './session';

test('operators see the nodes of the service', async ({ page }) => {
  await logInAsOperator(page);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Nodes' }).click();
  await expect(page).toHaveURL('/admin/nodes');
  await expect(page).toHaveTitle(/Nodes/);
  const table = page.getByRole('table', { name: 'Nodes' });
  for (const role of ['Live', 'Origin', 'Jobs']) {
    const row = table.getByRole('row', { name: new RegExp(`^${role} `) });
    await expect(row).toContainText('Online');
    await expect(row).toContainText(/\d+%/);
    await expect(row).toContainText(/\d [GT]B/);
  }
  await lookAround(page, 'nodes');
});

test('accounts that are not operators get no such page', async ({ page }) => {
  await logIn(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Streams' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  const answer = await page.goto('/admin/nodes');
  expect(answer?.status()).toBe(404);
  expect((await page.request.get('/api/admin/nodes')).status()).toBe(403);
});
