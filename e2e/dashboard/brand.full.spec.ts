import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { runFfmpeg } from '../media/testing/run-ffmpeg';
import { ApiAccount } from '../media/testing/service';
import { checkPage } from './page-checks';
import { clickControl, createStream, expectPlaying, logIn } from './page-actions';
import { createVideoAsset } from './video';

// Branding of viewer pages, media controls of the operating system, and Chromecast.

const folder = mkdtempSync(join(tmpdir(), 'brand-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function createLogo(): Promise<Buffer> {
  const path = join(folder, 'logo.png');
  await runFfmpeg('-f', 'lavfi', '-i', 'color=0xff7a1a:size=160x80', '-frames:v', '1', path);
  return readFileSync(path);
}

const accentOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).getPropertyValue('--accent').trim());

test('name, color and logo of an account are on its viewer pages, and not on those of other accounts', async ({
  page,
}) => {
  await logIn(page);
  const [stream, video] = [await createStream(page, 'Choir rehearsal'), await createStream(page, 'Second')];
  await page.goto('/settings/viewer-pages');
  const panel = page.getByRole('region', { name: 'Viewer pages' });
  const preview = panel.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Headwater')).toBeVisible();
  await panel.getByLabel('Brand name').fill('River TV');
  // This color has too little contrast on a light page.
  await panel.getByLabel('Accent color').fill('#ffd84d');
  await expect(preview.getByText('River TV')).toBeVisible();
  await expect(preview.getByText('#ffd84d')).toBeVisible();
  await panel.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Viewer pages updated')).toBeVisible();

  const file = panel.getByLabel('Logo file');
  await file.setInputFiles({
    name: 'x.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  });
  await expect(panel.getByText('The logo must be a PNG, JPEG or WebP image.')).toBeVisible();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await createLogo() });
  await expect(panel.getByRole('button', { name: 'Delete logo' })).toBeVisible();
  await panel.scrollIntoViewIfNeeded();
  await checkPage(page, 'settings-brand');

  await page.goto(`/watch/${stream.playbackId}`);
  await expect(page).toHaveTitle('Choir rehearsal · River TV');
  await expect(page.getByText('River TV', { exact: true })).toBeVisible();
  await expect(page.getByText('Headwater')).toHaveCount(0);
  await expect(page.locator('img')).toHaveCount(2);
  for (const logo of await page.locator('img').all())
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(160);
  await checkPage(page, 'watch-brand');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => accentOf(page, 'main')).not.toBe('#ffd84d');
  await expect.poll(() => accentOf(page, '[data-phase]')).toBe('#ffd84d');

  await page.goto(`/embed/${video.playbackId}`);
  await expect(page.locator('img')).toBeVisible();
  expect(await accentOf(page, '[data-phase]')).toBe('#ffd84d');
  await checkPage(page, 'embed-brand');

  await page.goto('/settings/viewer-pages');
  await panel.getByRole('button', { name: 'Delete logo' }).click();
  await expect(panel.getByRole('button', { name: 'Upload logo' })).toBeVisible();
  await page.goto(`/watch/${stream.playbackId}`);
  await expect(page.getByText('River TV', { exact: true })).toBeVisible();
  await expect(page.locator('img')).toHaveCount(0);

  const otherAsset = await createVideoAsset('Of another account', 5);
  await page.goto(`/watch/${otherAsset.playbackId}`);
  await expect(page.getByText('Headwater')).toHaveCount(1);
});

/**
 * Simulates the Cast API of Chrome with one available device. The function runs in the page. `window.requests` contains the
 * requests to load media, and `window.stop` ends the Cast session.
 */
function fakeCast(): void {
  const requests: unknown[] = [];
  /** Stands for the classes of the Cast API that only hold the arguments of their constructor. */
  class ArgumentHolder {
    readonly args: readonly unknown[];
    constructor(...args: readonly unknown[]) {
      this.args = args;
    }
  }
  class ApiConfig {
    constructor(
      readonly request: unknown,
      readonly session: unknown,
      readonly receiver: (availability: string) => void,
    ) {}
  }
  let endSession: (alive: boolean) => void = () => undefined;
  const session = {
    status: 'connected',
    addUpdateListener: (listener: typeof endSession) => (endSession = listener),
    loadMedia: (request: unknown, onLoaded: () => void) => {
      requests.push(request);
      onLoaded();
    },
  };
  const media = {
    MediaInfo: ArgumentHolder,
    GenericMediaMetadata: ArgumentHolder,
    LoadRequest: ArgumentHolder,
  };
  const cast = {
    SessionRequest: ArgumentHolder,
    Image: ArgumentHolder,
    ApiConfig,
    media,
    initialize: ({ receiver }: ApiConfig, ready: () => void) => {
      ready();
      receiver('available');
    },
    requestSession: (onStarted: (startedSession: typeof session) => void) => onStarted(session),
  };
  const stop = () => {
    session.status = 'stopped';
    endSession(false);
  };
  // Chrome defines an object with this name.
  Object.defineProperty(window, 'chrome', { value: { cast }, configurable: true });
  Object.assign(window, { requests, stop });
  (window as unknown as { __onGCastApiAvailable: (available: boolean) => void }).__onGCastApiAvailable(true);
}

