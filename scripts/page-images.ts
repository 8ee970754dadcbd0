import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { adminSections } from '@/components/admin/admin-sections';
import { settingsSections } from '@/components/settings/settings-sections';
import { logInAsOperator, signUp } from './recording/dashboard-session';
import { createSourceVideo, startEncoder, startReceiver } from './recording/encoder';
import { createPageContent, type PageContent } from './recording/page-content';
import { withRecordedService } from './recording/recorded-service';
import { findFreePort } from './service/ports';
import { ExpectedError } from './service/expected-error';

const log = (line: string) => void process.stderr.write(`${line}\n`);

const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 360, height: 800 } };
/** Maximum height of an image in pixels. A longer page is cut off. */
const MAX_HEIGHT = 2_600;
/** Delay before an image, in milliseconds. Lists and charts replace their placeholders in this time. */
const SETTLE_DELAY_MS = 1_200;

interface PageImage {
  /** Start of the file names, such as `home` of home-phone-dark.png. */
  readonly name: string;
  readonly path: string;
}

/** `npm run page-images -- FOLDER [NAME …]`: an image of every page on a desktop and a phone, light and dark. */
export default async function pageImages([folder, ...chosenNames]: readonly string[] = []): Promise<void> {
  if (folder === undefined) throw new ExpectedError('Name a folder for the images.');
  const imagesFolder = resolve(folder);
  await mkdir(imagesFolder, { recursive: true });
  await withRecordedService(
    log,
    async ({ folder: temporaryFolder, browser, baseURL, rtmpUrl, environment, signal }) => {
      const sourcePath = await createSourceVideo(temporaryFolder, log, signal);
      const children: ChildProcess[] = [];
      const trackChild = (child: ChildProcess) => {
        children.push(child);
        return child;
      };
      try {
        const page = await (await browser.newContext({ baseURL })).newPage();
        await captureImages(page, imagesFolder, signedOutPages, chosenNames);
        await signUp(page);
        await captureImages(page, imagesFolder, emptyAccountPages, chosenNames);
        const viewer = await (await browser.newContext({ baseURL })).newPage();
        const content = await createPageContent({
          page,
          viewer,
          folder: temporaryFolder,
          sourcePath,
          publish: (streamKey) => trackChild(startEncoder(sourcePath, `${rtmpUrl}/${streamKey}`)),
          startTargetServer: async () => {
            const port = await findFreePort();
            trackChild(startReceiver(port));
            return `rtmp://127.0.0.1:${port}/live/example-key`;
          },
        });
        await captureImages(page, imagesFolder, dashboardPages(content), chosenNames);
        const operatorPage = await (await browser.newContext({ baseURL })).newPage();
        await logInAsOperator(operatorPage, operatorEmail, environment);
        await captureImages(operatorPage, imagesFolder, adminPages, chosenNames);
        await captureImages(page, imagesFolder, viewerPages(content), chosenNames);
        await captureGermanImages(
          page,
          browser,
          imagesFolder,
          [...dashboardPages(content), ...viewerPages(content)],
          chosenNames,
        );
        await captureGermanImages(operatorPage, browser, imagesFolder, adminPages, chosenNames);
      } finally {
        for (const child of children) child.kill('SIGKILL');
      }
    },
    { OPERATOR_EMAILS: operatorEmail },
  );
}

/** Pages without an account. */
const signedOutPages: readonly PageImage[] = [
  { name: 'login', path: '/login' },
  { name: 'signup', path: '/signup' },
  { name: 'reset-password', path: '/reset-password' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'watch-missing', path: '/watch/abcdabcdabcdabcd' },
];

/** Pages of a new account, which has no objects yet. */
const emptyAccountPages: readonly PageImage[] = [
  { name: 'empty-home', path: '/' },
  { name: 'empty-streams', path: '/streams' },
  { name: 'empty-sessions', path: '/sessions' },
  { name: 'empty-assets', path: '/assets' },
  { name: 'empty-tasks', path: '/tasks' },
  { name: 'empty-targets', path: '/targets' },
  { name: 'empty-audience', path: '/audience' },
  { name: 'empty-keys', path: '/developers/keys' },
  { name: 'empty-signing-keys', path: '/developers/signing-keys' },
  { name: 'empty-webhooks', path: '/developers/webhooks' },
];

