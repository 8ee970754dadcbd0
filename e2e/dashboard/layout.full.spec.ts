import { expect, test, type Locator, type Page } from '@playwright/test';
import { readRectangles } from './positions';
import { createStream, createWebhook, logIn } from './page-actions';

const longName = 'x'.repeat(150);
const streamTabs = ['overview', 'targets', 'share'];

/**
 * Creates an object through the API with the sign-in session of the page.
 * @returns the id of the object, or an empty string if the response has none
 */
async function createObject(page: Page, path: string, data: object): Promise<string> {
  const { origin } = new URL(page.url());
  const response = await page.request.post(path, { data, headers: { origin } });
  const text = await response.text();
  expect(response.ok(), text).toBe(true);
  const body = JSON.parse(text || '{}') as { id?: string; asset?: { id: string } };
  return body.asset?.id ?? body.id ?? '';
}

const expectNoHorizontalScroll = (page: Page, label: string) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: label })
    .toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);

/** Expects that no table is wider than the box around it, which would hide its last columns. */
const expectNoCutTable = (page: Page, label: string) =>
  expect
    .poll(
      () =>
        page.evaluate(() =>
          [...document.querySelectorAll('table')]
            .filter(({ offsetWidth, parentElement }) => offsetWidth > (parentElement?.clientWidth ?? 0))
            .map((table) => table.getAttribute('aria-label')),
        ),
      { message: label },
    )
    .toEqual([]);

/** Expects that no element inside a box reaches over its left or right edge. */
async function expectNoOverflow(box: Locator): Promise<void> {
  await expect(box).toBeVisible();
  await expect.poll(() => findOverflowingElements(box)).toEqual([]);
}

const findOverflowingElements = (box: Locator): Promise<string[]> =>
  box.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const visibleElements = [...element.querySelectorAll<HTMLElement>('*')].filter(
      (visibleElement) => visibleElement.offsetWidth > 1,
    );
    return visibleElements
      .filter(
        (visibleElement) =>
          visibleElement.getBoundingClientRect().right > right + 1 ||
          visibleElement.getBoundingClientRect().left < left - 1,
      )
      .map(({ outerHTML }) => outerHTML.slice(0, 120));
  });

test('a dialog does not move the page behind it', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Harbour');
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto(`/streams/${stream.id}`);
  const button = page.getByRole('button', { name: 'Replace key' });
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 200));
  // The keyboard opens the dialog, because a click may scroll first.
  await button.focus();
  const readPositions = () =>
    page.evaluate(() =>
      ['aside', 'h1', 'main'].map((selector) => {
        const { left, top } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
        return [selector, Math.round(left), Math.round(top)];
      }),
    );
  const positionsBefore = await readPositions();
  expect(positionsBefore[0]).toEqual(['aside', 0, 0]);
  expect(Number(positionsBefore[1]?.[2])).toBeLessThan(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect.poll(readPositions).toEqual(positionsBefore);
});

test('a name of 150 characters without spaces does not widen a page, table, dialog or message', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, longName);
  const webhookId = await createWebhook(page, longName);
  const targetId = await createObject(page, '/api/multistream/target', {
    name: longName,
    url: 'rtmp://live.example.com/a/b',
  });
  await createObject(page, `/api/stream/${stream.id}/create-multistream-target`, {
    profile: 'source',
    id: targetId,
  });
  await createObject(page, '/api/dashboard/api-keys', { name: longName.slice(0, 100) });
  await createObject(page, '/api/access-control/signing-key', { name: longName.slice(0, 100) });
  const assetId = await createObject(page, '/api/asset/request-upload', { name: longName });
  const paths = [
    ...[
      '/',
      '/streams',
      ...streamTabs.map((tab) => `/streams/${stream.id}?tab=${tab}`),
      '/sessions',
      '/assets',
      ...['overview', 'sharing', 'files'].map((tab) => `/assets/${assetId}?tab=${tab}`),
      '/tasks',
    ],
    ...['/targets', '/developers/keys', '/developers/signing-keys'],
    ...['/developers/webhooks', `/developers/webhooks/${webhookId}`],
    ...['/usage', '/settings', '/settings/time', '/settings/audit-log', `/sessions?stream=${stream.id}`],
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    for (const width of [1440, 1280, 1100, 1024, 768, 640, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoHorizontalScroll(page, `${path} at ${width} px`);
      await expectNoCutTable(page, `${path} at ${width} px`);
    }
  }
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(`/streams/${stream.id}?tab=settings`);
  await page.getByRole('button', { name: 'Delete stream' }).click();
  const confirmDialog = page.getByRole('alertdialog');
  await expectNoOverflow(confirmDialog);
  await confirmDialog.getByLabel('Type “delete” to confirm').fill('delete');
  await confirmDialog.getByRole('button', { name: 'Delete stream' }).click();
  await expectNoOverflow(page.locator('[data-sonner-toast]').first());
  await page.goto(`/developers/webhooks/${webhookId}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expectNoOverflow(page.getByRole('dialog'));
});

test('on a phone the page of a failed asset is not wider than the window', async ({ page }) => {
  await logIn(page);
  const { origin } = new URL(page.url());
  const response = await page.request.post('/api/asset/request-upload', {
    data: { name: 'notes.mp4' },
    headers: { origin },
  });
  const { url, asset } = (await response.json()) as { url: string; asset: { id: string } };
  await page.request.put(url, { data: 'These are notes, not a video.\n' });
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(`/assets/${asset.id}`);
  await expect(page.getByText('Nothing to play')).toBeVisible({ timeout: 60_000 });
  await expectNoHorizontalScroll(page, 'failed asset');
});

test('on a phone the header buttons are at least 44 px wide and high', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Quay');
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto(`/streams/${stream.id}`);
  for (const name of ['Search', 'Open navigation', 'Rename stream']) {
    const readShorterSide = async () => {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      return Math.min(box?.width ?? 0, box?.height ?? 0);
    };
    await expect.poll(readShorterSide, { message: name }).toBeGreaterThanOrEqual(44);
  }
});

test('the code and the replay dialog of a webhook fit into their boxes', async ({ page }) => {
  await logIn(page);
  const webhookId = await createWebhook(page, 'Bot');
  await page.goto(`/developers/webhooks/${webhookId}`);
  const code = page.getByRole('region', { name: 'Verify the signature' }).getByRole('tabpanel');
  await expect(async () => {
    const [text, copy] = await readRectangles(page, [code.locator('pre'), code.getByRole('button')]);
    expect(text?.right).toBeLessThanOrEqual(copy?.left ?? 0);
  }).toPass();

  await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').click();
  const attempt = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first();
  await expect(attempt.getByRole('heading', { name: 'Request' })).toBeVisible();

  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('button', { name: 'Replay' }).click();
    await expectNoOverflow(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
  }
});

test('with reduced motion, a style changes at once instead of by a transition', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/login');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const change = await heading.evaluate((element) => {
    const readPadding = () => getComputedStyle(element).paddingLeft;
    const before = readPadding();
    element.style.paddingLeft = '37px';
    return { before, after: readPadding(), animationCount: document.getAnimations().length };
  });
  expect(change).toEqual({ before: '0px', after: '37px', animationCount: 0 });
});
