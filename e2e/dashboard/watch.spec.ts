import { expect, test, type Route } from '@playwright/test';
import { createStream, expectPlaying, setTestPattern, logIn } from './page-actions';

test('the watch page starts playback automatically, shows the end of a stream, and resumes after an interruption', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'For viewers');
  const viewerContext = await browser.newContext();
  const viewer = await viewerContext.newPage();
  const errors: string[] = [];
  viewer.on(
    'console',
    (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`),
  );
  const watchUrl = new URL(`/watch/${stream.playbackId}`, page.url()).href;
  await viewer.goto(watchUrl);
  const player = viewer.locator('[data-phase]');
  await expect(player).toHaveAttribute('data-phase', 'starts-soon');
  await expect(viewer.getByText('Not live yet')).toBeVisible();

  await setTestPattern(page, stream.id, true);
  await expectPlaying(viewer);

  // A playlist request that waits for the next part gets EXT-X-ENDLIST, and later requests get no playlist.
  const fulfilEnded = async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}#EXT-X-ENDLIST\n` });
  };
  const playlistPattern = '**/source/index.m3u8*';
  await new Promise<void>((resolve) => {
    void viewer.route(playlistPattern, (route) => fulfilEnded(route).then(resolve));
  });
  await setTestPattern(page, stream.id, false);
  await expect(player).toHaveAttribute('data-phase', 'offline');
  await viewer.unroute(playlistPattern);
  // The player reads the end from the playlist, possibly before the server has ended the session.
  const readIsActive = async () => {
    const response = await page.request.get(`/api/stream/${stream.id}`);
    return ((await response.json()) as { isActive: boolean }).isActive;
  };
  await expect.poll(readIsActive).toBe(false);

  // The player finds the next publish even if a publish ends immediately after its start.
  await viewer.route(playlistPattern, fulfilEnded, { times: 1 });
  await setTestPattern(page, stream.id, true);
  const video = viewer.locator('video');
  const readIsLive = () =>
    video.evaluate(
      (videoElement: HTMLVideoElement) => videoElement.duration === Infinity && !videoElement.ended,
    );
  await expect.poll(readIsLive).toBe(true);
  await expectPlaying(viewer);

  // The player logs no errors while it waits before, between and after publishes.
  expect(errors).toEqual([]);
  await viewer.keyboard.press('m');
  await expect.poll(() => video.evaluate((videoElement: HTMLVideoElement) => videoElement.muted)).toBe(false);
  // Playback must continue before the key toggles it, because on a busy machine the player may be stalled.
  await expectPlaying(viewer);
  await viewer.keyboard.press(' ');
  const readIsPaused = () => video.evaluate((videoElement: HTMLVideoElement) => videoElement.paused);
  await expect.poll(readIsPaused).toBe(true);

  // A paused player stays paused after a connection failure.
  await viewer.route('**/hls/**', (route) => route.abort());
  await expect(player).toHaveAttribute('data-phase', 'reconnecting');
  await viewer.unroute('**/hls/**');
  await expect(player).toHaveAttribute('data-phase', 'playing');
  expect(await readIsPaused()).toBe(true);
  await viewer.keyboard.press(' ');
  await expectPlaying(viewer);
  await setTestPattern(page, stream.id, false);
  await viewerContext.close();
});

test('the watch page and embed of an unknown playback id show that nothing was found', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const id of ['abcdabcdabcdabcd', 'nonsense']) {
    const response = await page.goto(`/watch/${id}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Nothing to watch here' })).toBeVisible();
    await expect(page.locator('html')).toHaveClass(/\bdark\b/);
    await expect(page).toHaveTitle('Nothing to watch here · Headwater');
    await page.goto(`/embed/${id}`);
    await expect(page.locator('[data-phase]')).toHaveAttribute('data-phase', 'not-found');
  }
});

test('the embed may be framed, and pages for log-in, sign-up and watching may not, and have only scripts with the nonce of the response', async ({
  request,
}) => {
  const embedResponse = await request.get('/embed/abcdabcdabcdabcd');
  expect(embedResponse.headers()['content-security-policy']).toContain('frame-ancestors *');
  expect(embedResponse.headers()['x-frame-options']).toBeUndefined();
  for (const path of ['/login', '/signup', '/watch/abcdabcdabcdabcd']) {
    const response = await request.get(path);
    expect(response.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(response.headers()['x-frame-options']).toBe('DENY');
    expect(response.headers()['x-content-type-options']).toBe('nosniff');
    const nonce = /'nonce-([^']+)'/.exec(response.headers()['content-security-policy'] ?? '')?.[1] ?? '';
    const scripts = (await response.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
  }
});