const operatorEmail = 'operator@example.com';
const adminPages: readonly PageImage[] = adminSections.map((section) => ({
  name: `admin-${section}`,
  path: `/admin/${section}`,
}));

const tabImages = (name: string, path: string, tabs: readonly string[]): PageImage[] =>
  tabs.map((tab) => ({ name: `${name}-${tab}`, path: `${path}?tab=${tab}` }));

function dashboardPages({
  liveStream,
  plannedStream,
  asset,
  failedAsset,
  sessionId,
  webhookId,
}: PageContent): PageImage[] {
  return [
    { name: 'home', path: '/' },
    { name: 'streams', path: '/streams' },
    { name: 'streams-grid', path: '/streams?view=grid' },
    { name: 'stream-live', path: `/streams/${liveStream.id}` },
    ...tabImages('stream', `/streams/${liveStream.id}`, [
      'audience',
      'sessions',
      'events',
      'share',
      'settings',
    ]),
    { name: 'stream-idle', path: `/streams/${plannedStream.id}` },
    { name: 'stream-go-live', path: `/streams/${plannedStream.id}/go-live` },
    { name: 'sessions', path: '/sessions' },
    { name: 'session', path: `/sessions/${sessionId}` },
    { name: 'assets', path: '/assets' },
    { name: 'assets-grid', path: '/assets?view=grid' },
    { name: 'asset', path: `/assets/${asset.id}` },
    ...tabImages('asset', `/assets/${asset.id}`, ['subtitles', 'sharing', 'audience', 'files']),
    { name: 'asset-failed', path: `/assets/${failedAsset.id}` },
    { name: 'tasks', path: '/tasks' },
    { name: 'targets', path: '/targets' },
    { name: 'audience', path: '/audience' },
    { name: 'usage', path: '/usage' },
    { name: 'keys', path: '/developers/keys' },
    { name: 'signing-keys', path: '/developers/signing-keys' },
    { name: 'webhooks', path: '/developers/webhooks' },
    { name: 'webhook', path: `/developers/webhooks/${webhookId}` },
    { name: 'docs', path: '/docs' },
    { name: 'docs-endpoint', path: '/docs/createStream' },
    { name: 'docs-guide', path: '/docs/guides/go-live' },
    ...settingsSections.map(({ section }) => ({ name: `settings-${section}`, path: `/settings/${section}` })),
  ];
}

const viewerPages = ({ liveStream, plannedStream, asset, protectedAsset }: PageContent): PageImage[] => [
  { name: 'watch-live', path: `/watch/${liveStream.playbackId}` },
  { name: 'watch-planned', path: `/watch/${plannedStream.playbackId}` },
  { name: 'watch-asset', path: `/watch/${asset.playbackId}` },
  { name: 'watch-password', path: `/watch/${protectedAsset.playbackId}` },
  { name: 'embed-live', path: `/embed/${liveStream.playbackId}` },
];

/** Takes images of pages in German, whose texts need the most room, with the sign-in session of `page`. */
async function captureGermanImages(
  page: Page,
  browser: Browser,
  imagesFolder: string,
  pages: readonly PageImage[],
  chosenNames: readonly string[],
): Promise<void> {
  const storageState = await page.context().storageState();
  const baseURL = new URL(page.url()).origin;
  const germanContext = await browser.newContext({ baseURL, storageState, locale: 'de-DE' });
  const germanPages = pages.map(({ name, path }) => ({ name: `de-${name}`, path }));
  await captureImages(await germanContext.newPage(), imagesFolder, germanPages, chosenNames);
  await germanContext.close();
}

/**
 * Takes images of pages, each on a desktop and a phone, in light and dark colors.
 * @param chosenNames names of the images to take; empty for all
 */
async function captureImages(
  page: Page,
  imagesFolder: string,
  pages: readonly PageImage[],
  chosenNames: readonly string[],
): Promise<void> {
  for (const { name, path } of pages) {
    if (chosenNames.length > 0 && !chosenNames.includes(name)) continue;
    for (const [device, viewport] of Object.entries(viewports)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.goto(path);
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await sleep(SETTLE_DELAY_MS);
        const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.screenshot({
          path: join(imagesFolder, `${name}-${device}-${colorScheme}.png`),
          fullPage: true,
          clip: { x: 0, y: 0, width: viewport.width, height: Math.min(pageHeight, MAX_HEIGHT) },
        });
      }
    }
    log(name);
  }
}
