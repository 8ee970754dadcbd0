import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { complaintsOfDecoder } from '../media/testing/encoder';
import { recordingsOf } from '../media/testing/recordings';
import { endWindow, hlsUrl, Owner, rtmpUrl, statusOf, until } from '../media/testing/service';
import { playWithHlsJs, playWithShaka, readStats } from './in-page';
import { filmOf, filmOfScenes, RawEncoder, type Tag } from './raw-encoder';

/** A session whose picture size, configuration and audio change, with one interruption: live, recorded and as a file. */

const run = promisify(execFile);
const publishedMs = 19_000;
const again = { ms: 7_000, afterMs: 1_500 };

/** Records the picture sizes that the page shows, in order. */
async function watchSizes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sizes: string[] = [];
    Object.assign(globalThis, { sizes });
    const note = () => {
      const video = document.querySelector('video');
      const size = video ? `${video.videoWidth}x${video.videoHeight}` : '';
      if (video && video.videoWidth > 0 && sizes.at(-1) !== size) sizes.push(size);
    };
    setInterval(note, 100);
  });
}

const sizesIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { sizes: string[] }).sizes);

async function pageWith(browser: Browser, play: (page: Page) => Promise<void>): Promise<Page> {
  const page = await browser.newPage();
  await play(page);
  await watchSizes(page);
  return page;
}

/** Plays to the end without further input. */
async function untilEnded(page: Page): Promise<void> {
  const state = () =>
    page.evaluate(() => {
      const video = document.querySelector('video');
      return { ended: video?.ended, fault: video?.error?.message };
    });
  await expect.poll(state, { intervals: [500] }).toEqual({ ended: true, fault: undefined });
}

async function frameHashesIn(input: string): Promise<string[]> {
  const entries = ['-select_streams', 'v', '-show_entries', 'frame=width,height', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, input], { maxBuffer: 2 ** 25 });
  const sizes = stdout.split('\n').flatMap((line) => /^(\d+),(\d+)/.exec(line)?.slice(1, 3).join('x') ?? []);
  return sizes.filter((size, index) => size !== sizes[index - 1]);
}

test('a session whose parameters change plays in every player, live and recorded, in all renditions', async ({
  browser,
  baseURL,
}) => {
  const owner = await Owner.create();
  const wide = await filmOf('640x360');
  const tall = await filmOf('360x640');
  const large = await filmOf('640x360', [
    ...['-vf', 'scale=854:480', '-c:v', 'libx264', '-profile:v', 'high', '-preset', 'ultrafast', '-g', '60'],
    ...['-coder', '1', '-sc_threshold', '0', '-c:a', 'aac', '-ac', '2', '-ar', '44100'],
  ]);
  const changing = filmOfScenes([
    { until: 6_000, video: wide, audio: wide },
    { until: 10_000, video: tall, audio: wide },
    { until: 14_000, video: wide, audio: large },
    { until: 20_000, video: large, audio: large },
  ]);
  const { id, streamKey, playbackId } = await owner.newStream({ record: true });
  const port = Number(new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:')).port);
  // On a slow machine the encoder stops sending until viewers have played everything.
  const once = (tag: Tag) => (tag.at < publishedMs ? tag : null);
  const encoder = await RawEncoder.start(port, streamKey, changing, once);
  const begin = performance.now();
  const live: Page[] = [];
  const recordings = recordingsOf(owner);
  try {
    await until(async () => (await statusOf(hlsUrl(playbackId))) === 200);
    const url = hlsUrl(playbackId);
    live.push(
      await pageWith(browser, (page) => playWithHlsJs(page, url, { lowLatencyMode: true })),
      await pageWith(browser, (page) => playWithHlsJs(page, url, { lowLatencyMode: true }, 'light')),
      await pageWith(browser, async (page) => {
        await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
      }),
    );
    for (const page of live) await expect.poll(() => sizesIn(page)).toContain('854x480');
    for (const page of live.slice(0, 2)) expect((await readStats(page)).fatal).toEqual([]);
    await until(() => Promise.resolve(performance.now() - begin > publishedMs), 60_000);
    await encoder.stop();
    await until(() => Promise.resolve(performance.now() - begin > publishedMs + again.afterMs), 60_000);
    const second = await RawEncoder.start(port, streamKey, wide, (tag) => tag);
    for (const page of live)
      await expect.poll(async () => (await sizesIn(page)).at(-1), { intervals: [200] }).toBe('640x360');
    await until(
      () => Promise.resolve(performance.now() - begin > publishedMs + again.afterMs + again.ms),
      60_000,
    );
    await second.stop();
  } finally {
    await encoder.stop();
    await Promise.all(live.map((page) => page.close()));
  }
  await owner.untilActive(id, false);
  await endWindow(id);
  const session = await recordings.untilReady({ id });
  await until(async () => (await recordings.assetsOf(session.id))[0]?.status.phase === 'ready');
  const [asset] = await recordings.assetsOf(session.id);
  const { playbackUrl = '', downloadUrl = '' } = asset ?? {};

  const order = ['640x360', '360x640', '640x360', '854x480', '640x360'];
  expect(await frameHashesIn(downloadUrl)).toEqual(order);
  for (const address of [downloadUrl, session.mp4Url ?? '', session.recordingUrl ?? '', playbackUrl])
    expect([address, await complaintsOfDecoder(address, 60)]).toEqual([address, '']);

  const master = await (await fetch(playbackUrl)).text();
  expect([...master.matchAll(/^(\d+p)\/index\.m3u8$/gm)].map(([, name]) => name)).toEqual(['360p', '240p']);
  const below = (file: string) => new URL(file, playbackUrl).href;
  // ffmpeg decodes the renditions, whose segments are encoded meanwhile, and browsers play them to the end.
  expect(await complaintsOfDecoder(below('240p/index.m3u8'), 60)).toBe('');
  // A busy service sends another rendition's frames instead of segments that are not encoded yet. 854x480 is 16:9 with pixels
  // that are not square, so its rendition has the size of the others.
  await expect
    .poll(() => frameHashesIn(below('240p/index.m3u8')), { intervals: [1_000] })
    .toEqual(['426x240', '240x426', '426x240']);
  const config = { lowLatencyMode: false };
  const pages = [
    await pageWith(browser, (page) => playWithHlsJs(page, playbackUrl, config)),
    await pageWith(browser, (page) => playWithHlsJs(page, playbackUrl, config, 'light')),
    await pageWith(browser, (page) => playWithHlsJs(page, below('240p/index.m3u8'), config, 'light')),
    await pageWith(browser, (page) => playWithShaka(page, playbackUrl)),
    await pageWith(browser, async (page) => {
      await page.goto(new URL(`/watch/${asset?.playbackId}`, baseURL).href);
    }),
  ];
  for (const page of pages) await untilEnded(page);
  for (const page of pages.slice(0, 3)) expect((await readStats(page)).fatal).toEqual([]);
  const isUpright = (size: string) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return height > width;
  };
  for (const page of pages) expect((await sizesIn(page)).some(isUpright)).toBe(true);
  await Promise.all(pages.map((page) => page.close()));
});
