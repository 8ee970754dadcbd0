import { expect, test, type Route } from '@playwright/test';
import { createStream, expectPlaying, setTestPattern, logIn } from './session';

test('the viewer page starts playback automatically and resumes after an interruption', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'For viewers');
  const viewers = await browser.newContext();
  const viewer = await viewers.newPage();
  const errors: string[] = [];
  viewer.on(
    'console',
    (line) => line.type() === 'error' && errors.push(`${line.text()} ${line.location().url}`),
  );
  const address = new URL(`/watch/${stream.playbackId}`, page.url()).href;
  await viewer.goto(address);
  const stage = viewer.locator('[data-phase]');
  await expect(stage).toHaveAttribute('data-phase', 'starts-soon');
  await expect(viewer.getByText('Not live yet')).toBeVisible();

  await setTestPattern(page, stream.id, true);
  await expectPlaying(viewer);

  // A blocking playlist request gets a playlist with EXT-X-ENDLIST; later requests get none.
  const fulfilEnded = async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}#EXT-X-ENDLIST\n` });
  };
  const playlist = '**/source/index.m3u8*';
  await new Promise<void>((resolve) => {
    void viewer.route(playlist, (route) => fulfilEnded(route).then(resolve));
  });
  await setTestPattern(page, stream.id, false);
  await expect(stage).toHaveAttribute('data-phase', 'offline');
  await viewer.unroute(playlist);
  // The player reads the end from the playlist, possibly before the server has ended the session.
  const active = async () => {
    const response = await page.request.get(`/api/stream/${stream.id}`);
    return ((await response.json()) as { isActive: boolean }).isActive;
  };
  await expect.poll(active).toBe(false);

  // The next broadcast is found even if a broadcast ends right after its start.
  await viewer.route(playlist, fulfilEnded, { times: 1 });
  await setTestPattern(page, stream.id, true);
  const video = viewer.locator('video');
  const isLive = () => video.evaluate((each: HTMLVideoElement) => each.duration === Infinity && !each.ended);
  await expect.poll(isLive).toBe(true);
  await expectPlaying(viewer);

  // Waiting before, after and between broadcasts is not an error.
  expect(errors).toEqual([]);
  await viewer.keyboard.press('m');
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.muted)).toBe(false);
  // The key toggles playback: on a busy machine the picture may be stalled.
  await expectPlaying(viewer);
  await viewer.keyboard.press(' ');
  const isPaused = () => video.evaluate((each: HTMLVideoElement) => each.paused);
  await expect.poll(isPaused).toBe(true);

  // A paused player is still paused after the connection returns.
  await viewer.route('**/hls/**', (route) => route.abort());
  await expect(stage).toHaveAttribute('data-phase', 'reconnecting');
  await viewer.unroute('**/hls/**');
  await expect(stage).toHaveAttribute('data-phase', 'playing');
  expect(await isPaused()).toBe(true);
  await viewer.keyboard.press(' ');
  await expectPlaying(viewer);
  await setTestPattern(page, stream.id, false);
  await viewers.close();
});

test('an unknown address shows that there is nothing to watch', async ({ page }) => {
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

test('only the embed can be framed, and no page runs scripts without its nonce', async ({ request }) => {
  const embed = await request.get('/embed/abcdabcdabcdabcd');
  expect(embed.headers()['content-security-policy']).toContain('frame-ancestors *');
  expect(embed.headers()['x-frame-options']).toBeUndefined();
  for (const path of ['/login', '/signup', '/watch/abcdabcdabcdabcd']) {
    const page = await request.get(path);
    expect(page.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers()['x-frame-options']).toBe('DENY');
    expect(page.headers()['x-content-type-options']).toBe('nosniff');
    // Each script of the page carries the nonce of its response.
    const nonce = /'nonce-([^']+)'/.exec(page.headers()['content-security-policy'] ?? '')?.[1] ?? '';
    const scripts = (await page.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((each) => !each.includes(`nonce="${nonce}"`))).toEqual([]);
  }
});
