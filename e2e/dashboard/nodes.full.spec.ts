import { expect, test } from '@playwright/test';
import { checkPage } from './page-checks';
import { logIn, logInAsOperator } from './page-actions';

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
  await checkPage(page, 'nodes');
});

test('an account that is not an operator gets 404 for the page of nodes and 403 from its API', async ({
  page,
}) => {
  await logIn(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Streams' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  const response = await page.goto('/admin/nodes');
  expect(response?.status()).toBe(404);
  expect((await page.request.get('/api/admin/nodes')).status()).toBe(403);
});
