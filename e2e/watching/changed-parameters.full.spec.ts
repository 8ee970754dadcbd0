import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { readDecoderWarnings } from '../media/testing/encoder';
import { createRecordingChecks } from '../media/testing/recordings';
import {
  endReconnectWindow,
  hlsUrl,
  ApiAccount,
  rtmpUrl,
  fetchStatus,
  waitUntil,
} from '../media/testing/service';
import { playWithHlsJs, playWithShaka, readStats } from './play-in-page';
import { encodeSource, joinSections, RawEncoder, type Tag } from './raw-encoder';

// Playback of a session whose picture size, configuration and audio change, live, as a recording and as an MP4 file.

const execFileAsync = promisify(execFile);
const PUBLISHED_MS = 19_000;
/** The second publish, which begins `afterMs` after the end of the first. */
const secondPublish = { durationMs: 7_000, afterMs: 1_500 };

/** Starts to record the picture sizes that the video of a page shows, in order. */
async function watchSizes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sizes: string[] = [];
    Object.assign(globalThis, { sizes });
    const recordSize = () => {
      const video = document.querySelector('video');
      const size = video ? `${video.videoWidth}x${video.videoHeight}` : '';
      if (video && video.videoWidth > 0 && sizes.at(-1) !== size) sizes.push(size);
    };
    setInterval(recordSize, 100);
  });
}

const readShownSizes = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { sizes: string[] }).sizes);

async function openPage(browser: Browser, play: (page: Page) => Promise<void>): Promise<Page> {
  const page = await browser.newPage();
  await play(page);
  await watchSizes(page);
  return page;
}

/** Waits until the video of a page has ended without an error. */
async function waitUntilEnded(page: Page): Promise<void> {
  const readState = () =>
    page.evaluate(() => {
      const video = document.querySelector('video');
      return { ended: video?.ended, fault: video?.error?.message };
    });
  await expect.poll(readState, { intervals: [500] }).toEqual({ ended: true, fault: undefined });
}

async function readFrameSizes(input: string): Promise<string[]> {
  const entries = ['-select_streams', 'v', '-show_entries', 'frame=width,height', '-of', 'csv=p=0'];
  const inputArgs = ['-protocol_whitelist', 'concat,crypto,file,http,https,tcp,tls', input];
  const { stdout } = await execFileAsync('ffprobe', ['-v', 'error', ...entries, ...inputArgs], {
    maxBuffer: 2 ** 25,
  });
  const sizes = stdout.split('\n').flatMap((line) => /^(\d+),(\d+)/.exec(line)?.slice(1, 3).join('x') ?? []);
  return withoutRepeats(sizes);
}

const withoutRepeats = <Value>(values: readonly Value[]): Value[] =>
  values.filter((value, index) => index === 0 || value !== values[index - 1]);

const isPortrait = (size: string): boolean => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return height > width;
};

/**
 * Reads the picture size of the first segment of each period of a rendition, once it is encoded. Until then, a busy service
 * sends the frames of the source or of another rendition, which no cache stores (docs/adr/0061-without-room-for-a-rendition.md).
 */
async function readEncodedSizes(playlistUrl: string): Promise<string[]> {
  const playlist = await (await fetch(playlistUrl)).text();
  const sizes: string[] = [];
  for (const [, init = '', segment = ''] of playlist.matchAll(
    /^#EXT-X-MAP:URI="([^"]+)"\n(?:#.*\n)*([^#\n]+)$/gm,
  )) {
    const [initUrl, segmentUrl] = [init, segment].map((uri) => new URL(uri, playlistUrl).href);
    const readCaching = async () => {
      const response = await fetch(segmentUrl ?? '');
      await response.arrayBuffer();
      return response.headers.get('cache-control');
    };
    // A busy service encodes nothing until a core is free, so only the timeout of the test limits the wait.
    await expect.poll(readCaching, { intervals: [1_000], timeout: 0 }).toContain('immutable');
    sizes.push(...(await readFrameSizes(`concat:${initUrl}|${segmentUrl}`)));
  }
  return sizes;
}

