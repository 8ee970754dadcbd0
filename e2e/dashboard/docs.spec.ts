import { expect, test, type Page } from '@playwright/test';
import { lookAround } from './look';
import { logIn } from './session';

/** Origins other than the page's own that the browser asked. */
function foreignOrigins(page: Page, own: string): string[] {
  const origins: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== own) origins.push(origin);
  });
  return origins;
}

const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`);

/** Sends the form of an operation as it stands and waits for what the page says of the answer. */
async function send(page: Page, id: string): Promise<void> {
  const block = operation(page, id);
  if (!(await block.getByRole('button', { name: 'Execute' }).isVisible())) {
    await block.locator('.opblock-summary-control').click();
  }
  await block.getByRole('button', { name: 'Execute' }).click();
}

const liveStatus = (page: Page, id: string) =>
  operation(page, id).locator('.live-responses-table tbody .response-col_status').first();

test('a visitor reads every operation, on a phone too, and nothing leaves the host', async ({
  page,
  request,
  baseURL,
}) => {
  const origins = foreignOrigins(page, new URL(baseURL ?? '').origin);
  await page.goto('/docs');
  const document: unknown = await (await request.get('/api/openapi.json')).json();
  const { paths, webhooks } = document as Record<'paths' | 'webhooks', Record<string, object>>;
  const operations = Object.values({ ...paths, ...webhooks }).flatMap((path) => Object.keys(path));
  // A form for each of them takes the library seconds, and more on a machine that has other work.
  await expect(page.locator('.opblock')).toHaveCount(operations.length, { timeout: 90_000 });
  // A link inside the button that opens an operation: the library's markup, both do the same.
  await lookAround(page, 'docs', 'all', ['nested-interactive', 'target-size']);
  await operation(page, 'createStream').locator('.opblock-summary-control').click();
  await expect(operation(page, 'createStream').getByRole('textbox').last()).toHaveValue(/"name"/);
  await send(page, 'listIngests');
  await expect(liveStatus(page, 'listIngests')).toHaveText(/200/);
  expect(origins).toEqual([]);
});

test('calls run with the key that was given', async ({ page }) => {
  await logIn(page);
  const { origin } = new URL(page.url());
  const body = { name: 'docs', allowedOrigins: [origin], fullAccess: true };
  const made = await page.request.post('/api/dashboard/api-keys', { data: body, headers: { origin } });
  const { secret } = (await made.json()) as { secret: string };
  // An answer to a page that is still open would set the session's cookie anew.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/docs');
  await send(page, 'createStream');
  await expect(liveStatus(page, 'createStream')).toHaveText(/401/);

  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByRole('dialog').or(page.locator('.modal-ux')).getByRole('textbox').fill(secret);
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).click();
  await send(page, 'getMe');
  await expect(liveStatus(page, 'getMe')).toHaveText(/200/);
  await send(page, 'createStream');
  await expect(liveStatus(page, 'createStream')).toHaveText(/201/);
});

test('who is logged in calls as themselves, from the sidebar on', async ({ page }) => {
  await logIn(page);
  await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click();
  await expect(page).toHaveURL('/docs');
  await expect(page.locator('.opblock').first()).toBeVisible();
  await expect(page.getByRole('main')).toHaveCount(1);
  await send(page, 'getMe');
  await expect(liveStatus(page, 'getMe')).toHaveText(/200/);
});
