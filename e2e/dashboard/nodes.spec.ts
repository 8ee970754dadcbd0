import { expect, test } from '@playwright/test';
import { newPerson } from '../accounts';
import { lookAround } from './look';
import { logIn } from './session';

test('operators see the nodes of the service', async ({ page }) => {
  const [email = ''] = (process.env.OPERATOR_EMAILS ?? '').split(',');
  await logIn(page, { ...newPerson(), email });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Nodes' }).click();
  await expect(page).toHaveURL('/nodes');
  await expect(page).toHaveTitle(/Nodes/);
  const table = page.getByRole('table', { name: 'Nodes' });
  for (const role of ['Live', 'Origin', 'Jobs']) {
    const row = table.getByRole('row', { name: new RegExp(`^${role} `) });
    await expect(row).toContainText('Online');
    await expect(row).toContainText(/\d+%/);
    await expect(row).toContainText(/\d [GT]B/);
  }
  await lookAround(page, 'nodes', 'all');
});

test('for others there is no such page', async ({ page }) => {
  await logIn(page);
  await expect(page.getByRole('link', { name: 'Streams' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Nodes' })).toHaveCount(0);
  const answer = await page.goto('/nodes');
  expect(answer?.status()).toBe(404);
  expect((await page.request.get('/api/admin/nodes')).status()).toBe(403);
});
