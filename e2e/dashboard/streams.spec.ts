import { expect, test } from '@playwright/test';
import { lookAround } from './look';
import { createStream, expectPlaying, logIn, sendTestPattern } from './session';

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

test('many streams are changed and deleted together, and what is refused is told', async ({
  page,
  context,
}) => {
  await logIn(page);
  const streams = [];
  for (const name of ['Choir', 'Town hall', 'Old lobby', 'Harbour'])
    streams.push(await createStream(page, name));
  await page.goto('/streams?sort=name-asc');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  const bar = page.getByRole('region', { name: 'Selection' });
  await page.getByRole('checkbox', { name: 'Select Choir' }).click();
  await page.getByRole('checkbox', { name: 'Select Old lobby' }).click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 streams selected');
  await bar.getByRole('button', { name: 'Change' }).click();
  await lookAround(page, 'streams-bulk');
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  await expect(page.getByText('3 streams suspended')).toBeVisible();
  await expect(row('Harbour')).toContainText('Suspended');
  await expect(row('Town hall')).toContainText('Idle');

  // One of them goes meanwhile, in another tab that sees this one's changes.
  const other = await context.newPage();
  await other.goto('/streams');
  await expect(other.getByRole('row', { name: /Harbour/ })).toContainText('Suspended');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.route(`**/api/stream/${streams[3]?.id ?? ''}`, (route) =>
    route.fulfill({ status: 409, json: { errors: ['The stream is being moved'] } }),
  );
  await bar.getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete 4 streams?' });
  await confirm.getByLabel('Type “delete” to confirm').fill('delete');
  await confirm.getByRole('button', { name: 'Delete 4 streams' }).click();
  const told = page.getByRole('dialog', { name: '1 of 4 streams was not deleted' });
  await expect(told.getByRole('listitem')).toHaveText('HarbourThe stream is being moved');
  // Behind the dialog nothing has a role.
  await expect(page.locator('tbody tr')).toHaveText(/Harbour/);
  await expect(other.getByRole('row')).toHaveCount(2);
  await page.unroute(`**/api/stream/${streams[3]?.id ?? ''}`);
  await told.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();
});

test('a stream is created, renamed, switched and deleted', async ({ page }) => {
  await logIn(page);
  await page.goto('/streams');
  await page.getByRole('button', { name: 'Create stream' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create stream' });
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await expect(dialog.getByText('Enter a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Evening show');
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await expect(page).toHaveURL(/\/streams\/[\w-]{36}$/);

  await page.getByRole('button', { name: 'Rename stream' }).click();
  await page.getByLabel('Stream name').fill('Late show');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Late show');
  await expect(page.getByRole('button', { name: 'Rename stream' })).toBeFocused();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(page.getByRole('switch', { name: 'Record' })).toBeChecked();
  // A switch moves before the server has answered; the reload below would cut its request off.
  const answered = (path: RegExp) =>
    page.waitForResponse((response) => response.request().method() === 'PATCH' && path.test(response.url()));
  const saved = [answered(/\/stream\/[^/]+\/record$/), answered(/\/stream\/[^/]+$/)];
  await page.getByRole('switch', { name: 'Record' }).click();
  await page.getByRole('switch', { name: 'Suspend' }).click();
  await Promise.all(saved);
  await expect(page.getByRole('main').getByText('Suspended', { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Record' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Suspend' })).toBeChecked();
  await page.getByRole('switch', { name: 'Suspend' }).click();
  await expect(page.getByRole('main').getByText('Idle', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Delete stream' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete “Late show”?' });
  await expect(confirm.getByRole('button', { name: 'Delete stream' })).toBeDisabled();
  await expect(confirm).toContainText('assets made from recordings stay in Assets');
  await confirm.getByLabel('Type “delete” to confirm').fill('delete');
  await confirm.getByRole('button', { name: 'Delete stream' }).click();
  await expect(page).toHaveURL('/streams');
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();
});

test('the list turns live by itself', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Live soon');
  await page.goto(`/streams/${stream.id}`);
  await sendTestPattern(page);
  await expectPlaying(page);
  // Suspending cuts off what is on air: that is asked first.
  const settings = page.getByRole('tab', { name: 'Settings' });
  await settings.click();
  const suspend = page.getByRole('switch', { name: 'Suspend' });
  await suspend.click();
  const question = page.getByRole('alertdialog', { name: 'Suspend “Live soon”?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(suspend).not.toBeChecked();
  await page.getByRole('link', { name: 'Streams' }).first().click();
  const row = page.getByRole('row', { name: /Live soon/ });
  await expect(row.getByText('Live', { exact: true })).toBeVisible();
  await row.getByRole('link', { name: 'Live soon' }).click();
  await settings.click();
  await suspend.click();
  await question.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(suspend).toBeChecked();
  await page.getByRole('link', { name: 'Streams' }).first().click();
  await expect(row.getByText('Suspended')).toBeVisible();
});
