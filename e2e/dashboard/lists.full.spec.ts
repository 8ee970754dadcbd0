import { expect, test } from '@playwright/test';
import { createStream, createWebhook, logIn } from './page-actions';

test('the stream filter of the sessions finds a stream by its name and keeps it in the URL', async ({
  page,
}) => {
  await logIn(page);
  for (let number = 10; number < 40; number++) await createStream(page, `Camera ${number}`);
  const { id } = await createStream(page, 'Zebra crossing');
  await page.goto('/sessions?q=none');
  await page.getByRole('combobox', { name: 'Stream: All streams' }).click();
  // “All streams”, and the first 20 of the 31 streams.
  await expect(page.getByRole('option')).toHaveCount(21);
  await page.keyboard.type('zeb');
  await expect(page.getByRole('option')).toHaveText(['Zebra crossing']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`stream=${id}`));
  await expect(page.getByRole('combobox', { name: 'Stream: Zebra crossing' })).toBeFocused();
  await page.reload();
  await page.getByRole('combobox', { name: 'Stream: Zebra crossing' }).click();
  await page.getByRole('option', { name: 'All streams' }).click();
  await expect(page).not.toHaveURL(/stream=/);
});

test('tasks of deleted assets are listed without failed requests and without requests for assets', async ({
  page,
}) => {
  await logIn(page);
  const { origin } = new URL(page.url());
  const assetIds = [];
  for (const name of ['Kept', 'Gone', 'Lost']) {
    const response = await page.request.post('/api/asset/request-upload', {
      data: { name },
      headers: { origin },
    });
    assetIds.push(((await response.json()) as { asset: { id: string } }).asset.id);
  }
  for (const id of assetIds.slice(1)) await page.request.delete(`/api/asset/${id}`, { headers: { origin } });
  const unexpectedResponses: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 || pathname.startsWith('/api/asset/'))
      unexpectedResponses.push(`${response.status()} ${pathname}`);
  });
  await page.goto('/tasks');
  await expect(page.getByRole('link', { name: 'Kept' })).toBeVisible();
  await expect(page.getByText('(deleted)')).toHaveCount(2);
  expect(unexpectedResponses).toEqual([]);
});

test('the page of a missing webhook shows an error and a link to all webhooks', async ({ page }) => {
  await logIn(page);
  await page.goto('/developers/webhooks/2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92');
  await expect(page.getByRole('heading', { name: 'Webhook not found' })).toBeVisible();
  await expect(page.getByText('The webhook was deleted or never existed.')).toBeVisible();
  await page.getByRole('link', { name: 'All webhooks' }).click();
  await expect(page).toHaveURL('/developers/webhooks');
});

test('the audit log names the deleted webhook and links the suspended stream, and settings of streams are not in the settings', async ({
  page,
}) => {
  await logIn(page);
  const { id } = await createStream(page, 'Town hall');
  const webhookId = await createWebhook(page, 'Chat bot');
  const { origin } = new URL(page.url());
  const headers = { origin };
  await page.request.patch(`/api/stream/${id}`, { data: { suspended: true }, headers });
  await page.request.delete(`/api/webhook/${webhookId}`, { headers });
  await page.goto('/settings/audit-log');
  const auditLog = page.getByRole('table', { name: 'Audit log' });
  await expect(auditLog.getByRole('row', { name: /Webhook deleted/ })).toContainText('Chat bot');
  const row = auditLog.getByRole('row', { name: /Stream suspended/ });
  await expect(row.getByRole('link', { name: 'Town hall' })).toHaveAttribute('href', `/streams/${id}`);
  // Settings of a stream are on the page of the stream.
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await expect(sections.getByRole('link', { name: 'Signed-in devices' })).toBeVisible();
  await expect(sections.getByRole('link', { name: 'Recordings' })).toHaveCount(0);
});

test('the page of assets names the accepted files, and its file input accepts video, audio and files like .mkv', async ({
  page,
}) => {
  await logIn(page);
  await page.goto('/assets');
  await expect(
    page.getByText('Upload video or audio files of any common format', { exact: false }).first(),
  ).toBeVisible();
  const fileInput = page.getByLabel('Files to upload').first();
  await expect(fileInput).toHaveAttribute('accept', /^video\/\*,audio\/\*,\.mkv/);
});
