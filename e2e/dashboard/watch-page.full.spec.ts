import { expect, test, type Page } from '@playwright/test';
import { HOUR_MS } from '@/lib/core/units';
import { ApiAccount } from '../media/testing/service';
import { checkPage } from './page-checks';
import { measureScripts } from './loaded-scripts';
import { clickControl, createStream, expectPlaying, logIn, setTestPattern } from './page-actions';
import { createVideoAsset } from './video';

/** Reads the metadata in the head of a page, with the user agent of a bot for link previews. */
async function readHead(page: Page, path: string) {
  const headers = { 'user-agent': 'Twitterbot/1.0' };
  const html = await (await page.request.get(path, { headers })).text();
  return page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, 'text/html');
    const { head } = document;
    const readAttributes = (selector: string, name: string) =>
      Array.from(head.querySelectorAll(selector), (element) => element.getAttribute(name));
    const jsonLd = document.querySelector('script[type="application/ld+json"]')?.textContent ?? 'null';
    return {
      metas: Object.fromEntries(
        Array.from(head.querySelectorAll('meta[content]'), (element) => [
          element.getAttribute('property') ?? element.getAttribute('name') ?? '',
          element.getAttribute('content'),
        ]),
      ),
      videos: readAttributes('meta[property="og:video"]', 'content'),
      canonical: readAttributes('link[rel="canonical"]', 'href'),
      oembed: readAttributes('link[type="application/json+oembed"]', 'href'),
      structuredData: JSON.parse(jsonLd) as Record<string, unknown> | null,
    };
  }, html);
}

test('the watch page of an asset has metadata for link previews and search engines, and shows title and duration', async ({
  page,
  baseURL,
}) => {
  const asset = await createVideoAsset('River & “dawn”', 120);
  const path = `/watch/${asset.playbackId}`;
  await page.goto(path);
  const { metas, videos, canonical, oembed, structuredData } = await readHead(page, path);
  const origin = baseURL ?? '';
  expect(canonical).toEqual([`${origin}${path}`]);
  expect(oembed).toHaveLength(1);
  expect(videos).toEqual([`${origin}/embed/${asset.playbackId}`, `${asset.downloadUrl}/download.mp4`]);
  expect(metas).toMatchObject({
    'og:title': 'River & “dawn”',
    'og:image': expect.stringMatching(/poster\.jpg$/),
    'twitter:card': 'player',
    'twitter:player': `${origin}/embed/${asset.playbackId}`,
    'twitter:player:width': '320',
  });
  expect(structuredData).toMatchObject({
    '@type': 'VideoObject',
    name: 'River & “dawn”',
    uploadDate: new Date(asset.createdAt).toISOString(),
    thumbnailUrl: expect.stringMatching(/^http.*poster\.jpg$/),
    contentUrl: `${asset.downloadUrl}/download.mp4`,
    embedUrl: `${origin}/embed/${asset.playbackId}`,
    duration: 'PT2M',
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('River & “dawn”');
  await expect(page.getByText('2 min 00 s', { exact: true })).toBeVisible();
  await expectPlaying(page);
  await checkPage(page, 'watch-video');
});

test('the owner writes chapters, and viewers see them in the control bar and in a list, and jump to them', async ({
  page,
}) => {
  const { id } = await logIn(page);
  const asset = await createVideoAsset('River', 120, await ApiAccount.create(id));
  await page.goto(`/assets/${asset.id}?tab=subtitles`);
  const field = page.getByRole('textbox', { name: 'One chapter per line' });
  await field.fill('0:00 The spring\n3:00 The weir');
  await page.getByRole('button', { name: 'Save chapters' }).click();
  await expect(page.getByText('Line 2 has a time after the end of the video.')).toBeVisible();
  await field.fill('0:00 The spring\n1:30 The weir, where the river is widest in the whole valley');
  await page.getByRole('button', { name: 'Save chapters' }).click();
  await expect(page.getByText('Chapters saved')).toBeVisible();
  await checkPage(page, 'asset-chapters');

  await page.goto(`/watch/${asset.playbackId}`);
  await expectPlaying(page);
  await clickControl(page, 'Chapter: The spring');
  await page.getByRole('button', { name: /^1:30 The weir/ }).click();
  const readTime = () => page.locator('video').evaluate(({ currentTime }: HTMLVideoElement) => currentTime);
  await expect.poll(readTime).toBeGreaterThanOrEqual(90);
  const slider = page.getByRole('slider', { name: 'Position' });
  await expect(slider).toHaveAttribute('aria-valuetext', /^1:3\d, The weir/);
  await clickControl(page, 'Chapter: The weir, where the river is widest in the whole valley');
  await expect(page.getByRole('dialog', { name: 'Chapters' })).toBeVisible();
  await checkPage(page, 'watch-chapters');
});

test('the watch page of a live stream shows its start time, its viewers, and a slider at the live edge, and search engines see when it is live', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'River live');
  const path = `/watch/${stream.playbackId}`;
  const viewerContext = await browser.newContext();
  const viewer = await viewerContext.newPage();
  await setTestPattern(page, stream.id, true);
  await viewer.goto(new URL(path, page.url()).href);
  await expectPlaying(viewer, 60_000);
  const slider = viewer.getByRole('slider', { name: 'Position' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'Live', { timeout: 60_000 });
  const readDistanceToLive = () =>
    slider.evaluate((input: HTMLInputElement) => Math.abs(Number(input.max) - Number(input.value)));
  await expect.poll(readDistanceToLive).toBeLessThan(0.2);
  // The slider shows the live edge for delays of less than five seconds, so the test waits for a longer window.
  const readSeekableSeconds = () =>
    slider.evaluate((input: HTMLInputElement) => Number(input.max) - Number(input.min));
  await expect.poll(readSeekableSeconds, { timeout: 60_000 }).toBeGreaterThan(12);
  await viewer.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /^-0:/);
  await viewer.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', 'Live');

  await expect(viewer.getByText(/Started \d/)).toBeVisible();
  await expect(viewer.getByText('1 watching')).toBeVisible({ timeout: 60_000 });
  const { structuredData, metas } = await readHead(viewer, path);
  expect(metas['og:image']).toContain('thumbnail.jpg');
  expect(structuredData).toMatchObject({
    '@type': 'VideoObject',
    publication: { '@type': 'BroadcastEvent', isLiveBroadcast: true },
  });
  await setTestPattern(page, stream.id, false);
  await expect(viewer.getByText(/Last live \d/)).toBeVisible({ timeout: 60_000 });
  expect((await readHead(viewer, path)).structuredData).toMatchObject({
    publication: { isLiveBroadcast: false, endDate: expect.any(String) },
  });
  await viewerContext.close();
});

