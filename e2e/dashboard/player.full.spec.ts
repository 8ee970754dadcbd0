import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { runFfmpeg } from '../media/testing/run-ffmpeg';
import { expectAccessible, checkPage } from './page-checks';
import { clickControl, expectPlaying } from './page-actions';
import { createVideoAsset, toneInput } from './video';

// Features of the player on the watch page.

/** Duration of the video. */
const DURATION_SECONDS = 120;
const folder = mkdtempSync(join(tmpdir(), 'player-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
let asset: Asset;
test.beforeAll(async () => {
  asset = await createVideoAsset('River', DURATION_SECONDS);
});

const video = (page: Page): Locator => page.locator('video');
const controls = (page: Page): Locator => page.locator('[data-controls]');
const readVideo = <T>(page: Page, read: (video: HTMLVideoElement) => T): Promise<T> =>
  video(page).evaluate(read);
const readTime = (page: Page) => readVideo(page, ({ currentTime }) => currentTime);
const readIsPaused = (page: Page) => readVideo(page, (videoElement) => videoElement.paused);
const readIsMuted = (page: Page) => readVideo(page, (videoElement) => videoElement.muted);

async function openVideo(page: Page, query = ''): Promise<void> {
  await page.goto(`/watch/${asset.playbackId}${query}`);
  await expectPlaying(page);
}

/** Taps the picture like a finger, at these fractions of its width, within one task of the event loop. */
const tapPicture = (page: Page, ...fractions: readonly number[]) =>
  video(page).evaluate((element, positions) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    for (const fraction of positions) {
      const eventInit = { bubbles: true, clientX: left + fraction * width, clientY: top + height / 3 };
      element.dispatchEvent(new PointerEvent('pointerdown', { ...eventInit, pointerType: 'touch' }));
      element.dispatchEvent(new PointerEvent('click', { ...eventInit, pointerType: 'touch' }));
    }
  }, fractions);

test('on a phone, a tap unmutes the video, shows hidden controls, presses visible ones, and two taps seek', async ({
  browser,
}) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await openVideo(page);
  await expect(page.getByRole('button', { name: /to unmute$/ })).toBeVisible();
  const box = await video(page).boundingBox();
  if (!box) throw new Error('The video is not visible');
  const center = [box.x + box.width / 2, box.y + box.height / 2] as const;

  // The controls hide after a while. The first tap unmutes the video and shows the controls.
  await expect(controls(page)).toHaveClass(/opacity-0/);
  await page.touchscreen.tap(...center);
  await expect.poll(() => readIsMuted(page)).toBe(false);
  expect(await readIsPaused(page)).toBe(false);
  await expect(controls(page)).not.toHaveClass(/opacity-0/);
  await expect(page.getByRole('button', { name: /to unmute$/ })).toHaveCount(0);

  // Buttons are at least 44 px wide and high.
  const readSmallButtons = () =>
    controls(page).evaluate((element) =>
      [...element.querySelectorAll('button')].flatMap((button) => {
        const { width, height } = button.getBoundingClientRect();
        return width > 0 && Math.min(width, height) < 44 ? [button.outerHTML] : [];
      }),
    );
  await expect.poll(readSmallButtons).toEqual([]);

  // A tap on a hidden button shows the button and does not press it. Its center is at least 22 px from its edges.
  const pauseButton = page.getByRole('button', { name: 'Pause' });
  const buttonBox = await pauseButton.boundingBox();
  if (!buttonBox) throw new Error('The button is not visible');
  await expect(controls(page)).toHaveClass(/opacity-0/);
  await page.touchscreen.tap(buttonBox.x + 22, buttonBox.y + 22);
  await expect(controls(page)).not.toHaveClass(/opacity-0/);
  expect(await readIsPaused(page)).toBe(false);
  // The controls may hide again before the next tap.
  await expect
    .poll(async () => {
      await page.touchscreen.tap(buttonBox.x + 22, buttonBox.y + 22);
      return readIsPaused(page);
    })
    .toBe(true);

  // The second tap of a series seeks by 10 s, and so does each further tap: 15 + 10 = 25, and 25 - 2 * 10 = 5.
  await readVideo(page, (videoElement) => void (videoElement.currentTime = 15));
  await tapPicture(page, 0.9, 0.9);
  await expect.poll(() => readTime(page)).toBeCloseTo(25, 0);
  await tapPicture(page, 0.1, 0.1, 0.1);
  await expect.poll(() => readTime(page)).toBeCloseTo(5, 0);
  await expect.poll(() => readIsPaused(page)).toBe(true);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await context.close();
});

