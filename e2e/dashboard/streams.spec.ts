import { expect, test } from '@playwright/test';
import { createStream, expectPlaying, logIn } from './session';

test('search, filters and sorting live in the address', async ({ page }) => {
  await logIn(page);
  await page.goto('/streams');
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();

  await createStream(page, 'Choir rehearsal');
  await createStream(page, 'Town hall', { record: true });
  await createStream(page, 'Old lobby', { suspended: true });
  await page.goto('/streams');
  const rows = page.getByRole('table', { name: 'Streams' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(page.getByText('3 streams')).toBeVisible();

  await page.getByLabel('Search streams by name').fill('hall');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/\?q=hall$/);
  await page.getByLabel('Search streams by name').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No stream matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all streams' }).click();
  await expect(page).toHaveURL('/streams');

  await page.getByRole('radio', { name: 'Suspended' }).click();
  await expect(page).toHaveURL('/streams?status=suspended');
  await expect(rows.nth(1)).toContainText('Old lobby');
  await expect(rows).toHaveCount(2);
  await page.goBack();
  await expect(rows).toHaveCount(4);

  await page.getByRole('button', { name: 'Name' }).click();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.nth(1)).toContainText('Choir rehearsal');
});

test('a stream is created, renamed, switched and deleted', async ({ page }) => {
  await logIn(page);
  await page.goto('/streams');
  await page.getByRole('button', { name: 'Create stream' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create stream' });
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await expect(dialog.getByText('Give the stream a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Evening show');
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await expect(page).toHaveURL(/\/streams\/[\w-]{36}$/);

  await page.getByRole('button', { name: 'Rename stream' }).click();
  await page.getByLabel('Stream name').fill('Late show');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Late show');
  await expect(page.getByRole('button', { name: 'Rename stream' })).toBeFocused();

  await page.getByRole('switch', { name: 'Record' }).click();
  await page.getByRole('switch', { name: 'Suspend' }).click();
  await expect(page.getByRole('main').getByText('Suspended', { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Record' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Suspend' })).toBeChecked();
  await page.getByRole('switch', { name: 'Suspend' }).click();
  await expect(page.getByRole('main').getByText('Idle', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Delete stream' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete “Late show”?' });
  await expect(confirm.getByRole('button', { name: 'Delete stream' })).toBeDisabled();
  await confirm.getByLabel('Type “Late show” to confirm').fill('Late show');
  await confirm.getByRole('button', { name: 'Delete stream' }).click();
  await expect(page).toHaveURL('/streams');
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();
});

test('the list turns live by itself', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Live soon');
  await page.goto(`/streams/${stream.id}`);
  await page.getByRole('button', { name: 'Send test pattern' }).click();
  await expectPlaying(page);
  await page.getByRole('link', { name: 'Streams' }).first().click();
  const row = page.getByRole('row', { name: /Live soon/ });
  await expect(row.getByText('Live', { exact: true })).toBeVisible();
  await page.request.patch(`/api/stream/${stream.id}`, {
    data: { suspended: true },
    headers: { origin: new URL(page.url()).origin },
  });
  await expect(row.getByText('Suspended')).toBeVisible({ timeout: 15_000 });
});
