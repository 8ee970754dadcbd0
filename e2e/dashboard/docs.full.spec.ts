import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import { checkPage } from './page-checks';
import { createStream, logIn } from './page-actions';
import { recordLayoutShifts, measureLayoutShift, MAX_LAYOUT_SHIFT } from './layout-shifts';

/** Names and paths of one documentation page of each kind. */
const documentationPages = [
  ['docs', '/docs'],
  ['docs-operation', '/docs/createStream'],
  ['docs-list', '/docs/listStreams'],
  ['docs-event', '/docs/recording.ready'],
] as const;

const execFileAsync = promisify(execFile);

const canRun = ([program = '', ...args]: readonly string[]): Promise<boolean> =>
  execFileAsync(program, args).then(
    () => true,
    () => false,
  );

const expectReady = (page: Page) => expect(page.locator('main')).toHaveAttribute('aria-busy', 'false');

/** Collects errors of a page, violations of its Content Security Policy, and requests to other hosts. */
async function collectProblems(page: Page, ownOrigin: string): Promise<string[]> {
  const problems: string[] = [];
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates the Content Security Policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== ownOrigin) problems.push(`request to ${origin}`);
  });
  return problems;
}

/**
 * Creates an API key with the sign-in session of the page.
 * @returns its secret
 */
async function createKey(page: Page, fields: object = {}): Promise<string> {
  const { origin } = new URL(page.url());
  const data = { name: 'docs', allowedOrigins: [origin], fullAccess: true, ...fields };
  const keyResponse = await page.request.post('/api/dashboard/api-keys', { data, headers: { origin } });
  expect(keyResponse.status()).toBe(201);
  return ((await keyResponse.json()) as { secret: string }).secret;
}

/**
 * Copies a sample with its copy button.
 * @returns the text of the clipboard
 */
async function copySample(page: Page, language: string): Promise<string> {
  await page.getByRole('tab', { name: language, exact: true }).click();
  await page.getByRole('button', { name: `Copy ${language.toLowerCase()} sample` }).click();
  await expect(page.getByRole('tabpanel').getByRole('button', { name: 'Copied' })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

const responseStatus = (page: Page) =>
  page.getByRole('region', { name: 'Response', exact: true }).getByRole('status');
const responseBody = (page: Page) => page.getByLabel('Response body', { exact: true });

test('visitors can read each kind of documentation page without errors and requests to other hosts', async ({
  page,
  baseURL,
}) => {
  const problems = await collectProblems(page, new URL(baseURL ?? '').origin);
  for (const [name, path] of documentationPages) {
    await page.goto(path);
    await expectReady(page);
    await expect(page.getByRole('main')).toHaveCount(1);
    await checkPage(page, name, { minor: true });
  }
  expect(problems).toEqual([]);
});

test('the documentation is available inside the dashboard', async ({ page }) => {
  await logIn(page);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API reference' }).click();
  await expect(page).toHaveURL('/docs');
  await expect(page.getByRole('main')).toHaveCount(1);
  await checkPage(page, 'docs-signed-in');
  await page.goto('/docs/createStream');
  await expectReady(page);
  await checkPage(page, 'docs-operation-signed-in');
});

test('documentation pages keep the limit of layout shifts while they load', async ({
  page,
  context,
  baseURL,
}) => {
  await recordLayoutShifts(page);
  // The cookie of an earlier visit selects Go, whose sample has another number of lines than the default language.
  await context.addCookies([{ name: 'reference-language', value: 'go', url: `${baseURL}/docs` }]);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [, path] of documentationPages) {
      const shift = await measureLayoutShift(page, async () => {
        await page.goto(path);
        await expectReady(page);
      });
      expect(shift, `${path} at ${width} px`).toBeLessThan(MAX_LAYOUT_SHIFT);
    }
  }
});

test('samples contain the pasted key, which is masked and stays in the tab', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const apiKey = 'lsk_0123456789abcdefghijABCDEFGHIJ01AbCdEf';
  await page.goto('/docs/updateStream');
  await expectReady(page);
  await expect(page.getByRole('tabpanel')).toContainText('$HEADWATER_API_KEY');
  await page.getByLabel('API key').fill(apiKey);
  await page.getByLabel('id', { exact: true }).fill('stream-1');
  for (const language of ['curl', 'TypeScript', 'Python', 'Go']) {
    const code = await copySample(page, language);
    expect(code).toContain(`Bearer ${apiKey}`);
    expect(code).toContain('/api/stream/stream-1');
    await expect(page.getByRole('tabpanel')).toContainText('Bearer •••_••••');
    await expect(page.getByRole('tabpanel')).not.toContainText(apiKey);
  }
  // The language and the key survive a reload, but nothing that outlives the tab stores the key.
  await page.reload();
  await expectReady(page);
  await expect(page.getByRole('tab', { name: 'Go' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('API key')).toHaveValue(apiKey);
  const storedState = await page.evaluate(() =>
    JSON.stringify([location.href, localStorage, document.cookie]),
  );
  expect(storedState).not.toContain(apiKey);
  expect(await page.getByRole('main').innerText()).not.toContain(apiKey);
  const otherPage = await context.newPage();
  await otherPage.goto('/docs/updateStream');
  await expectReady(otherPage);
  await expect(otherPage.getByLabel('API key')).toHaveValue('');
});

test('a page is copied as Markdown, and llms.txt lists the page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/updateStream');
  await expectReady(page);
  await page.getByRole('button', { name: 'Copy this page as Markdown' }).click();
  const copiedText = await page.evaluate(() => navigator.clipboard.readText());
  expect(copiedText).toMatch(/^## Change a stream\n/);
  expect(copiedText).toMatch(/`PATCH http\S+\/api\/stream\/\{id\}`/);
  const index = await page.request.get('/llms.txt');
  expect(index.headers()['content-type']).toMatch(/^text\/(plain|markdown)/);
  expect(await index.text()).toContain('/docs/updateStream');
  expect(await (await page.request.get('/llms-full.txt')).text()).toContain(copiedText.trim());
});

