import { expect, test, type Page } from '@playwright/test';
import { Encoder, sourceFile } from '../media/testing/encoder';
import { rtmpUrl } from '../media/testing/service';
import { lookAround } from './look';
import { placesOf } from './places';
import { createStream, expectPlaying, logIn } from './session';

const encoders: Encoder[] = [];
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

async function publish(streamKey: string, output?: readonly string[]): Promise<Encoder> {
  const encoder = new Encoder(await sourceFile(), rtmpUrl(streamKey), output);
  encoders.push(encoder);
  return encoder;
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const tab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Stream' }).getByRole('tab', { name });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const status = (page: Page, word: string) => page.getByRole('main').getByText(word, { exact: true });

test('the tab is in the URL: Back, deep links and the keyboard work', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Quay');
  const address = `/streams/${stream.id}`;
  await page.goto(address);
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
  await tab(page, 'Events').click();
  await expect(page).toHaveURL(`${address}?tab=events`);
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();
  await tab(page, 'Settings').click();
  await expect(page.getByRole('switch', { name: 'Record', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(region(page, 'Connect an encoder')).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();

  // The arrow keys only move the focus. Enter opens the tab, which adds one entry to the history.
  await tab(page, 'Events').focus();
  await page.keyboard.press('ArrowRight');
  // The focus moves in the next iteration of the event loop.
  await expect(tab(page, 'Share')).toBeFocused();
  await expect(page.getByRole('tabpanel', { name: 'Events' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${address}?tab=share`);
  await page.goBack();
  await expect(page).toHaveURL(`${address}?tab=events`);

  await page.goto(`${address}?tab=nothing`);
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
});

test('every tab fits on a phone and is accessible', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Slipway');
  await page.setViewportSize(phone);
  for (const name of ['Overview', 'Recordings', 'Events', 'Share', 'Settings']) {
    const value = name === 'Recordings' ? 'sessions' : name.toLowerCase();
    await page.goto(`/streams/${stream.id}?tab=${value}`);
    await expect(page.getByRole('tabpanel', { name })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    // The line below the row of tabs covers the lowest pixel.
    await expect(tab(page, name)).toBeInViewport({ ratio: 0.95 });
    await lookAround(page, `stream-tab-${name.toLowerCase()}`);
    await page.setViewportSize(phone);
  }
});

test('input of the reader survives when the stream becomes live and idle again', async ({ page }) => {
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
    const places = () =>
      placesOf(
        page,
        ['h1', '[role="tablist"]'].map((each) => page.locator(each).first()),
      );
    const before = await places();
    const encoder = await publish(stream.streamKey);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Name')).toHaveValue('small');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await expect.poll(places).toEqual(before);
    await encoder.stop();
    await expect(page.getByText('Idle', { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Name')).toHaveValue('small');
    await expect.poll(places).toEqual(before);
    await page.keyboard.press('Escape');
    await expect(tab(page, 'Settings')).toHaveAttribute('aria-selected', 'true');
  }
});

test('a rejected encoder is shown on every tab, with a link to its event', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Refused');
  await page.goto(`/streams/${stream.id}?tab=settings`);
  await (await publish(stream.streamKey, ['-an', '-c:v', 'flv', '-s', '320x180'])).whenEnded();
  const line = page.getByRole('status').filter({ hasText: 'Encoder rejected' });
  await expect(line).toContainText('H.264, HEVC and AV1 are accepted');
  await tab(page, 'Overview').click();
  await expect(line).toBeVisible();
  await lookAround(page, 'stream-rejected');
  await line.getByRole('link').click();
  await expect(page).toHaveURL(/\?tab=events$/);
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('H.264, HEVC and AV1 are accepted');
});

test('an issue links from every tab to Health', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Silent');
  await page.setViewportSize(phone);
  await page.goto(`/streams/${stream.id}?tab=events`);
  await publish(stream.streamKey, ['-an', '-c:v', 'copy']);
  await expect(status(page, 'Live')).toBeVisible();
  const line = page.getByRole('status').filter({ hasText: '1 issue' });
  await line.getByRole('button').click({ timeout: 60_000 });
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
  await expect(region(page, 'Health').getByRole('heading')).toBeInViewport();
  await expect(region(page, 'Issues')).toContainText('the encoder sends no audio');
});

test('the test pattern plays before the page knows that the stream is live', async ({ page }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'First picture');
  await page.goto(`/streams/${stream.id}`);
  const button = page.getByRole('button', { name: 'Send test pattern' });
  await expect(button).toBeEnabled();
  // From now on, the page gets the state of the idle stream.
  const idle = await page.request.get(`/api/stream/${stream.id}`);
  const body = await idle.body();
  await page.route(`**/api/stream/${stream.id}`, (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  );
  const startedAt = performance.now();
  await button.click();
  await expectPlaying(page);
  console.log(`first frame of the test pattern after ${Math.round(performance.now() - startedAt)} ms`);
  await expect(status(page, 'Live')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop test pattern' }).click();
});
