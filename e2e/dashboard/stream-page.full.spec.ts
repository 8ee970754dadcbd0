import { expect, test, type Page } from '@playwright/test';
import { createSourceFile, type Encoder, setUpEncoders } from '../media/testing/encoder';
import { rtmpUrl } from '../media/testing/service';
import { checkPage } from './page-checks';
import { readRectangles } from './positions';
import { measureScripts } from './loaded-scripts';
import { createStream, expectPlaying, logIn, sendTestPattern } from './page-actions';

const startEncoder = setUpEncoders();

async function publish(streamKey: string, outputArgs?: readonly string[]): Promise<Encoder> {
  return startEncoder(await createSourceFile(), rtmpUrl(streamKey), outputArgs);
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const tab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Stream' }).getByRole('tab', { name });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const status = (page: Page, word: string) => page.getByRole('main').getByText(word, { exact: true });

test('the selected tab is in the URL, and Back, deep links and the keyboard select a tab', async ({
  page,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'Quay');
  const streamPath = `/streams/${stream.id}`;
  await page.goto(streamPath);
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
  await tab(page, 'Events').click();
  await expect(page).toHaveURL(`${streamPath}?tab=events`);
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();
  await tab(page, 'Settings').click();
  await expect(page.getByRole('switch', { name: 'Record', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(streamPath);
  await expect(region(page, 'Connect an encoder')).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();

  // The arrow keys only move the focus. Enter opens the tab, which adds one entry to the history.
  await tab(page, 'Events').focus();
  await page.keyboard.press('ArrowRight');
  // The focus moves in a later iteration of the event loop.
  await expect(tab(page, 'Share')).toBeFocused();
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${streamPath}?tab=share`);
  await page.goBack();
  await expect(page).toHaveURL(`${streamPath}?tab=events`);

  await page.goto(`${streamPath}?tab=nothing`);
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
});

/** Limit for the scripts of the page, in gzipped bytes. */
const MAX_SCRIPT_BYTES = 330_000;

test('the page keeps its limit of script size, and loads the code of a tab when the pointer is over the tab', async ({
  page,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'Pier');
  const scripts = await measureScripts(page, async () => {
    await page.goto(`/streams/${stream.id}`);
    await page.waitForLoadState('networkidle');
  });
  // Without scripts, nothing was measured.
  expect(scripts.count).toBeGreaterThan(3);
  expect.soft(scripts.gzippedBytes, 'scripts').toBeLessThanOrEqual(MAX_SCRIPT_BYTES);

  const loadedScripts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') loadedScripts.push(response.url());
  });
  for (const name of ['Share', 'Settings']) {
    loadedScripts.length = 0;
    await tab(page, name).hover();
    await expect.poll(() => loadedScripts.length, { message: name }).toBeGreaterThan(0);
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'false');
    await tab(page, name).click();
    await expect(page.getByRole('tabpanel', { name }).getByRole('region').first()).toBeVisible();
  }
});

test('on a phone, the selected tab of a stream is in view, and its panel is accessible', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Slipway');
  await page.setViewportSize(phone);
  for (const name of ['Overview', 'Recordings', 'Events', 'Share', 'Settings']) {
    const tabParameter = name === 'Recordings' ? 'sessions' : name.toLowerCase();
    await page.goto(`/streams/${stream.id}?tab=${tabParameter}`);
    await expect(page.getByRole('tabpanel', { name })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    // The line below the row of tabs covers the lowest pixel.
    await expect(tab(page, name)).toBeInViewport({ ratio: 0.95 });
    await checkPage(page, `stream-tab-${name.toLowerCase()}`);
    await page.setViewportSize(phone);
  }
});

test('typed text and positions do not change when the stream becomes live and idle again', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Breakwater');
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await page.goto(`/streams/${stream.id}?tab=settings`);
    await page.getByRole('button', { name: 'Edit renditions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Renditions' });
    await dialog.getByRole('button', { name: '360p' }).click();
    await dialog.getByLabel('Name').fill('small');
    // Elements behind the dialog have no role.
    const readPositions = () =>
      readRectangles(
        page,
        ['h1', '[role="tablist"]'].map((selector) => page.locator(selector).first()),
      );
    const positionsBefore = await readPositions();
    const encoder = await publish(stream.streamKey);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Name')).toHaveValue('small');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await expect.poll(readPositions).toEqual(positionsBefore);
    await encoder.stop();
    await expect(page.getByText('Idle', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Name')).toHaveValue('small');
    await expect.poll(readPositions).toEqual(positionsBefore);
    await page.keyboard.press('Escape');
    await expect(tab(page, 'Settings')).toHaveAttribute('aria-selected', 'true');
  }
});

test('a rejected encoder is shown on the tabs Settings and Overview, with a link to its event', async ({
  page,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'Rejected');
  await page.goto(`/streams/${stream.id}?tab=settings`);
  // The ffmpeg encoder `flv` makes Sorenson H.263, which the service does not accept.
  await (await publish(stream.streamKey, ['-an', '-c:v', 'flv', '-s', '320x180'])).whenEnded();
  const statusLine = page.getByRole('status').filter({ hasText: 'Encoder rejected' });
  await expect(statusLine).toContainText('H.264, HEVC and AV1 are accepted');
  await tab(page, 'Overview').click();
  await expect(statusLine).toBeVisible();
  await checkPage(page, 'stream-rejected');
  await statusLine.getByRole('link').click();
  await expect(page).toHaveURL(/\?tab=events$/);
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('H.264, HEVC and AV1 are accepted');
});

test('the issue in the header of the tab Events opens the section Health of the tab Overview', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Silent');
  await page.setViewportSize(phone);
  await page.goto(`/streams/${stream.id}?tab=events`);
  await publish(stream.streamKey, ['-an', '-c:v', 'copy']);
  await expect(status(page, 'Live')).toBeVisible();
  const statusLine = page.getByRole('status').filter({ hasText: '1 issue' });
  await statusLine.getByRole('button').click({ timeout: 60_000 });
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
  await expect(region(page, 'Health').getByRole('heading')).toBeInViewport();
  await expect(region(page, 'Issues')).toContainText('the encoder sends no audio');
});

test('the test pattern plays before the API reports that the stream is live', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'First picture');
  await page.goto(`/streams/${stream.id}`);
  // From now on, the API responds to the page with the state of the idle stream.
  const idleResponse = await page.request.get(`/api/stream/${stream.id}`);
  const body = await idleResponse.body();
  await page.route(`**/api/stream/${stream.id}`, (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  );
  await sendTestPattern(page);
  await expectPlaying(page);
  await expect(status(page, 'Live')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop test pattern' }).click();
});
