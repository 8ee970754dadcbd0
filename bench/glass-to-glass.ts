import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { ensureChromium } from '../scripts/checks/chromium';
import type { Bench } from './lib/bench';
import { clockPicture, drawClock } from './lib/clock-picture';
import { formatNumber, markdownTable, percentile } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { readPlaylist } from './lib/hls-reader';
import { waitFor } from './lib/network';
import type { StreamUrls } from './lib/rtmp-service';
import type { Scope } from './lib/scope';

/** Latency between the creation of a frame and its display in a player. */

const FPS = 30;
/** Interval at which the age of the displayed frame is read. */
const SAMPLE_INTERVAL_MS = 250;
/** Time for which the player has no network. */
const OUTAGE_MS = 2_000;

/** Publishes a video whose frames show the time at which they were drawn, with a keyframe every 2 s. */
export function publishClock(scope: Scope, { publishUrl }: StreamUrls): void {
  const { width, height } = clockPicture;
  const input = `-f rawvideo -pix_fmt gray -video_size ${width}x${height} -framerate ${FPS} -i pipe:0`;
  const audio = '-f lavfi -i sine=frequency=440:sample_rate=48000';
  const output =
    '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -tune zerolatency -g 60 -keyint_min 60 -sc_threshold 0 ' +
    `-c:a aac -b:a 96k -f flv ${publishUrl}`;
  const encoder = spawn('ffmpeg', `-v error -probesize 32 ${input} ${audio} ${output}`.split(' '), {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  encoder.stdin.on('error', () => undefined);
  const startedAt = performance.now();
  let frameCount = 0;
  const drawTimer = setInterval(() => {
    while ((frameCount * 1_000) / FPS < performance.now() - startedAt) {
      encoder.stdin.write(drawClock(Date.now()));
      frameCount += 1;
    }
  }, 5);
  scope.defer(() => {
    clearInterval(drawTimer);
    encoder.stdin.end();
    encoder.kill('SIGTERM');
  });
}

/** Reads the age of the displayed frame in milliseconds. Null means that no frame is displayed. */
export function readFrameAge(page: Page): Promise<number | null> {
  return page.evaluate(({ width, height, blocks, blockWidth, blockHeight }) => {
    const video = document.querySelector('video');
    if (!video || video.readyState < 2 || video.currentTime === 0) return null;
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(video, 0, 0, width, height);
    const now = Date.now();
    const line = context?.getImageData(0, blockHeight / 2, width, 1).data ?? [];
    let value = 0;
    for (let block = 0; block < blocks; block++) {
      const middle = block * blockWidth + blockWidth / 2;
      if ((line[middle * 4] ?? 0) > 128) value += 2 ** block;
    }
    return (now % 2 ** 32) - value;
  }, clockPicture);
}

/** What was measured while a player plays. */
interface Playback {
  /** Ages of displayed frames, in milliseconds. */
  readonly frameAges: readonly number[];
  /** Number of `waiting` events of the video, without the first 5 s. */
  readonly stalls: number;
}

async function observePlayback(page: Page, seconds: number): Promise<Playback> {
  await waitFor('a picture', async () => ((await readFrameAge(page)) === null ? undefined : true), {
    timeoutMs: 30_000,
  });
  await sleep(5_000);
  await page.evaluate(() => {
    const video = document.querySelector('video');
    video?.addEventListener('waiting', () => {
      document.body.dataset.stalls = String(Number(document.body.dataset.stalls ?? 0) + 1);
    });
  });
  const frameAges: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const age = await readFrameAge(page);
    if (age !== null) frameAges.push(age);
    await sleep(SAMPLE_INTERVAL_MS);
  }
  const stalls = Number(await page.evaluate(() => document.body.dataset.stalls ?? 0));
  return { frameAges, stalls };
}

/**
 * Interrupts the network for 2 s.
 * @param maxAgeMs maximum age of a frame before the interruption
 * @returns seconds from the end of the interruption until the age of frames is at most `maxAgeMs` plus 2 s
 */
async function measureRecovery(page: Page, maxAgeMs: number): Promise<number> {
  await page.context().setOffline(true);
  await sleep(OUTAGE_MS);
  await page.context().setOffline(false);
  const resumedAt = performance.now();
  const hasRecovered = async () => ((await readFrameAge(page)) ?? Infinity) <= maxAgeMs + OUTAGE_MS;
  await waitFor('recovered playback', async () => ((await hasRecovered()) ? true : undefined), {
    timeoutMs: 60_000,
  });
  return (performance.now() - resumedAt) / 1_000;
}

/** Plays the playlist without parts with hls.js and its defaults, except for its low-latency mode, which is off. */
async function openPlainPlayer(page: Page, url: string): Promise<void> {
  await page.setContent('<video muted autoplay playsinline></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js') });
  await page.evaluate((source) => {
    const { Hls } = globalThis as unknown as {
      Hls: new (options: object) => { loadSource(url: string): void; attachMedia(video: Element): void };
    };
    const player = new Hls({ lowLatencyMode: false });
    player.loadSource(source);
    const video = document.querySelector('video');
    if (video) player.attachMedia(video);
  }, url);
}

export const glassToGlass: Bench = {
  title: 'Glass to glass',
  explanation:
    'Each frame of a published video (30 fps, a keyframe every 2 s) shows the time when it was drawn. ' +
    'Chromium plays the stream, and four times a second the time in the displayed frame is compared with the ' +
    'clock. This includes encoding, RTMP, packaging, HTTP and the player. Goals: p95 at most 3 s with low ' +
    'latency, at most 6 s without. hls.js has its defaults, except for its low-latency mode, which is off: it stays ' +
    'three segments behind the last one listed, which is 6 s before the segment in progress.',
  defaults: { runs: 1, window: 120, warmUp: 5 },
  async run(scope, directory, options) {
    const service = await startHeadwater(scope, directory);
    const executablePath = await ensureChromium(options.progress, new AbortController().signal);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    });
    scope.defer(() => browser.close());
    const [stream] = await service.openStreams(1);
    if (!stream) throw new Error('no stream');
    publishClock(scope, stream);
    await waitFor('a playlist', () => readPlaylist(stream.playlistUrl), { timeoutMs: 20_000 });
    const playbackId = /\/hls\/([^/]+)\//.exec(stream.playlistUrl)?.[1] ?? '';
    const players: [string, (page: Page) => Promise<unknown>][] = [
      ['our player, low latency', (page) => page.goto(`${service.baseUrl}/watch/${playbackId}`)],
      ['our player, plain playlist', (page) => page.goto(`${service.baseUrl}/watch/${playbackId}?ll=0`)],
      [
        'hls.js without low-latency mode, plain playlist',
        (page) => openPlainPlayer(page, `${stream.playlistUrl}?ll=0`),
      ],
    ];
    const rows = [];
    for (const [name, openPlayer] of players) {
      options.progress(name);
      const page = await browser.newPage();
      await openPlayer(page);
      const { frameAges, stalls } = await observePlayback(page, options.window);
      const ageCells = [0.5, 0.95, 1].map((fraction) =>
        formatNumber(percentile(frameAges, fraction) / 1_000, 2),
      );
      rows.push([
        name,
        ...ageCells,
        stalls,
        frameAges.length,
        formatNumber(await measureRecovery(page, Math.max(...frameAges)), 1),
      ]);
      await page.close();
    }
    const header = ['player', 'median (s)', 'p95 (s)', 'longest (s)', 'stalls', 'samples'];
    return markdownTable([...header, 'recovery after 2 s without network (s)'], rows);
  },
};
