import { expect, test, type Browser, type Page } from '@playwright/test';
import { createSourceFile, type Encoder, setUpEncoders } from '../media/testing/encoder';
import { ApiAccount, endReconnectWindow, rtmpUrl, fetchSessionRows } from '../media/testing/service';
import { checkPage } from './page-checks';
import { createStream, expectPlaying, logIn, sendTestPattern } from './page-actions';

const startEncoder = setUpEncoders();

async function publish(streamKey: string, outputArgs?: readonly string[]): Promise<Encoder> {
  return startEncoder(await createSourceFile(), rtmpUrl(streamKey), outputArgs);
}

/** Opens another browser of the same person, which shares only the sign-in session. */
async function openOtherBrowser(page: Page, browser: Browser): Promise<Page> {
  const { cookies } = await page.context().storageState();
  const context = await browser.newContext({ storageState: { cookies, origins: [] } });
  return context.newPage();
}

const readIsActive = async (page: Page, id: string) =>
  ((await (await page.request.get(`/api/stream/${id}`)).json()) as { isActive: boolean }).isActive;

test('two browsers show the test pattern, its end when an encoder publishes, and the event of a rejected second encoder', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Two browsers');
  const otherPage = await openOtherBrowser(page, browser);
  await page.goto(`/streams/${stream.id}`);
  await otherPage.goto(new URL(page.url()).href);
  await sendTestPattern(page);
  await expect(otherPage.getByRole('button', { name: 'Stop test pattern' })).toBeEnabled();
  await expectPlaying(otherPage);

  const encoder = await publish(stream.streamKey);
  for (const openPage of [page, otherPage])
    await expect(openPage.getByRole('button', { name: 'Stop test pattern' })).toHaveCount(0);
  await expect.poll(async () => (await fetchSessionRows(stream.id)).length).toBe(1);
  expect(await readIsActive(page, stream.id)).toBe(true);

  const secondEncoder = await publish(stream.streamKey);
  await secondEncoder.whenEnded();
  for (const openPage of [page, otherPage]) {
    await openPage.getByRole('tab', { name: 'Events' }).click();
    const events = openPage.getByRole('list', { name: 'Events' });
    await expect(events).toContainText('another encoder is publishing to this stream');
  }
  expect(encoder.isRunning).toBe(true);
  await otherPage.context().close();
});

test('the page of an idle stream shows that an encoder was rejected, and why', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Rejected');
  await page.goto(`/streams/${stream.id}`);
  // The ffmpeg encoder `flv` makes Sorenson H.263, which the service does not accept.
  await (await publish(stream.streamKey, ['-an', '-c:v', 'flv', '-s', '320x180'])).whenEnded();
  const statusLine = page.getByRole('status').filter({ hasText: 'Encoder rejected' });
  await expect(statusLine).toContainText('H.264, HEVC and AV1 are accepted');
});

test('an issue appears without moving the tabs of the stream, and ends with the publish', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Silent');
  await page.goto(`/streams/${stream.id}`);
  const statusLine = page.getByRole('status').filter({ hasText: '1 issue' });
  const readTabsTop = async () => (await page.getByRole('tablist', { name: 'Stream' }).boundingBox())?.y;
  const initialTabsTop = await readTabsTop();
  expect(initialTabsTop).toBeGreaterThan(0);
  const encoder = await publish(stream.streamKey, ['-an', '-c:v', 'copy']);
  await expectPlaying(page);
  const health = page.getByRole('region', { name: 'Health' });
  await expect(statusLine).toContainText('1 issue: Hint: the encoder sends no audio', { timeout: 60_000 });
  await expect.poll(readTabsTop).toBe(initialTabsTop);
  await statusLine.getByRole('button').click();
  await expect(health.getByRole('term').filter({ hasText: 'Frame rate' })).toBeVisible();
  await expect(health.getByRole('region', { name: 'Issues' })).toContainText('the encoder sends no audio');
  // The tabs do not move, because the page reserves the space of the line.
  await expect.poll(readTabsTop).toBe(initialTabsTop);
  await checkPage(page, 'stream-finding');

  await encoder.stop();
  await expect(statusLine).toHaveCount(0);
  await expect(health.getByText('the encoder sends no audio')).toHaveCount(0);
  const { issues } = (await (await page.request.get(`/api/stream/${stream.id}`)).json()) as {
    issues: unknown;
  };
  expect(issues).toBeNull();
});

test('the player of the dashboard counts neither as a viewer nor as a view', async ({ page, browser }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Preview');
  await publish(stream.streamKey);
  await page.goto(`/streams/${stream.id}`);
  await expectPlaying(page);
  await page.reload();
  await expectPlaying(page);
  const viewerContext = await browser.newContext();
  const viewer = await viewerContext.newPage();
  await viewer.goto(new URL(`/watch/${stream.playbackId}`, page.url()).href);
  await expectPlaying(viewer);
  const readCounts = async () => {
    const response = await page.request.get(`/api/stream/${stream.id}/viewers`);
    const { viewers, views } = (await response.json()) as { viewers: number; views: number };
    return { viewers, views };
  };
  await expect.poll(async () => (await readCounts()).views).toBeGreaterThan(0);
  await expect.poll(readCounts).toEqual({ viewers: 1, views: 1 });
  await viewerContext.close();
});

test('open viewer pages follow a stream from its first start to its deletion', async ({ page }) => {
  test.slow();
  const owner = await ApiAccount.create();
  const stream = await owner.createStream({ name: 'Open day', record: true });
  const embedPage = await page.context().newPage();
  await page.goto(`/watch/${stream.playbackId}`);
  await embedPage.goto(`/embed/${stream.playbackId}`);
  const viewerPages = [page, embedPage];
  const expectStatus = async (title: string | RegExp) => {
    for (const viewerPage of viewerPages) await expect(viewerPage.getByRole('status')).toContainText(title);
  };
  await expectStatus('Not live yet');

  const encoder = await publish(stream.streamKey);
  for (const viewerPage of viewerPages) await expectPlaying(viewerPage);
  await encoder.stop();
  await expectStatus(/Ended at \d{1,2}:\d\d [AP]M/);
  const link = page.getByRole('link', { name: 'Watch the recording' });
  // The link is visible before and after the end of the session, because recordings play from stored segments.
  await expect(link).toBeVisible();
  await endReconnectWindow(stream.id);
  await expect(link).toBeVisible();
  await expect(embedPage.getByRole('link', { name: 'Watch the recording' })).toHaveAttribute(
    'target',
    '_blank',
  );
  await checkPage(page, 'watch-ended');

  await owner.request('PATCH', `/api/stream/${stream.id}`, { suspended: true });
  await expectStatus('Not available');
  const laterPage = await page.context().newPage();
  await laterPage.goto(`/watch/${stream.playbackId}`);
  await expect(laterPage.getByRole('status')).toContainText('Not available');
  await expect(laterPage.getByText('Open day')).toHaveCount(0);
  await owner.request('PATCH', `/api/stream/${stream.id}`, { suspended: false });
  viewerPages.push(laterPage);
  await expectStatus(/Ended on|Ended at/);

  const recordingPage = await page.context().newPage();
  await recordingPage.goto((await link.getAttribute('href')) ?? '');
  await expectPlaying(recordingPage);

  await owner.request('DELETE', `/api/stream/${stream.id}`);
  await expectStatus('This stream was deleted');
  await checkPage(embedPage, 'embed-deleted');
  await expect(link).toHaveCount(0);
  for (const viewerPage of viewerPages) await viewerPage.reload();
  await expectStatus('This stream was deleted');
});