test.describe('a video', () => {
  let owner: ApiAccount;
  let asset: Asset;
  test.beforeAll(async () => {
    owner = await ApiAccount.create();
    asset = await createVideoAsset('River', 60, owner);
  });
  const updateBrand = (body: object) => owner.request('PATCH', '/api/user/brand', body);

  test('appears in the media controls of the system when it plays with sound, and the controls play, pause and seek', async ({
    page,
  }) => {
    await updateBrand({ name: 'River TV' });
    await page.addInitScript(() => {
      const handlers = new Map<string, (details: object) => void>();
      const { mediaSession } = navigator;
      const setActionHandler = mediaSession.setActionHandler.bind(mediaSession);
      mediaSession.setActionHandler = (action, handler) => {
        if (handler) handlers.set(action, handler as (details: object) => void);
        setActionHandler(action, handler);
      };
      Object.assign(window, {
        press: (action: string, details: object = {}) => handlers.get(action)?.({ action, ...details }),
      });
    });
    const readMetadata = () =>
      page.evaluate(() => {
        const { metadata } = navigator.mediaSession;
        return metadata && [metadata.title, metadata.artist, metadata.artwork[0]?.src ?? ''];
      });
    const press = (action: string, details?: object) =>
      page.evaluate(
        ([name, options]) =>
          (window as unknown as { press: (action: string, details?: object) => void }).press(name, options),
        [action, details] as const,
      );
    const video = page.locator('video');
    const isPaused = () => video.evaluate((videoElement: HTMLVideoElement) => videoElement.paused);
    await page.goto(`/watch/${asset.playbackId}`);
    await expectPlaying(page);
    expect(await readMetadata()).toBeNull();
    await page.keyboard.press('m');
    await expect.poll(readMetadata).toEqual(['River', 'River TV', expect.stringMatching(/poster\.jpg$/)]);
    await press('pause');
    await expect.poll(isPaused).toBe(true);
    // 30 s, and 10 s further.
    await press('seekto', { seekTime: 30 });
    await press('seekforward');
    await expect
      .poll(() => video.evaluate((videoElement: HTMLVideoElement) => videoElement.currentTime))
      .toBeCloseTo(40, 0);
    await press('play');
    await expect.poll(isPaused).toBe(false);
  });

  test('has a Cast button only if its owner has enabled casting, and pauses in the page while a device plays it', async ({
    page,
  }) => {
    const googleRequests: string[] = [];
    await page.route(/gstatic\.com|google/, (route) => {
      googleRequests.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: `(${fakeCast.toString()})()` });
    });
    const button = page.getByRole('button', { name: 'Cast', exact: true });
    await updateBrand({ casting: false });
    for (const path of ['watch', 'embed']) {
      const response = await page.goto(`/${path}/${asset.playbackId}`);
      expect(response?.headers()['content-security-policy']).not.toMatch(/gstatic|google/);
      await expectPlaying(page);
      await expect(page.getByRole('button', { name: 'Settings' })).toHaveCount(1);
      await expect(button).toHaveCount(0);
    }
    expect(googleRequests).toEqual([]);

    await updateBrand({ casting: true });
    const video = page.locator('video');
    for (const path of ['watch', 'embed']) {
      const response = await page.goto(`/${path}/${asset.playbackId}`);
      // The policy trusts scripts that scripts of the page load ('strict-dynamic'), so it names no other host.
      expect(response?.headers()['content-security-policy']).not.toMatch(/gstatic|google/);
      await expectPlaying(page);
      await clickControl(page, 'Cast');
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      await expect
        .poll(() => video.evaluate((videoElement: HTMLVideoElement) => videoElement.paused))
        .toBe(true);
      const requestsAsText = () =>
        page.evaluate(() => JSON.stringify((window as unknown as { requests: unknown }).requests));
      await expect.poll(requestsAsText).toContain(`/asset/${asset.playbackId}/index.m3u8`);
      expect(await requestsAsText()).toContain('"title":"River"');
      await page.evaluate(() => (window as unknown as { stop: () => void }).stop());
      await expect(button).toHaveAttribute('aria-pressed', 'false');
      await expect
        .poll(() => video.evaluate((videoElement: HTMLVideoElement) => videoElement.paused))
        .toBe(false);
    }
    expect(googleRequests).toEqual([
      'https://www.gstatic.com/cv/js/sender/v1/cast_sender.js',
      'https://www.gstatic.com/cv/js/sender/v1/cast_sender.js',
    ]);
  });
});
