import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions } from '@playwright/test';
import { ensureChromium } from '../scripts/checks/chromium';
import { createAssetClient } from './lib/asset-client';
import type { Bench } from './lib/bench';
import { makeClip, publisherArguments } from './lib/clip';
import { formatNumber, markdownTable, median } from './lib/figures';
import { benchAccount, startHeadwater, type Headwater } from './lib/headwater';
import { readPlaylist } from './lib/hls-reader';
import { waitFor } from './lib/network';
import { loadPage, type PageLoad } from './lib/page-load';
import type { Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** Load time and layout shift of pages, for an account with a live stream. */

const STREAM_COUNT = 30;
const VIDEO_COUNT = 3;
const viewports = { wide: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } };

interface MeasuredPage {
  readonly name: string;
  readonly path: string;
  /** Selector of the main content. */
  readonly selector: string;
}

/**
 * Creates ready assets and streams, and publishes to one of the streams.
 * @returns the pages to measure
 */
async function createContent(scope: Scope, service: Headwater, directory: string): Promise<MeasuredPage[]> {
  const clip = await makeClip(directory);
  const apiKey = await service.createApiKey('page-speed');
  const assets = createAssetClient(service.baseUrl, apiKey);
  const shortClip = join(directory, 'short-clip.mp4');
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', clip, '-c', 'copy', '-t', '10', shortClip]);
  const uploadedAssets = [];
  for (let index = 0; index < VIDEO_COUNT; index += 1) uploadedAssets.push(await assets.upload(shortClip));
  for (const id of uploadedAssets) await assets.waitUntilReady(id, 60_000);
  const openedStreams = await service.openStreams(STREAM_COUNT);
  const liveStream = openedStreams.at(-1);
  if (!liveStream) throw new Error('no stream');
  startProcess('ffmpeg', publisherArguments(clip, liveStream.publishUrl), { scope, graceMs: 2_000 });
  await waitFor('a playlist', () => readPlaylist(liveStream.playlistUrl), { timeoutMs: 20_000 });
  const playbackId = /\/hls\/([^/]+)\//.exec(liveStream.playlistUrl)?.[1] ?? '';
  // Without `streamsonly`, the newest object would be the session of the live stream.
  const response = await fetch(`${service.baseUrl}/api/stream?limit=1&order=createdAt-true&streamsonly=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const [newestStream] = (await response.json()) as { id: string }[];
  return [
    { name: 'home', path: '/', selector: '#main [data-phase]' },
    { name: 'streams', path: '/streams', selector: '#main a[href^="/streams/"]' },
    { name: 'stream, live', path: `/streams/${newestStream?.id ?? ''}`, selector: '[data-phase="playing"]' },
    { name: 'assets', path: '/assets', selector: '#main a[href^="/assets/"]' },
    { name: 'watch, live', path: `/watch/${playbackId}`, selector: '[data-phase="playing"]' },
  ];
}

/**
 * Logs in.
 * @returns the browser state of the sign-in session
 */
async function logIn(browser: Browser, baseUrl: string): Promise<BrowserContextOptions> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${baseUrl}/login`);
  await page.getByLabel('Email').fill(benchAccount.email);
  await page.getByLabel('Password').fill(benchAccount.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(`${baseUrl}/`);
  const storageState = await context.storageState();
  await context.close();
  return { storageState };
}

function formatResults(rows: readonly { label: string; loads: readonly PageLoad[] }[]): string {
  return markdownTable(
    ['page', 'LCP, median (s)', 'worst (s)', 'CLS, worst', 'JavaScript (kB, gzip)', 'loads'],
    rows.map(({ label, loads }) => {
      const paints = loads.map(({ largestPaintMs }) => largestPaintMs / 1_000);
      return [
        label,
        formatNumber(median(paints), 2),
        formatNumber(Math.max(...paints), 2),
        formatNumber(Math.max(...loads.map(({ layoutShift }) => layoutShift)), 3),
        formatNumber(Math.max(...loads.map(({ scriptBytes }) => scriptBytes)) / 1_000, 0),
        loads.length,
      ];
    }),
  );
}

export const pageSpeed: Bench = {
  title: 'Speed of the pages',
  explanation:
    'Chromium loads pages of the production server with an empty cache, at 1440 and 360 px, for an account ' +
    `with ${STREAM_COUNT} streams, one of them live, and ${VIDEO_COUNT} videos. LCP and CLS are as reported by the ` +
    'browser. JavaScript is everything loaded until 1.5 s after the data is shown. Goals: LCP < 1.5 s, CLS < ' +
    '0.05, JavaScript for viewers < 270 kB.',
  defaults: { runs: 5, window: 1, warmUp: 1 },
  async run(scope, directory, options) {
    const service = await startHeadwater(scope, directory);
    const executablePath = await ensureChromium(options.progress, new AbortController().signal);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    scope.defer(() => browser.close());
    const pages = await createContent(scope, service, directory);
    const signedInState = await logIn(browser, service.baseUrl);
    const rows = pages.flatMap((page) =>
      Object.entries(viewports).map(([size, viewport]) => ({
        label: `${page.name}, ${size}`,
        ...page,
        viewport,
        loads: [] as PageLoad[],
      })),
    );
    // The first rounds warm up the server, which loads the code of a page on its first request.
    for (let round = -options.warmUp; round < options.runs; round += 1) {
      for (const { label, path, selector, viewport, loads } of rows) {
        const pageLoad = await loadPage(
          browser,
          { ...signedInState, viewport },
          `${service.baseUrl}${path}`,
          selector,
        );
        options.progress(
          `${label}: ${formatNumber(pageLoad.largestPaintMs, 0)} ms, ${formatNumber(pageLoad.layoutShift, 3)}`,
        );
        if (round >= 0) loads.push(pageLoad);
      }
    }
    return formatResults(rows);
  },
};
