import { expect, test, type Browser, type Page } from '@playwright/test';
import { Encoder, sourceFile } from '../media/testing/encoder';
import { Owner, endWindow, rtmpUrl, sessionsOf } from '../media/testing/service';
import { lookAround } from './look';
import { createStream, expectPlaying, logIn, sendTestPattern } from './session';

const encoders: Encoder[] = [];
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

async function publish(streamKey: string, output?: readonly string[]): Promise<Encoder> {
  const encoder = new Encoder(await sourceFile(), rtmpUrl(streamKey), output);
  encoders.push(encoder);
  return encoder;
}

/** Another browser of the same person, which shares only the session. */
async function otherBrowser(page: Page, browser: Browser): Promise<Page> {
  const { cookies } = await page.context().storageState();
  const context = await browser.newContext({ storageState: { cookies, origins: [] } });
  return context.newPage();
}

const isActive = async (page: Page, id: string) =>
  ((await (await page.request.get(`/api/stream/${id}`)).json()) as { isActive: boolean }).isActive;

test('the test pattern is the same in every browser and gives way to an encoder; a rejected encoder is shown', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Two browsers');
  const otherPage = await otherBrowser(page, browser);
  await page.goto(`/streams/${stream.id}`);
  await otherPage.goto(new URL(page.url()).href);
  await sendTestPattern(page);
  await expect(otherPage.getByRole('button', { name: 'Stop test pattern' })).toBeEnabled();
  await expectPlaying(otherPage);

  const encoder = await publish(stream.streamKey);
  for (const each of [page, otherPage])
    await expect(each.getByRole('button', { name: 'Stop test pattern' })).toHaveCount(0);
  await expect.poll(async () => (await sessionsOf(stream.id)).length).toBe(1);
  expect(await isActive(page, stream.id)).toBe(true);

  const second = await publish(stream.streamKey);
  await second.whenEnded();
  for (const each of [page, otherPage]) {
    await each.getByRole('tab', { name: 'Events' }).click();
    const events = each.getByRole('list', { name: 'Events' });
    await expect(events).toContainText('another encoder is publishing to this stream');
  }
  expect(encoder.running).toBe(true);
  await otherPage.context().close();
});

test('an idle stream shows at its top that an encoder was rejected', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Refused');
  await page.goto(`/streams/${stream.id}`);
  await (await publish(stream.streamKey, ['-an', '-c:v', 'flv', '-s', '320x180'])).whenEnded();
  const line = page.getByRole('status').filter({ hasText: 'Encoder rejected' });
  await expect(line).toContainText('H.264, HEVC and AV1 are accepted');
});

test('an issue appears once, in a reserved place without layout shifts, and ends with the stream', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Silent');
  await page.goto(`/streams/${stream.id}`);
  const line = page.getByRole('status').filter({ hasText: '1 issue' });
  const tabs = async () => (await page.getByRole('tablist', { name: 'Stream' }).boundingBox())?.y;
  const reservedTabs = await tabs();
  expect(reservedTabs).toBeGreaterThan(0);
  const encoder = await publish(stream.streamKey, ['-an', '-c:v', 'copy']);
  await expectPlaying(page);
  const health = page.getByRole('region', { name: 'Health' });
  await expect(line).toContainText('1 issue: Hint: the encoder sends no audio', { timeout: 60_000 });
  await expect.poll(tabs).toBe(reservedTabs);
  await line.getByRole('button').click();
  await expect(health.getByRole('term').filter({ hasText: 'Frame rate' })).toBeVisible();
  await expect(health.getByRole('region', { name: 'Issues' })).toContainText('the encoder sends no audio');
  // The content below does not move, because the line's space is reserved from the beginning.
  await expect.poll(tabs).toBe(reservedTabs);
  await lookAround(page, 'stream-finding');

  await encoder.stop();
  await expect(line).toHaveCount(0);
  await expect(health.getByText('the encoder sends no audio')).toHaveCount(0);
  const { issues } = (await (await page.request.get(`/api/stream/${stream.id}`)).json()) as {
    issues: unknown;
  };
  expect(issues).toBeNull();
});

test('the player of the dashboard does not count as a viewer', async ({ page, browser }) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Preview');
  await publish(stream.streamKey);
  await page.goto(`/streams/${stream.id}`);
  await expectPlaying(page);
  await page.reload();
  await expectPlaying(page);
  const viewers = await browser.newContext();
  const viewer = await viewers.newPage();
  await viewer.goto(new URL(`/watch/${stream.playbackId}`, page.url()).href);
  await expectPlaying(viewer);
  const counts = async () => {
    const response = await page.request.get(`/api/stream/${stream.id}/viewers`);
    const { viewers: now, views } = (await response.json()) as { viewers: number; views: number };
    return { now, views };
  };
  await expect.poll(async () => (await counts()).views).toBeGreaterThan(0);
  await expect.poll(counts).toEqual({ now: 1, views: 1 });
  await viewers.close();
});

test('open viewer pages follow a stream from its first start to its deletion', async ({ page }) => {
  test.slow();
  const owner = await Owner.create();
  const stream = await owner.newStream({ name: 'Open day', record: true });
  const embed = await page.context().newPage();
  await page.goto(`/watch/${stream.playbackId}`);
  await embed.goto(`/embed/${stream.playbackId}`);
  const both = [page, embed];
  const say = async (title: string | RegExp) => {
    for (const each of both) await expect(each.getByRole('status')).toContainText(title);
  };
  await say('Not live yet');

  const encoder = await publish(stream.streamKey);
  for (const each of both) await expectPlaying(each);
  await encoder.stop();
  await say(/Ended at \d{1,2}:\d\d [AP]M/);
  const link = page.getByRole('link', { name: 'Watch the recording' });
  // The recording plays from stored segments before and after the end of the session.
  await expect(link).toBeVisible();
  await endWindow(stream.id);
  await expect(link).toBeVisible();
  await expect(embed.getByRole('link', { name: 'Watch the recording' })).toHaveAttribute('target', '_blank');
  await lookAround(page, 'watch-ended');

  await owner.request('PATCH', `/api/stream/${stream.id}`, { suspended: true });
  await say('Not available');
  const fresh = await page.context().newPage();
  await fresh.goto(`/watch/${stream.playbackId}`);
  await expect(fresh.getByRole('status')).toContainText('Not available');
  await expect(fresh.getByText('Open day')).toHaveCount(0);
  await owner.request('PATCH', `/api/stream/${stream.id}`, { suspended: false });
  both.push(fresh);
  await say(/Ended on|Ended at/);

  const recording = await page.context().newPage();
  await recording.goto((await link.getAttribute('href')) ?? '');
  await expectPlaying(recording);

  await owner.request('DELETE', `/api/stream/${stream.id}`);
  await say('This stream was deleted');
  await lookAround(embed, 'embed-deleted');
  await expect(link).toHaveCount(0);
  for (const each of both) await each.reload();
  await say('This stream was deleted');
});
