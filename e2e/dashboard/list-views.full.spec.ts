import { expect, test } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, logIn } from './page-actions';

test('the list of streams has pages in both directions, filters by status, and a grid view that survives a reload', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const names = Array.from({ length: 41 }, (_, index) => `Stream ${String(index + 1).padStart(2, '0')}`);
  for (const name of names) await createStream(page, name, { suspended: name === 'Stream 07' });
  await page.goto('/streams?sort=name-asc');
  const table = page.getByRole('table', { name: 'Streams' });
  const firstRowLink = () => table.getByRole('row').nth(1).getByRole('link');
  await expect(firstRowLink()).toHaveText('Stream 01');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(firstRowLink()).toHaveText('Stream 21');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(firstRowLink()).toHaveText('Stream 41');
  // The page of the list survives a reload.
  await page.reload();
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(firstRowLink()).toHaveText('Stream 21');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(firstRowLink()).toHaveText('Stream 01');
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeDisabled();

  await page.getByRole('radio', { name: 'Suspended' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByText('Suspended', { exact: true })).toBeVisible();
  await page.getByRole('radio', { name: 'Live' }).click();
  await expect(page).toHaveURL(/status=live/);
  await expect(page.getByRole('heading', { name: 'No stream matches' })).toBeVisible();
  await page.getByRole('radio', { name: 'All' }).click();

  await page.getByRole('radio', { name: 'Grid' }).click();
  const grid = page.getByRole('list', { name: 'Streams' });
  await expect(grid.getByRole('listitem')).toHaveCount(20);
  await page.reload();
  await expect(grid.getByRole('link', { name: 'Stream 01' })).toBeVisible();
  await grid.getByRole('checkbox', { name: 'Select Stream 02' }).click();
  await expect(page.getByText('1 stream selected')).toBeVisible();
  await grid.getByRole('button', { name: 'Actions for Stream 02' }).click();
  await page.getByRole('menuitem', { name: 'Delete stream' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await checkPage(page, 'streams-grid');
});

test('on a phone the rows of the list of streams are at most 90 px high', async ({ page }) => {
  await logIn(page);
  await createStream(page, 'Choir rehearsal with a name that needs more than a single line of a phone');
  await createStream(page, 'Town hall', { suspended: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/streams');
  const rows = page.getByRole('table', { name: 'Streams' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  for (const index of [1, 2]) {
    const height = async () => (await rows.nth(index).boundingBox())?.height;
    await expect.poll(height).toBeLessThanOrEqual(90);
  }
  await checkPage(page, 'streams-phone');
});
