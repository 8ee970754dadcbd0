import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { expectAccessible, lookAround } from './look';
import { clickControl, expectPlaying } from './session';
import { ffmpeg, makeVideo, tone } from './video';

/** Player features, on a video of two minutes. */

/** Length of the video in seconds. */
const length = 120;
const folder = mkdtempSync(join(tmpdir(), 'player-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
let asset: Asset;
test.beforeAll(async () => {
  asset = await makeVideo('River', length);
});

const video = (page: Page): Locator => page.locator('video');
const controls = (page: Page): Locator => page.locator('[data-controls]');
const readVideo = <T>(page: Page, from: (each: HTMLVideoElement) => T): Promise<T> =>
  video(page).evaluate(from);
const time = (page: Page) => readVideo(page, ({ currentTime }) => currentTime);
const isPaused = (page: Page) => readVideo(page, (each) => each.paused);
const isMuted = (page: Page) => readVideo(page, (each) => each.muted);

async function openVideo(page: Page, query = ''): Promise<void> {
  await page.goto(`/watch/${asset.playbackId}${query}`);
  await expectPlaying(page);
}

/** Taps the picture like a finger, at these fractions of its width, within one task of the event loop. */
const tapPicture = (page: Page, ...shares: readonly number[]) =>
  video(page).evaluate((element, positions) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    for (const share of positions) {
      const at = { bubbles: true, clientX: left + share * width, clientY: top + height / 3 };
      element.dispatchEvent(new PointerEvent('pointerdown', { ...at, pointerType: 'touch' }));
      element.dispatchEvent(new PointerEvent('click', { ...at, pointerType: 'touch' }));
    }
  }, shares);

test('on a phone, a tap performs the action of its target', async ({ browser }) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await openVideo(page);
  await expect(page.getByRole('button', { name: /to unmute$/ })).toBeVisible();
  const box = await video(page).boundingBox();
  if (!box) throw new Error('the video has no box');
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;

  // The controls hide after a while. The first tap dismisses the offer.
  await expect(controls(page)).toHaveClass(/opacity-0/);
  await page.touchscreen.tap(...middle);
  await expect.poll(() => isMuted(page)).toBe(false);
  expect(await isPaused(page)).toBe(false);
  await expect(controls(page)).not.toHaveClass(/opacity-0/);
  await expect(page.getByRole('button', { name: /to unmute$/ })).toHaveCount(0);

  // Touch targets are large enough for a finger.
  const small = () =>
    controls(page).evaluate((each) =>
      [...each.querySelectorAll('button')].flatMap((button) => {
        const { width, height } = button.getBoundingClientRect();
        return width > 0 && Math.min(width, height) < 44 ? [button.outerHTML] : [];
      }),
    );
  await expect.poll(small).toEqual([]);

  // A tap on a hidden button shows the button and does not press it.
  const pause = page.getByRole('button', { name: 'Pause' });
  const target = await pause.boundingBox();
  if (!target) throw new Error('there is no button');
  await expect(controls(page)).toHaveClass(/opacity-0/);
  await page.touchscreen.tap(target.x + 22, target.y + 22);
  await expect(controls(page)).not.toHaveClass(/opacity-0/);
  expect(await isPaused(page)).toBe(false);
  // The controls may hide again before the next tap.
  await expect
    .poll(async () => {
      await page.touchscreen.tap(target.x + 22, target.y + 22);
      return isPaused(page);
    })
    .toBe(true);

  await readVideo(page, (each) => void (each.currentTime = 15));
  await tapPicture(page, 0.9, 0.9);
  await expect.poll(() => time(page)).toBeCloseTo(25, 0);
  await tapPicture(page, 0.1, 0.1, 0.1);
  await expect.poll(() => time(page)).toBeCloseTo(5, 0);
  await expect.poll(() => isPaused(page)).toBe(true);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await context.close();
});

test('a click below the offer to unmute unmutes, and the next one pauses', async ({ page }) => {
  await openVideo(page);
  await video(page).click();
  await expect.poll(() => isMuted(page)).toBe(false);
  expect(await isPaused(page)).toBe(false);
  // A second passes between the clicks, so that they are not a double click.
  await expect.poll(async () => {
    await video(page).click();
    return isPaused(page);
  }, { intervals: [1000] }).toBe(true); // prettier-ignore
});