test('the first click on a muted video unmutes it, and the next click pauses it', async ({ page }) => {
  await openVideo(page);
  await video(page).click();
  await expect.poll(() => readIsMuted(page)).toBe(false);
  expect(await readIsPaused(page)).toBe(false);
  // A second passes between the clicks, so that they are not a double click.
  await expect.poll(async () => {
    await video(page).click();
    return readIsPaused(page);
  }, { intervals: [1000] }).toBe(true); // prettier-ignore
});

test('keyboard shortcuts control the player, K also in full screen, and a video can be replayed at its end', async ({
  page,
}) => {
  await page.addInitScript(() => {
    HTMLVideoElement.prototype.requestPictureInPicture = () => {
      document.documentElement.dataset['pip'] = 'requested';
      return Promise.reject(new Error('no window here'));
    };
  });
  await openVideo(page);
  const press = (key: string) => page.keyboard.press(key);
  await press('k');
  await expect.poll(() => readIsPaused(page)).toBe(true);
  await press('5');
  await expect.poll(() => readTime(page)).toBeCloseTo(DURATION_SECONDS / 2, 0);
  await press('l');
  await expect.poll(() => readTime(page)).toBeCloseTo(DURATION_SECONDS / 2 + 10, 0);
  await press('j');
  await press('ArrowLeft');
  await expect.poll(() => readTime(page)).toBeCloseTo(DURATION_SECONDS / 2 - 5, 0);
  await press('Home');
  await expect.poll(() => readTime(page)).toBe(0);
  await press('m');
  await expect.poll(() => readIsMuted(page)).toBe(false);
  await press('ArrowDown');
  await expect.poll(() => readVideo(page, ({ volume }) => volume)).toBeCloseTo(0.9);
  await press('>');
  await expect.poll(() => readVideo(page, ({ playbackRate }) => playbackRate)).toBe(1.25);
  await press('p');
  await expect(page.locator('html')).toHaveAttribute('data-pip', 'requested');
  await press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  // The list of shortcuts is inside the full-screen element, because the browser shows nothing outside of it.
  await press('?');
  const shortcutsDialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcutsDialog).toBeVisible();
  await expect
    .poll(() => shortcutsDialog.evaluate((element) => document.fullscreenElement?.contains(element)))
    .toBe(true);
  await press('k');
  await expect.poll(() => readIsPaused(page)).toBe(true);
  await expectAccessible(page, 'help of the player');
  await shortcutsDialog.getByRole('button', { name: 'Close' }).click();
  await expect(shortcutsDialog).toHaveCount(0);
  await press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  const narrowWidth = (await video(page).boundingBox())?.width ?? 0;
  await press('t');
  await expect(page.getByRole('button', { name: 'Theater mode' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await video(page).boundingBox())?.width ?? 0).toBeGreaterThan(narrowWidth);
  await press('t');

  await press('End');
  const replay = page.getByRole('button', { name: 'Replay' });
  await expect(replay).toBeVisible();
  await expectAccessible(page, 'end of a video');
  await replay.click();
  await expect.poll(() => readTime(page)).toBeLessThan(DURATION_SECONDS - 5);
  await expect.poll(() => readIsPaused(page)).toBe(false);
});

