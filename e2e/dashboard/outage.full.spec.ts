import { expect, test as base, type Page } from '@playwright/test';
import { type OutageProxy, startOutageProxy } from './outage';
import { createStream, logIn } from './page-actions';

const test = base.extend<{ outage: OutageProxy; dashboard: Page }>({
  outage: async ({}, use) => {
    const outage = await startOutageProxy();
    await use(outage);
    outage.close();
  },
  /** A logged-in page whose connection to the server `outage` can interrupt. */
  dashboard: async ({ browser, outage, baseURL }, use) => {
    const context = await browser.newContext({
      proxy: outage.proxy,
      serviceWorkers: 'allow',
      ...(baseURL ? { baseURL } : {}),
    });
    const page = await context.newPage();
    await logIn(page);
    await use(page);
    await context.close();
  },
});

const banner = (page: Page) => page.getByText(/^Server not responding since \d{1,2}:\d\d [AP]M, retrying$/);
const longTimeout = { timeout: 60_000 };

test('a page shows that its server is unreachable and how old its figures are, and updates afterwards', async ({
  dashboard: page,
  outage,
}) => {
  const stream = await createStream(page, 'Harbour');
  await page.goto(`/streams/${stream.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Harbour');
  outage.reject();
  await expect(banner(page)).toBeVisible(longTimeout);
  await expect(page.getByText(/^as of \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await expect(page.locator('[data-stale] .live-figure').first()).toHaveCSS('opacity', '0.75');
  outage.end();
  await expect(banner(page)).toBeHidden(longTimeout);
  await expect(page.getByText(/^as of/)).toBeHidden();
});

test('a page shows that its server does not respond, until the server responds again', async ({
  dashboard: page,
  outage,
}) => {
  await page.goto('/streams');
  await expect(page.getByRole('heading', { name: 'No streams yet' })).toBeVisible();
  outage.freeze();
  await expect(banner(page)).toBeVisible(longTimeout);
  outage.end();
  await expect(banner(page)).toBeHidden(longTimeout);
});

test('a link that cannot reach the server keeps its page, and opens when the server is back', async ({
  dashboard: page,
  outage,
}) => {
  await page.goto('/streams');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(page.getByRole('heading', { level: 1, name: 'Streams' })).toBeVisible();
  outage.reject();
  await nav.getByRole('link', { name: 'Audience' }).click();
  await expect(banner(page)).toBeVisible(longTimeout);
  await expect(page.getByRole('heading', { level: 1, name: 'Streams' })).toBeVisible();
  outage.end();
  await expect(page).toHaveURL('/audience', longTimeout);
  await expect(page.getByRole('heading', { level: 1, name: 'Audience' })).toBeVisible();
});

test('a page that is reloaded without a server shows an error, and opens when the server is back', async ({
  dashboard: page,
  outage,
}) => {
  await page.goto('/usage');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  outage.reject();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Server not responding' })).toBeVisible(longTimeout);
  expect(new URL(page.url()).pathname).toBe('/usage');
  outage.end();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible(longTimeout);
});

test('a change while the browser is offline fails with a message, and neither it nor a change to a frozen server is applied later', async ({
  dashboard: page,
  outage,
}) => {
  const stream = await createStream(page, 'Quay');
  await page.goto(`/streams/${stream.id}?tab=settings`);
  const record = page.getByRole('switch', { name: 'Record', exact: true });
  await expect(record).not.toBeChecked();
  // The browser knows that it is offline, so the change must fail instead of waiting for the connection.
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline')).toBeVisible(longTimeout);
  await record.click();
  await expect(page.getByText('Couldn’t save the change')).toBeVisible();
  await expect(page.getByText('Nothing was changed')).toBeVisible();
  await expect(record).not.toBeChecked();
  await page.context().setOffline(false);
  await expect(page.getByText('You are offline')).toBeHidden(longTimeout);
  const response = await page.request.get(`/api/stream/${stream.id}`);
  expect(((await response.json()) as { record: boolean }).record).toBe(false);
  await expect(record).not.toBeChecked();
  // A frozen server must not store the change for later.
  outage.freeze();
  await expect(banner(page)).toBeVisible(longTimeout);
  await record.click();
  await expect(record).not.toBeChecked();
  outage.end();
  await expect(banner(page)).toBeHidden(longTimeout);
  await expect(record).not.toBeChecked();
});