test('keyboard shortcuts, their list and the end of a video', async ({ page }) => {
  await page.addInitScript(() => {
    HTMLVideoElement.prototype.requestPictureInPicture = () => {
      document.documentElement.dataset['pip'] = 'asked';
      return Promise.reject(new Error('no window here'));
    };
  });
  await openVideo(page);
  const press = (key: string) => page.keyboard.press(key);
  await press('k');
  await expect.poll(() => isPaused(page)).toBe(true);
  await press('5');
  await expect.poll(() => time(page)).toBeCloseTo(length / 2, 0);
  await press('l');
  await expect.poll(() => time(page)).toBeCloseTo(length / 2 + 10, 0);
  await press('j');
  await press('ArrowLeft');
  await expect.poll(() => time(page)).toBeCloseTo(length / 2 - 5, 0);
  await press('Home');
  await expect.poll(() => time(page)).toBe(0);
  await press('m');
  await expect.poll(() => isMuted(page)).toBe(false);
  await press('ArrowDown');
  await expect.poll(() => readVideo(page, ({ volume }) => volume)).toBeCloseTo(0.9);
  await press('>');
  await expect.poll(() => readVideo(page, ({ playbackRate }) => playbackRate)).toBe(1.25);
  await press('p');
  await expect(page.locator('html')).toHaveAttribute('data-pip', 'asked');
  await press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  // Lists and sheets are inside of the full-screen element.
  await press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  await expect.poll(() => help.evaluate((each) => document.fullscreenElement?.contains(each))).toBe(true);
  await press('k');
  await expect.poll(() => isPaused(page)).toBe(true);
  await expectAccessible(page, 'help of the player');
  await help.getByRole('button', { name: 'Close' }).click();
  await expect(help).toHaveCount(0);
  await press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  const narrow = (await video(page).boundingBox())?.width ?? 0;
  await press('t');
  await expect(page.getByRole('button', { name: 'Theater mode' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await video(page).boundingBox())?.width ?? 0).toBeGreaterThan(narrow);
  await press('t');

  await press('End');
  const replay = page.getByRole('button', { name: 'Replay' });
  await expect(replay).toBeVisible();
  await expectAccessible(page, 'end of a video');
  await replay.click();
  await expect.poll(() => time(page)).toBeLessThan(length - 5);
  await expect.poll(() => isPaused(page)).toBe(false);
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
  expect(await time(page)).toBeGreaterThan(length / 2 - 1);
  await page.getByRole('button', { name: /Start over/ }).click();
  await expect.poll(() => time(page)).toBeLessThan(length / 4);

  await openVideo(page, '?t=30');
  expect(await time(page)).toBeGreaterThan(29);
  await expect(page.getByRole('button', { name: /Start over/ })).toHaveCount(0);
  await page.keyboard.press('k');
  const at = Math.floor(await time(page));
  await page.getByRole('button', { name: 'Share' }).click();
  const share = page.getByRole('dialog', { name: 'Share' });
  const link = share.getByRole('group', { name: 'Link' });
  await expect(link).toHaveText(new RegExp(`/watch/${asset.playbackId}$`));
  await share.getByRole('checkbox', { name: `Start at 0:${at}` }).check();
  await expect(link).toHaveText(new RegExp(`/watch/${asset.playbackId}\\?t=${at}$`));
  await expect(share.getByLabel('Embed code', { exact: true })).toContainText(
    `/embed/${asset.playbackId}?t=${at}"`,
  );
  await expectAccessible(page, 'share');
});

test('speed, stats and AirPlay', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openVideo(page);
  const settings = page.getByRole('button', { name: 'Settings' });
  const panel = page.getByRole('dialog', { name: 'Player settings' });
  await clickControl(page, 'Settings');
  await panel.getByLabel('Speed').selectOption('1.5×');
  await expect.poll(() => readVideo(page, ({ playbackRate }) => playbackRate)).toBe(1.5);
  await expect(panel.getByLabel('Captions')).toHaveCount(0);
  await lookAround(page, 'player-settings');
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
  await lookAround(page, 'player-stats');
  await stats.getByRole('button', { name: 'Close stats' }).click();
  await expect(stats).toHaveCount(0);

  // Imitates WebKit's event for available devices.
  await expect(page.getByRole('button', { name: 'AirPlay' })).toHaveCount(0);
  await readVideo(page, (each) => {
    const picker = () => void (each.dataset['picker'] = 'shown');
    Object.assign(each, { webkitShowPlaybackTargetPicker: picker });
    const event = new Event('webkitplaybacktargetavailabilitychanged');
    each.dispatchEvent(Object.assign(event, { availability: 'available' }));
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await clickControl(page, 'AirPlay');
  await expect(video(page)).toHaveAttribute('data-picker', 'shown');
});

const media = (type: string, name: string, more: string) =>
  `#EXT-X-MEDIA:TYPE=${type},GROUP-ID="${type}",NAME="${name}",${more}`;

/** Adds two subtitles and a second audio track to the playlist of the asset, like another packager would. */
async function addTracks(page: Page): Promise<void> {
  const audio = join(folder, 'audio.m3u8');
  ffmpeg(
    ...[...tone(880), '-t', String(length), '-c:a', 'aac', '-f', 'hls', '-hls_playlist_type', 'vod'],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file', audio],
  );
  const vtt = `WEBVTT\n\n00:00.000 --> 02:00.000\nThe river rises\n`;
  const subtitles = `#EXTM3U\n#EXT-X-TARGETDURATION:${length}\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:${length},\nwords.vtt\n#EXT-X-ENDLIST\n`;
  const headers = { 'access-control-allow-origin': '*' };
  const folderUrl = `**/asset/${asset.playbackId}`;
  await page.route(`${folderUrl}/tracks/**`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    if (/^(?:en|de)\.m3u8$/.test(name))
      return route.fulfill({ headers, body: subtitles.replace('words', `words-${name.slice(0, 2)}`) });
    if (name.endsWith('.vtt')) return route.fulfill({ headers, body: vtt });
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(route.request().headers()['range'] ?? '') ?? [];
    const bytes = readFileSync(join(folder, name));
    if (from === undefined || to === undefined) return route.fulfill({ headers, body: bytes });
    return route.fulfill({ status: 206, headers, body: bytes.subarray(Number(from), Number(to) + 1) });
  });
  await page.route(`${folderUrl}/index.m3u8`, async (route) => {
    const response = await route.fetch();
    const tracks = [
      media('SUBTITLES', 'English', 'LANGUAGE="en",AUTOSELECT=NO,URI="tracks/en.m3u8"'),
      media('SUBTITLES', 'Deutsch', 'LANGUAGE="de",AUTOSELECT=NO,URI="tracks/de.m3u8"'),
      media('AUDIO', 'Original', 'LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES'),
      media('AUDIO', 'Commentary', 'LANGUAGE="de",AUTOSELECT=NO,URI="tracks/audio.m3u8"'),
    ];
    const text = (await response.text())
      .replaceAll(/^(#EXT-X-STREAM-INF:.*)$/gm, '$1,SUBTITLES="SUBTITLES",AUDIO="AUDIO"')
      .replace('\n', `\n${tracks.join('\n')}\n`);
    expect(text).toContain('AUDIO="AUDIO"');
    await route.fulfill({ response, body: text });
  });
}

test('captions and audio tracks of a playlist', async ({ page }) => {
  await addTracks(page);
  await openVideo(page);
  await page.keyboard.press('k');
  const menuItems = () =>
    readVideo(page, ({ textTracks }) =>
      Array.from(textTracks)
        .filter(({ mode }) => mode === 'showing')
        .map(({ label, activeCues }) => [label, activeCues?.length]),
    );
  const button = page.getByRole('button', { name: 'Captions' });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('c');
  await expect.poll(menuItems).toEqual([['English', 1]]);
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('c');
  await expect.poll(menuItems).toEqual([]);

  await clickControl(page, 'Settings');
  const panel = page.getByRole('dialog', { name: 'Player settings' });
  await panel.getByLabel('Captions').selectOption('Deutsch');
  await expect.poll(menuItems).toEqual([['Deutsch', 1]]);
  const commentary = page.waitForRequest(/\/tracks\/audio\.m4s/);
  await expect(panel.getByLabel('Audio').locator('option:checked')).toHaveText('Original');
  await panel.getByLabel('Audio').selectOption('Commentary');
  await commentary;
  await expect(panel.getByLabel('Audio').locator('option:checked')).toHaveText('Commentary');
});