test('a video resumes at the last position, and is shared from a selected time', async ({ page }) => {
  await openVideo(page);
  await page.keyboard.press('k');
  await page.keyboard.press('5');
  await expect
    .poll(() => readVideo(page, ({ readyState, seeking }) => readyState > 1 && !seeking))
    .toBe(true);
  await page.reload();
  await expect(page.getByRole('button', { name: /Start over/ })).toContainText('Resumed at 1:00');
  await page.keyboard.press('k');
  expect(await readTime(page)).toBeGreaterThan(DURATION_SECONDS / 2 - 1);
  await page.getByRole('button', { name: /Start over/ }).click();
  await expect.poll(() => readTime(page)).toBeLessThan(DURATION_SECONDS / 4);

  await openVideo(page, '?t=30');
  expect(await readTime(page)).toBeGreaterThan(29);
  await expect(page.getByRole('button', { name: /Start over/ })).toHaveCount(0);
  await page.keyboard.press('k');
  const startSeconds = Math.floor(await readTime(page));
  await page.getByRole('button', { name: 'Share' }).click();
  const shareDialog = page.getByRole('dialog', { name: 'Share' });
  const link = shareDialog.getByRole('group', { name: 'Link' });
  await expect(link).toHaveText(new RegExp(`/watch/${asset.playbackId}$`));
  await shareDialog.getByRole('checkbox', { name: `Start at 0:${startSeconds}` }).check();
  await expect(link).toHaveText(new RegExp(`/watch/${asset.playbackId}\\?t=${startSeconds}$`));
  await expect(shareDialog.getByLabel('Embed code', { exact: true })).toContainText(
    `/embed/${asset.playbackId}?t=${startSeconds}"`,
  );
  await expectAccessible(page, 'share');
});

