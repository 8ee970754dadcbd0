import { expect, test, type Page } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, createWebhook, logIn } from './page-actions';

const sectionNames = [
  'Account',
  'Language',
  'Time',
  'Password',
  'Two-step login',
  'Signed-in devices',
  'Team',
  'Audit log',
  'Viewer pages',
  'Danger zone',
];

test('settings show a section beside their list, a list or a section on a phone, and each section has a URL', async ({
  page,
}) => {
  await logIn(page);
  await page.goto('/settings');
  const nav = page.getByRole('navigation', { name: 'Settings' });
  await expect(nav.getByRole('link')).toHaveText(sectionNames);
  await expect(nav.getByRole('link', { name: 'Account' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('region', { name: 'Account', exact: true })).toContainText('Account ID');
  await checkPage(page, 'settings-account');

  await page.setViewportSize({ width: 360, height: 900 });
  await expect(page.getByRole('region', { name: 'Account', exact: true })).toBeHidden();
  await nav.getByRole('link', { name: 'Time' }).click();
  await expect(page).toHaveURL('/settings/time');
  await expect(nav).toBeHidden();
  await page.getByRole('link', { name: 'All settings' }).click();
  await expect(page).toHaveURL('/settings');

  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [index, path] of [
    'account',
    'language',
    'time',
    'password',
    'two-step',
    'devices',
    'team',
    'audit-log',
    'viewer-pages',
    'danger-zone',
  ].entries()) {
    await page.goto(`/settings/${path}`);
    await expect(page.getByRole('region', { name: sectionNames[index] ?? '', exact: true })).toBeVisible();
    await checkPage(page, `settings-${path}`);
  }
  expect((await page.goto('/settings/nothing'))?.status()).toBe(404);

  await page.goto('/');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Search').fill('audit');
  await page.getByRole('option', { name: 'Settings: Audit log' }).click();
  await expect(page).toHaveURL('/settings/audit-log');
});

test('a page uses the language of the browser, or English if that is unknown, or the language that a person has selected', async ({
  browser,
}) => {
  const germanContext = await browser.newContext({ locale: 'de-AT' });
  const page = await germanContext.newPage();
  await page.goto('/signup');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByLabel('E-Mail').fill('keine Adresse');
  await page.getByRole('button', { name: 'Konto erstellen' }).click();
  await expect(page.getByText('Geben Sie Ihre E-Mail-Adresse ein')).toBeVisible();
  await page.goto('/watch/nichts');
  await expect(page.getByRole('heading', { name: 'Hier gibt es nichts zu sehen' })).toBeVisible();
  await germanContext.close();

  const frenchContext = await browser.newContext({ locale: 'fr-FR' });
  const otherPage = await frenchContext.newPage();
  await logIn(otherPage);
  await otherPage.goto('/');
  await expect(otherPage.locator('html')).toHaveAttribute('lang', 'en');
  const stream = await createStream(otherPage, 'Morgenrunde');
  await otherPage.goto('/settings/language');
  await otherPage.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
  await expect(otherPage.getByRole('heading', { name: 'Sprache', exact: true })).toBeVisible();
  await expect(otherPage.locator('html')).toHaveAttribute('lang', 'de');
  // Messages compiled on the server show their plurals, numbers and links.
  await otherPage.goto('/');
  await expect(otherPage.getByRole('tab', { name: 'Smartphone' })).toBeVisible();
  await checkPage(otherPage, 'home-de');
  await otherPage.goto('/streams');
  await expect(otherPage.getByText('1 Stream', { exact: true })).toBeVisible();
  await checkPage(otherPage, 'streams-de');
  await otherPage.goto(`/streams/${stream.id}`);
  await expect(otherPage.getByRole('tab', { name: 'Übersicht' })).toBeVisible();
  await checkPage(otherPage, 'stream-de');
  await otherPage.goto('/settings/language');
  await otherPage.getByRole('combobox', { name: 'Sprache' }).selectOption('Automatisch: English');
  await expect(otherPage.getByRole('heading', { name: 'Language', exact: true })).toBeVisible();
  await frenchContext.close();
});

test('the audit log filters by kind, and its URL keeps the filter', async ({ page }) => {
  await logIn(page);
  await createStream(page, 'Town hall');
  await createWebhook(page, 'Chat bot');
  await page.goto('/settings/audit-log');
  const auditLog = page.getByRole('table', { name: 'Audit log' });
  await expect(auditLog.getByRole('row', { name: /Stream created/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Webhooks');
  await expect(auditLog.getByRole('row', { name: /Stream created/ })).toHaveCount(0);
  await expect(auditLog.getByRole('row', { name: /Webhook created/ })).toContainText('Chat bot');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('webhook');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Targets');
  await expect(page.getByRole('heading', { name: 'No entry of this kind' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all kinds' }).click();
  await expect(auditLog.getByRole('row', { name: /Stream created/ })).toBeVisible();
});

/** Reads the time in the HTML of the server, before any script of the page runs. */
const readRenderedTime = async (page: Page) => {
  const html = await (await page.request.get('/settings/time')).text();
  return /Now:[^]*?(\w{3} \d+, \d{4}, [\d:]+(?: [AP]M)?)/.exec(html.replaceAll('<!-- -->', ''))?.[1] ?? '';
};

test.describe('times in a browser in Berlin with a 24-hour clock', () => {
  test.use({ timezoneId: 'Europe/Berlin', locale: 'en-GB' });

  test('follow the browser until time zone and hours are selected, and the server renders the same format', async ({
    page,
  }) => {
    const pageErrors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && /hydrat|did not match|#418/i.test(message.text()))
        pageErrors.push(message.text());
    });
    page.on('pageerror', (error) => void pageErrors.push(error.message));
    await logIn(page);
    const { id } = await createStream(page, 'Town hall');
    await page.goto('/settings/time');
    const panel = page.getByRole('region', { name: 'Time' });
    const zone = panel.getByRole('combobox', { name: /Time zone/ });
    const hourFormat = panel.getByLabel('Hours');
    await expect(zone).toHaveText('Automatic: Europe/Berlin');
    await expect(hourFormat).toHaveValue('auto');
    await expect(hourFormat.locator('option').first()).toHaveText('Automatic: 24 hours (13:05)');
    await expect(panel).toContainText(/Now: \w{3} \d+, \d{4}, \d\d:\d\d$/);
    expect(await readRenderedTime(page)).toMatch(/, \d\d:\d\d$/);

    await zone.click();
    await page.getByPlaceholder('Search by name').fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await expect(zone).toHaveText('America/New York');
    await hourFormat.selectOption('12 hours (1:05 PM)');
    await expect(panel).toContainText(/Now: \w{3} \d+, \d{4}, \d{1,2}:\d\d [AP]M$/);
    expect(await readRenderedTime(page)).toMatch(/, \d{1,2}:\d\d [AP]M$/);

    await page.reload();
    await expect(zone).toHaveText('America/New York');
    await page.goto(`/streams/${id}?tab=settings`);
    const createdTime = page.locator('time').first();
    await createdTime.hover();
    await expect(createdTime).toHaveAttribute('title', /\d{1,2}:\d\d:\d\d [AP]M E[DS]T$/);

    await page.goto('/settings/time');
    await zone.click();
    await page.getByPlaceholder('Search by name').fill('automatic');
    await page.getByRole('option', { name: 'Automatic: Europe/Berlin' }).click();
    await hourFormat.selectOption('Automatic: 24 hours (13:05)');
    await expect(panel).toContainText(/Now: \w{3} \d+, \d{4}, \d\d:\d\d$/);
    expect(pageErrors).toEqual([]);
  });
});
