import { expect, test } from '@playwright/test';
import { createStream, expectPlaying, logIn, sendTestPattern } from './page-actions';

test('a stream is created, renamed, configured and deleted', async ({ page }) => {
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
  await expect(page.getByRole('switch', { name: 'Record', exact: true })).toBeChecked();
  // A switch moves before the server has responded. The reload below would abort its request.
  const responseTo = (path: RegExp) =>
    page.waitForResponse((response) => response.request().method() === 'PATCH' && path.test(response.url()));
  const saveResponses = [responseTo(/\/stream\/[^/]+\/record$/), responseTo(/\/stream\/[^/]+$/)];
  await page.getByRole('switch', { name: 'Record', exact: true }).click();
  await page.getByRole('switch', { name: 'Suspend' }).click();
  await Promise.all(saveResponses);
  await expect(page.getByRole('main').getByText('Suspended', { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Record', exact: true })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Suspend' })).toBeChecked();
  await page.getByRole('switch', { name: 'Suspend' }).click();
  await expect(page.getByRole('main').getByText('Idle', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Delete stream' }).click();
  const deleteDialog = page.getByRole('alertdialog', { name: 'Delete “Late show”?' });
  await expect(deleteDialog.getByRole('button', { name: 'Delete stream' })).toBeDisabled();
  await expect(deleteDialog).toContainText('assets made from recordings stay in Assets');
  await deleteDialog.getByLabel('Type “delete” to confirm').fill('delete');
  await deleteDialog.getByRole('button', { name: 'Delete stream' }).click();
  await expect(page).toHaveURL('/streams');
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();
});

test('a link back to the list of streams shows that a stream has become live or is suspended', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Live soon');
  await page.goto(`/streams/${stream.id}`);
  await sendTestPattern(page);
  await expectPlaying(page);
  // The preview of a test pattern plays before the stream is live.
  await expect(page.getByRole('main').getByText('Live', { exact: true }).first()).toBeVisible();
  // Suspending disconnects a live stream, so it needs a confirmation.
  const settings = page.getByRole('tab', { name: 'Settings' });
  await settings.click();
  const suspend = page.getByRole('switch', { name: 'Suspend' });
  await suspend.click();
  const confirmDialog = page.getByRole('alertdialog', { name: 'Suspend “Live soon”?' });
  await confirmDialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(suspend).not.toBeChecked();
  await page.getByRole('link', { name: 'Streams' }).first().click();
  const row = page.getByRole('row', { name: /Live soon/ });
  await expect(row.getByText('Live', { exact: true })).toBeVisible();
  await row.getByRole('link', { name: 'Live soon' }).click();
  await settings.click();
  await suspend.click();
  await confirmDialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(suspend).toBeChecked();
  await page.getByRole('link', { name: 'Streams' }).first().click();
  await expect(row.getByText('Suspended')).toBeVisible();
});