test('the player changes its speed, shows stats, and offers AirPlay if a device is available', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openVideo(page);
  const settings = page.getByRole('button', { name: 'Settings' });
  const panel = page.getByRole('dialog', { name: 'Player settings' });
  await clickControl(page, 'Settings');
  await panel.getByLabel('Speed').selectOption('1.5×');
  await expect.poll(() => readVideo(page, ({ playbackRate }) => playbackRate)).toBe(1.5);
  await expect(panel.getByLabel('Captions')).toHaveCount(0);
  await checkPage(page, 'player-settings');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(settings).toBeFocused();

  await clickControl(page, 'Settings');
  await panel.getByRole('button', { name: 'Stats for nerds' }).click();
  const stats = page.getByRole('region', { name: 'Stats for nerds' });
  await expect(stats).toContainText('320×180');
  await expect(stats).toContainText('1.5×');
  await expect(stats).toContainText(/avc1/);
  await stats.getByRole('button', { name: 'Copy stats' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/Resolution: 320×180\n[^]*Dropped frames: \d+ of \d+\n[^]*Engine: hls\.js/);
  await checkPage(page, 'player-stats');
  await stats.getByRole('button', { name: 'Close stats' }).click();
  await expect(stats).toHaveCount(0);

  // WebKit sends this event when a device is available.
  await expect(page.getByRole('button', { name: 'AirPlay' })).toHaveCount(0);
  await readVideo(page, (videoElement) => {
    const picker = () => void (videoElement.dataset['picker'] = 'shown');
    Object.assign(videoElement, { webkitShowPlaybackTargetPicker: picker });
    const event = new Event('webkitplaybacktargetavailabilitychanged');
    videoElement.dispatchEvent(Object.assign(event, { availability: 'available' }));
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await clickControl(page, 'AirPlay');
  await expect(video(page)).toHaveAttribute('data-picker', 'shown');
});

const mediaTag = (type: string, name: string, attributes: string) =>
  `#EXT-X-MEDIA:TYPE=${type},GROUP-ID="${type}",NAME="${name}",${attributes}`;

/** Adds two subtitle tracks and a second audio track to the playlist of the asset, by changing its responses. */
async function addTracks(page: Page): Promise<void> {
  const audio = join(folder, 'audio.m3u8');
  await runFfmpeg(
    ...[
      ...toneInput(880),
      '-t',
      String(DURATION_SECONDS),
      '-c:a',
      'aac',
      '-f',
      'hls',
      '-hls_playlist_type',
      'vod',
    ],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file', audio],
  );
  const vtt = `WEBVTT\n\n00:00.000 --> 02:00.000\nThe river rises\n`;
  const subtitles = `#EXTM3U\n#EXT-X-TARGETDURATION:${DURATION_SECONDS}\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:${DURATION_SECONDS},\nwords.vtt\n#EXT-X-ENDLIST\n`;
  const headers = { 'access-control-allow-origin': '*' };
  const folderUrl = `**/asset/${asset.playbackId}`;
  await page.route(`${folderUrl}/tracks/**`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    if (/^(?:en|de)\.m3u8$/.test(name))
      return route.fulfill({ headers, body: subtitles.replace('words', `words-${name.slice(0, 2)}`) });
    if (name.endsWith('.vtt')) return route.fulfill({ headers, body: vtt });
    const [, firstByte, lastByte] = /bytes=(\d+)-(\d+)/.exec(route.request().headers()['range'] ?? '') ?? [];
    const bytes = readFileSync(join(folder, name));
    if (firstByte === undefined || lastByte === undefined) return route.fulfill({ headers, body: bytes });
    const range = bytes.subarray(Number(firstByte), Number(lastByte) + 1);
    return route.fulfill({ status: 206, headers, body: range });
  });
  await page.route(`${folderUrl}/index.m3u8`, async (route) => {
    const response = await route.fetch();
    const tracks = [
      mediaTag('SUBTITLES', 'English', 'LANGUAGE="en",AUTOSELECT=NO,URI="tracks/en.m3u8"'),
      mediaTag('SUBTITLES', 'Deutsch', 'LANGUAGE="de",AUTOSELECT=NO,URI="tracks/de.m3u8"'),
      mediaTag('AUDIO', 'Original', 'LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES'),
      mediaTag('AUDIO', 'Commentary', 'LANGUAGE="de",AUTOSELECT=NO,URI="tracks/audio.m3u8"'),
    ];
    const text = (await response.text())
      .replaceAll(/^(#EXT-X-STREAM-INF:.*)$/gm, '$1,SUBTITLES="SUBTITLES",AUDIO="AUDIO"')
      .replace('\n', `\n${tracks.join('\n')}\n`);
    expect(text).toContain('AUDIO="AUDIO"');
    await route.fulfill({ response, body: text });
  });
}

test('a viewer selects captions and audio tracks of a playlist', async ({ page }) => {
  await addTracks(page);
  await openVideo(page);
  await page.keyboard.press('k');
  const readShownCaptions = () =>
    readVideo(page, ({ textTracks }) =>
      Array.from(textTracks)
        .filter(({ mode }) => mode === 'showing')
        .map(({ label, activeCues }) => [label, activeCues?.length]),
    );
  const button = page.getByRole('button', { name: 'Captions' });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('c');
  await expect.poll(readShownCaptions).toEqual([['English', 1]]);
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('c');
  await expect.poll(readShownCaptions).toEqual([]);

  await clickControl(page, 'Settings');
  const panel = page.getByRole('dialog', { name: 'Player settings' });
  await panel.getByLabel('Captions').selectOption('Deutsch');
  await expect.poll(readShownCaptions).toEqual([['Deutsch', 1]]);
  const commentaryRequest = page.waitForRequest(/\/tracks\/audio\.m4s/);
  await expect(panel.getByLabel('Audio').locator('option:checked')).toHaveText('Original');
  await panel.getByLabel('Audio').selectOption('Commentary');
  await commentaryRequest;
  await expect(panel.getByLabel('Audio').locator('option:checked')).toHaveText('Commentary');
});