test('after “From the start”, the player keeps playing inside a moving DVR window, and “Jump to live” returns to the live edge', async ({
  page,
}) => {
  test.slow();
  await logIn(page);
  const dvrSeconds = 40;
  const stream = await createStream(page, 'Long regatta', { dvrSeconds });
  await setTestPattern(page, stream.id, true);
  await page.goto(`/watch/${stream.playbackId}`);
  await expectPlaying(page, 60_000);
  const readStatus = async () => {
    const response = await page.request.get(`/api/playback/${stream.playbackId}/status`);
    return (await response.json()) as { startedAt: number };
  };
  // The DVR window moves as soon as the stream is longer than the window.
  const { startedAt } = await readStatus();
  await expect
    .poll(() => Date.now() - startedAt, { timeout: 120_000 })
    .toBeGreaterThan((dvrSeconds + 15) * 1_000);

  /** Seconds of the DVR window before and after the position of the player; 0 while the window loads. */
  const readWindowPosition = () =>
    page.locator('video').evaluate(({ seekable, currentTime }: HTMLVideoElement) =>
      seekable.length === 0
        ? { secondsBefore: 0, secondsAfter: 0 }
        : {
            secondsBefore: currentTime - seekable.start(0),
            secondsAfter: seekable.end(0) - currentTime,
          },
    );
  await page.getByRole('button', { name: 'From the start' }).click();
  await expect
    .poll(async () => (await readWindowPosition()).secondsAfter, { timeout: 60_000 })
    .toBeGreaterThan(15);
  // A segment of the test pattern has two seconds. The window moves as fast as playback, so the distance stays.
  for (let round = 0; round < 3; round += 1) {
    await expectPlaying(page);
    const { secondsBefore, secondsAfter } = await readWindowPosition();
    expect(secondsBefore).toBeGreaterThan(4);
    expect(secondsAfter).toBeGreaterThan(15);
  }

  await clickControl(page, 'Jump to live');
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible({ timeout: 60_000 });
  await expectPlaying(page);
  expect((await readWindowPosition()).secondsAfter).toBeLessThan(10);
  await setTestPattern(page, stream.id, false);
});

test('a stream with a start time has a countdown and a calendar entry', async ({ page }) => {
  await logIn(page);
  const startsAt = Date.now() + 26 * HOUR_MS;
  const stream = await createStream(page, 'Choir; rehearsal', { startsAt });
  await page.goto(`/watch/${stream.playbackId}`);
  await expect(page.getByText(/^Starts in 1 d/)).toBeVisible();
  const link = page.getByRole('link', { name: 'Add to calendar' });
  const response = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(response.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  const calendarEntry = await response.text();
  const startTime = new Date(startsAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  expect(calendarEntry).toContain(`DTSTART:${startTime}`);
  expect(calendarEntry).toContain('SUMMARY:Choir\\; rehearsal');
  expect(calendarEntry.replaceAll(/\r\n /g, '')).toContain(`/watch/${stream.playbackId}`);
  await checkPage(page, 'watch-announced');
});

/** Limit for the scripts of a watch page with subtitles, in gzipped bytes. */
const MAX_SCRIPT_BYTES_WITH_SUBTITLES = 340_000;

test('the watch page of an asset with subtitles keeps its limit of script size and loads only one build of hls.js', async ({
  page,
}) => {
  const owner = await ApiAccount.create();
  const asset = await createVideoAsset('River', 30, owner);
  const body = 'WEBVTT\n\n00:00.000 --> 00:30.000\nThe spring\n';
  const track = { language: 'en', body };
  expect((await owner.request('POST', `/api/asset/${asset.id}/tracks`, track)).status).toBe(201);
  const hlsJsUrls = new Set<string>();
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return;
    // Both builds of hls.js contain the name of this event.
    if ((await response.text().catch(() => '')).includes('hlsManifestLoading')) hlsJsUrls.add(response.url());
  });
  const scripts = await measureScripts(page, async () => {
    await page.goto(`/watch/${asset.playbackId}`);
    await expectPlaying(page);
  });
  expect(scripts.gzippedBytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES_WITH_SUBTITLES);
  await expect.poll(() => hlsJsUrls.size).toBe(1);
});
