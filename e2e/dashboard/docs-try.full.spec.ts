import { expect, test, type Page } from '@playwright/test';
import { logIn } from './page-actions';

const expectReady = (page: Page) => expect(page.locator('main')).toHaveAttribute('aria-busy', 'false');
const responseStatus = (page: Page) =>
  page.getByRole('region', { name: 'Response', exact: true }).getByRole('status');
const responseBody = (page: Page) => page.getByLabel('Response body', { exact: true });

test('a request from the API reference creates a stream, and a later page fills in its id and deletes the stream', async ({
  page,
}) => {
  await logIn(page);
  await page.goto('/docs/createStream');
  await expectReady(page);
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(responseStatus(page)).toContainText('201');
  await expect(responseStatus(page)).toContainText('ms');
  await expect(responseBody(page)).toContainText('"Town hall"');
  const { id } = JSON.parse(await responseBody(page).innerText()) as { id: string };
  await page.getByText(/response headers/).click();
  await expect(page.getByRole('region', { name: 'Response', exact: true })).toContainText(
    'ratelimit-remaining',
  );

  await page
    .getByRole('navigation', { name: 'Previous and next' })
    .getByRole('link', { name: 'List streams' })
    .click();
  await expect(page).toHaveURL('/docs/listStreams');
  await page
    .getByRole('navigation', { name: 'API reference' })
    .getByRole('link', { name: /^Delete a stream DEL/ })
    .click();
  await expect(page.getByLabel('id', { exact: true })).toHaveValue(id);
  await page.getByRole('button', { name: 'Send request' }).click();
  const confirmDialog = page.getByRole('alertdialog', { name: 'Delete a stream?' });
  await expect(confirmDialog).toContainText(`/api/stream/${id}`);
  await confirmDialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await page.request.get(`/api/stream/${id}`)).status()).toBe(200);
  await page.getByRole('button', { name: 'Send request' }).click();
  await confirmDialog.getByRole('button', { name: 'Send request' }).click();
  await expect(responseStatus(page)).toContainText('204');
  expect((await page.request.get(`/api/stream/${id}`)).status()).toBe(404);
});
