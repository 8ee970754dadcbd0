import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { adminSections } from '@/components/admin/admin-sections';
import { settingsSections } from '@/components/settings/settings-sections';
import { signUp } from './recording/dashboard-session';
import { makeSource, startEncoder, startReceiver } from './recording/encoder';
import { makeContent, type PageContent } from './recording/page-content';
import { withRecordedService } from './recording/recorded-service';
import { freePort } from './service/ports';
import { ExpectedError } from './service/run-to-end';

const say = (line: string) => void process.stderr.write(`${line}\n`);

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 360, height: 800 } };
/** A longer page is cut off. */
const maxHeight = 2_600;
/** Lists and charts replace their placeholders. */
const settleMs = 1_200;

interface Shot {
  readonly name: string;
  readonly path: string;
}

/** `npm run page-images -- FOLDER [NAME …]`: an image of every page on a desktop and a phone, light and dark. */
export default async function pageImages([folder, ...names]: readonly string[] = []): Promise<void> {
  if (folder === undefined) throw new ExpectedError('Name a folder for the images.');
  const images = resolve(folder);
  await mkdir(images, { recursive: true });
  await withRecordedService(say, async ({ folder: scratch, browser, baseURL, rtmpUrl, signal }) => {
    const source = await makeSource(scratch, say, signal);
    const children: ChildProcess[] = [];
    const keep = (child: ChildProcess) => {
      children.push(child);
      return child;
    };
    try {
      const page = await (await browser.newContext({ baseURL })).newPage();
      await takeImages(page, images, emptyPages, names);
      await signUp(page);
      await takeImages(page, images, firstPages, names);
      const viewer = await (await browser.newContext({ baseURL })).newPage();
      const content = await makeContent({
        ...{ page, viewer, folder: scratch, source },
        publish: (key) => keep(startEncoder(source, `${rtmpUrl}/${key}`)),
        receive: async () => {
          const port = await freePort();
          keep(startReceiver(port));
          return `rtmp://127.0.0.1:${port}/live/example-key`;
        },
      });
      await takeImages(page, images, dashboardPages(content), names);
      await takeImages(page, images, viewerPages(content), names);
      await takeGerman(page, browser, images, content, names);
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });
}

const emptyPages: readonly Shot[] = [
  { name: 'login', path: '/login' },
  { name: 'signup', path: '/signup' },
  { name: 'reset-password', path: '/reset-password' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'watch-missing', path: '/watch/abcdabcdabcdabcd' },
];

const firstPages: readonly Shot[] = [
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

const tabsOf = (name: string, path: string, tabs: readonly string[]): Shot[] =>
  tabs.map((tab) => ({ name: `${name}-${tab}`, path: `${path}?tab=${tab}` }));

function dashboardPages({ live, planned, asset, failedAsset, session, webhook }: PageContent): Shot[] {
  return [
    { name: 'home', path: '/' },
    { name: 'streams', path: '/streams' },
    { name: 'streams-grid', path: '/streams?view=grid' },
    { name: 'stream-live', path: `/streams/${live.id}` },
    ...tabsOf('stream', `/streams/${live.id}`, ['audience', 'sessions', 'events', 'share', 'settings']),
    { name: 'stream-idle', path: `/streams/${planned.id}` },
    { name: 'stream-go-live', path: `/streams/${planned.id}/go-live` },
    { name: 'sessions', path: '/sessions' },
    { name: 'session', path: `/sessions/${session}` },
    { name: 'assets', path: '/assets' },
    { name: 'assets-grid', path: '/assets?view=grid' },
    { name: 'asset', path: `/assets/${asset.id}` },
    ...tabsOf('asset', `/assets/${asset.id}`, ['subtitles', 'sharing', 'audience', 'files']),
    { name: 'asset-failed', path: `/assets/${failedAsset.id}` },
    { name: 'tasks', path: '/tasks' },
    { name: 'targets', path: '/targets' },
    { name: 'audience', path: '/audience' },
    { name: 'usage', path: '/usage' },
    { name: 'keys', path: '/developers/keys' },
    { name: 'signing-keys', path: '/developers/signing-keys' },
    { name: 'webhooks', path: '/developers/webhooks' },
    { name: 'webhook', path: `/developers/webhooks/${webhook}` },
    { name: 'docs', path: '/docs' },
    { name: 'docs-endpoint', path: '/docs/createStream' },
    { name: 'docs-guide', path: '/docs/guides/go-live' },
    ...settingsSections.map(({ section }) => ({ name: `settings-${section}`, path: `/settings/${section}` })),
    ...adminSections.map((section) => ({ name: `admin-${section}`, path: `/admin/${section}` })),
  ];
}

const viewerPages = ({ live, planned, asset, protectedAsset }: PageContent): Shot[] => [
  { name: 'watch-live', path: `/watch/${live.playbackId}` },
  { name: 'watch-planned', path: `/watch/${planned.playbackId}` },
  { name: 'watch-asset', path: `/watch/${asset.playbackId}` },
  { name: 'watch-password', path: `/watch/${protectedAsset.playbackId}` },
  { name: 'embed-live', path: `/embed/${live.playbackId}` },
];

/** Pages with much text, in the language that needs the most room. */
async function takeGerman(
  page: Page,
  browser: Browser,
  images: string,
  content: PageContent,
  names: readonly string[],
): Promise<void> {
  const storageState = await page.context().storageState();
  const baseURL = new URL(page.url()).origin;
  const german = await browser.newContext({ baseURL, storageState, locale: 'de-DE' });
  const shown = new Set([
    'home',
    'stream-live',
    'stream-settings',
    'asset',
    'asset-sharing',
    'webhook',
    'usage',
  ]);
  const pages = [...dashboardPages(content), ...viewerPages(content)]
    .filter(({ name }) => shown.has(name) || name.startsWith('watch'))
    .map(({ name, path }) => ({ name: `de-${name}`, path }));
  await takeImages(await german.newPage(), images, pages, names);
  await german.close();
}

/** @param names of the images to take; empty: all */
async function takeImages(
  page: Page,
  images: string,
  pages: readonly Shot[],
  names: readonly string[],
): Promise<void> {
  for (const { name, path } of pages) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.goto(path);
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await sleep(settleMs);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.screenshot({
          path: join(images, `${name}-${size}-${colorScheme}.png`),
          fullPage: true,
          clip: { x: 0, y: 0, width: viewport.width, height: Math.min(height, maxHeight) },
        });
      }
    }
    say(name);
  }
}