test('the TypeScript sample, and the Python and Go samples if they can run here, create and list streams', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await logIn(page);
  const apiKey = await createKey(page, { allowedOrigins: [], fullAccess: false });
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  const require = createRequire(import.meta.url);
  const programs = [
    { language: 'TypeScript', file: 'sample.mts', run: [process.execPath, require.resolve('tsx/cli')] },
    { language: 'Python', file: 'sample.py', run: ['python3'], needs: ['python3', '-c', 'import requests'] },
    { language: 'Go', file: 'sample.go', run: ['go', 'run'], needs: ['go', 'version'] },
  ];
  for (const { language, file, run: command, needs } of programs) {
    const [program = '', ...args] = command;
    if (needs && !(await canRun(needs))) {
      test
        .info()
        .annotations.push({ type: 'not run', description: `${language}: ${needs.join(' ')} fails here` });
      continue;
    }
    const execute = async (operation: string) => {
      await page.goto(`/docs/${operation}`);
      await expectReady(page);
      await page.getByLabel('API key').fill(apiKey);
      if (operation === 'createStream') {
        await page
          .getByRole('textbox', { name: 'Body' })
          .fill(JSON.stringify({ name: `From ${language}`, record: true }));
      }
      await writeFile(join(folder, file), await copySample(page, language));
      return (await execFileAsync(program, [...args, join(folder, file)], { timeout: 240_000 })).stdout;
    };
    expect(await execute('createStream')).toContain(`From ${language}`);
    expect(await execute('listStreams')).toContain(`From ${language}`);
  }
  await rm(folder, { recursive: true });
  const streams = (await (await page.request.get('/api/stream')).json()) as {
    name: string;
    record: boolean;
  }[];
  expect(streams).toContainEqual(expect.objectContaining({ name: 'From TypeScript', record: true }));
});

test('requests with no key, a backend key and an invalid body show why they are rejected', async ({
  page,
}) => {
  await logIn(page);
  const apiKey = await createKey(page);
  const backendKey = await createKey(page, { allowedOrigins: [] });
  // A late response to an open page would set the session cookie again.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/docs/createStream');
  await expectReady(page);
  const send = page.getByRole('button', { name: 'Send request' });
  const alert = page.getByRole('region', { name: 'Response', exact: true }).getByRole('alert');
  await send.click();
  await expect(responseStatus(page)).toContainText('401');
  await expect(alert).toHaveText('request is not authenticated');

  await page.getByLabel('API key').fill(backendKey);
  await send.click();
  await expect(responseStatus(page)).toContainText('403');
  await expect(page.getByText('Backend keys don’t work in a browser.')).toBeVisible();

  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('textbox', { name: 'Body' }).fill('{"name": ""}');
  await send.click();
  await expect(responseStatus(page)).toContainText('422');
  await expect(alert).toContainText('name:');
  await page.getByRole('textbox', { name: 'Body' }).fill('{"name": "With a key"}');
  await send.click();
  await expect(responseStatus(page)).toContainText('201');
});

test('a second request with the same Idempotency-Key gets the first response again', async ({ page }) => {
  await logIn(page);
  await page.goto('/docs/createStream');
  await expectReady(page);
  await page.getByLabel('Idempotency-Key').fill('order-7');
  for (const replayed of [false, true]) {
    await page.getByRole('button', { name: 'Send request' }).click();
    await expect(responseStatus(page)).toContainText('201');
    const header = page
      .getByRole('region', { name: 'Response', exact: true })
      .getByText('idempotency-replayed');
    await expect(header).toHaveCount(replayed ? 1 : 0);
  }
});

test('operations are found by search, by link and by keyboard', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Harbour');
  await page.goto('/docs/getStream');
  await expectReady(page);
  await expect(page).toHaveTitle(/Retrieve a stream/);
  await page.getByLabel('id', { exact: true }).fill(stream.id);
  await page.getByLabel('id', { exact: true }).press('Enter');
  await expect(responseBody(page)).toContainText('"Harbour"');

  const nav = page.getByRole('navigation', { name: 'API reference' });
  await nav.getByRole('searchbox').fill('rotate');
  await expect(nav.getByRole('listitem')).toHaveCount(1);
  await nav.getByRole('searchbox').fill('/api/webhook put');
  await expect(nav.getByRole('link')).toHaveText(/Replace a webhook/);
  await nav.getByRole('searchbox').fill('no such thing');
  await expect(nav.getByRole('status')).toHaveText('Nothing matches “no such thing”.');
  await nav.getByRole('searchbox').fill('recording.ready');
  await nav.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/docs/recording.ready');
  await expect(page.getByLabel('Sample payload', { exact: true }).last()).toContainText('"recording.ready"');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Retrieve a stream');
  expect((await page.goto('/docs/nothing'))?.status()).toBe(404);
});

test('on a phone the list of operations opens in a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto('/docs');
  await expectReady(page);
  await page.getByRole('button', { name: 'Browse endpoints' }).click();
  const sheet = page.getByRole('dialog', { name: 'API reference' });
  await sheet.getByRole('searchbox').fill('usage');
  await sheet.getByRole('link', { name: /usage/i }).click();
  await expect(page).toHaveURL('/docs/getUsage');
  await expect(sheet).toBeHidden();
});