test('a session whose video and audio parameters change plays live in hls.js and on the watch page, and recorded also in Shaka Player and as a rendition', async ({
  browser,
  baseURL,
}) => {
  const owner = await ApiAccount.create();
  const landscapeSource = await encodeSource('640x360');
  const portraitSource = await encodeSource('360x640');
  const largeSource = await encodeSource('640x360', [
    ...['-vf', 'scale=854:480', '-c:v', 'libx264', '-profile:v', 'high', '-preset', 'ultrafast', '-g', '60'],
    ...['-coder', '1', '-sc_threshold', '0', '-c:a', 'aac', '-ac', '2', '-ar', '44100'],
  ]);
  const changingSource = joinSections([
    { untilMs: 6_000, video: landscapeSource, audio: landscapeSource },
    { untilMs: 10_000, video: portraitSource, audio: landscapeSource },
    { untilMs: 14_000, video: landscapeSource, audio: largeSource },
    { untilMs: 20_000, video: largeSource, audio: largeSource },
  ]);
  const { id, streamKey, playbackId } = await owner.createStream({ record: true });
  const port = Number(new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:')).port);
  // On a slow machine the encoder stops sending until viewers have played everything.
  const sendUntilPublishEnds = (tag: Tag) => (tag.sendTimeMs < PUBLISHED_MS ? tag : null);
  const encoder = await RawEncoder.start(port, streamKey, changingSource, sendUntilPublishEnds);
  const startedAt = performance.now();
  const livePages: Page[] = [];
  const recordings = createRecordingChecks(owner);
  try {
    await waitUntil(async () => (await fetchStatus(hlsUrl(playbackId))) === 200);
    const url = hlsUrl(playbackId);
    livePages.push(
      await openPage(browser, (page) => playWithHlsJs(page, url, { lowLatencyMode: true })),
      await openPage(browser, (page) => playWithHlsJs(page, url, { lowLatencyMode: true }, 'light')),
      await openPage(browser, async (page) => {
        await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
      }),
    );
    for (const page of livePages) await expect.poll(() => readShownSizes(page)).toContain('854x480');
    for (const page of livePages.slice(0, 2)) expect((await readStats(page)).fatal).toEqual([]);
    await waitUntil(() => Promise.resolve(performance.now() - startedAt > PUBLISHED_MS), 60_000);
    await encoder.stop();
    await waitUntil(
      () => Promise.resolve(performance.now() - startedAt > PUBLISHED_MS + secondPublish.afterMs),
      60_000,
    );
    const secondEncoder = await RawEncoder.start(port, streamKey, landscapeSource, (tag) => tag);
    for (const page of livePages)
      await expect
        .poll(async () => (await readShownSizes(page)).at(-1), { intervals: [200] })
        .toBe('640x360');
    await waitUntil(
      () =>
        Promise.resolve(
          performance.now() - startedAt > PUBLISHED_MS + secondPublish.afterMs + secondPublish.durationMs,
        ),
      60_000,
    );
    await secondEncoder.stop();
  } finally {
    await encoder.stop();
    await Promise.all(livePages.map((page) => page.close()));
  }
  await owner.waitUntilIdle(id);
  await endReconnectWindow(id);
  const session = await recordings.waitForReadyRecording({ id });
  await waitUntil(
    async () => (await recordings.listRecordingAssets(session.id))[0]?.status.phase === 'ready',
  );
  const [asset] = await recordings.listRecordingAssets(session.id);
  const { playbackUrl = '', downloadUrl = '' } = asset ?? {};

  const expectedSizes = ['640x360', '360x640', '640x360', '854x480', '640x360'];
  expect(await readFrameSizes(downloadUrl)).toEqual(expectedSizes);
  for (const mediaUrl of [downloadUrl, session.mp4Url ?? '', session.recordingUrl ?? '', playbackUrl])
    expect([mediaUrl, await readDecoderWarnings(mediaUrl, 60)]).toEqual([mediaUrl, '']);

  const masterPlaylist = await (await fetch(playbackUrl)).text();
  expect([...masterPlaylist.matchAll(/^(\d+p)\/index\.m3u8$/gm)].map(([, name]) => name)).toEqual([
    '360p',
    '240p',
  ]);
  const resolveUrl = (file: string) => new URL(file, playbackUrl).href;
  // The segments of the renditions are encoded while ffmpeg decodes them and browsers play them.
  expect(await readDecoderWarnings(resolveUrl('240p/index.m3u8'), 60)).toBe('');
  const portraitFlags = (await readFrameSizes(resolveUrl('240p/index.m3u8'))).map(isPortrait);
  expect(withoutRepeats(portraitFlags)).toEqual([false, true, false]);
  // 854x480 is 16:9 with pixels that are not square, so its rendition has the size of the others.
  const encodedSizes = await readEncodedSizes(resolveUrl('240p/index.m3u8'));
  expect(withoutRepeats(encodedSizes)).toEqual(['426x240', '240x426', '426x240']);
  // The new audio may begin at a later keyframe than the new video, in a period of its own.
  expect([5, 6]).toContain(encodedSizes.length);
  const config = { lowLatencyMode: false };
  const pages = [
    await openPage(browser, (page) => playWithHlsJs(page, playbackUrl, config)),
    await openPage(browser, (page) => playWithHlsJs(page, playbackUrl, config, 'light')),
    await openPage(browser, (page) => playWithHlsJs(page, resolveUrl('240p/index.m3u8'), config, 'light')),
    await openPage(browser, (page) => playWithShaka(page, playbackUrl)),
    await openPage(browser, async (page) => {
      await page.goto(new URL(`/watch/${asset?.playbackId}`, baseURL).href);
    }),
  ];
  for (const page of pages) await waitUntilEnded(page);
  for (const page of pages.slice(0, 3)) expect((await readStats(page)).fatal).toEqual([]);
  for (const page of pages) expect((await readShownSizes(page)).some(isPortrait)).toBe(true);
  await Promise.all(pages.map((page) => page.close()));
});
