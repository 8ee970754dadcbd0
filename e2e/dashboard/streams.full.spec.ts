import { expect, test } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, logIn } from './page-actions';

test('search and filters of the list of streams are in the URL, and the list can be sorted', async ({
  page,
}) => {
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

test('selected streams are suspended and deleted together, and a rejected deletion is shown with its reason and can be repeated', async ({
  page,
  context,
}) => {
  await logIn(page);
  const streams = [];
  for (const name of ['Choir', 'Town hall', 'Old lobby', 'Harbour'])
    streams.push(await createStream(page, name));
  await page.goto('/streams?sort=name-asc');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  const selectionBar = page.getByRole('region', { name: 'Selection' });
  await page.getByRole('checkbox', { name: 'Select Choir' }).click();
  await page.getByRole('checkbox', { name: 'Select Old lobby' }).click({ modifiers: ['Shift'] });
  await expect(selectionBar).toContainText('3 streams selected');
  await selectionBar.getByRole('button', { name: 'Change' }).click();
  await checkPage(page, 'streams-bulk');
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  await expect(page.getByText('3 streams suspended')).toBeVisible();
  await expect(row('Harbour')).toContainText('Suspended');
  await expect(row('Town hall')).toContainText('Idle');

  // Another tab of the browser shows the same list.
  const otherPage = await context.newPage();
  await otherPage.goto('/streams');
  await expect(otherPage.getByRole('row', { name: /Harbour/ })).toContainText('Suspended');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.route(`**/api/stream/${streams[3]?.id ?? ''}`, (route) =>
    route.fulfill({ status: 409, json: { errors: ['The stream is being moved'] } }),
  );
  await selectionBar.getByRole('button', { name: 'Delete' }).click();
  const confirmDialog = page.getByRole('alertdialog', { name: 'Delete 4 streams?' });
  await confirmDialog.getByLabel('Type “delete” to confirm').fill('delete');
  await confirmDialog.getByRole('button', { name: 'Delete 4 streams' }).click();
  const resultDialog = page.getByRole('dialog', { name: '1 of 4 streams was not deleted' });
  await expect(resultDialog.getByRole('listitem')).toHaveText('HarbourThe stream is being moved');
  // Elements behind the dialog have no role.
  await expect(page.locator('tbody tr')).toHaveText(/Harbour/);
  await expect(otherPage.getByRole('row')).toHaveCount(2);
  await page.unroute(`**/api/stream/${streams[3]?.id ?? ''}`);
  await resultDialog.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();
});
