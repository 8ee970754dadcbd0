import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { expectPlaying } from '../dashboard/page-actions';
import { runFfmpeg } from '../media/testing/run-ffmpeg';
import { ApiAccount, waitUntil } from '../media/testing/service';
import { playWithHlsJs, playWithShaka } from './play-in-page';

// Files in the formats of real devices, from the upload to the watch page.

const folder = mkdtempSync(join(tmpdir(), 'files-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string) => join(folder, `${name}.mp4`);

/** ffmpeg filter of a picture that is red on the left and blue on the right. */
const pictureFilter = 'color=red:size=160x90:rate=30000/1001,drawbox=x=80:color=blue:t=fill';
const encodeFile = (name: string, ...output: readonly string[]) =>
  runFfmpeg(
    ...[
      '-f',
      'lavfi',
      '-i',
      pictureFilter,
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=440:sample_rate=48000',
      '-t',
      '6',
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60', '-c:a', 'aac'],
    ...output,
    pathOf(name),
  );
const HOUR_SECONDS = 3_600;

const fileMakers: Readonly<Record<string, () => Promise<unknown>>> = {
  'reordered frames': () => encodeFile('reordered frames', '-bf', '3', '-b_strategy', '0'),
  'variable frame rate': () =>
    encodeFile('variable frame rate', '-vf', "select='not(mod(n,7))+lt(n,30)'", '-fps_mode', 'vfr'),
  portrait: async () => {
    await encodeFile('landscape');
    await runFfmpeg(
      '-i',
      pathOf('landscape'),
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      pathOf('portrait'),
    );
  },
  'audio with six channels': () => encodeFile('audio with six channels', '-ac', '6'),
  'no audio': () => encodeFile('no audio', '-an'),
  'an hour': async () => {
    await encodeFile('a minute', '-t', '60', '-r', '5', '-g', '10', '-b:a', '32k');
    await runFfmpeg(
      '-stream_loop',
      '-1',
      '-i',
      pathOf('a minute'),
      '-t',
      String(HOUR_SECONDS),
      '-c',
      'copy',
      pathOf('an hour'),
    );
  },
};

async function upload(owner: ApiAccount, name: string): Promise<string> {
  const uploadResponse = await owner.request('POST', '/api/asset/request-upload', { name });
  const { url, asset } = (await uploadResponse.json()) as { url: string; asset: Asset };
  const put = await fetch(url, { method: 'PUT', body: await openAsBlob(pathOf(name)) });
  expect([put.status, await put.text()]).toEqual([200, '']);
  return asset.id;
}

async function waitForReadyAsset(owner: ApiAccount, id: string): Promise<Asset> {
  let asset: Asset | undefined;
  await waitUntil(async () => {
    asset = (await (await owner.request('GET', `/api/asset/${id}`)).json()) as Asset;
    expect(asset.status.errorMessage).toBeUndefined();
    return asset.status.phase === 'ready';
  }, 60_000);
  if (!asset) throw new Error('The API returned no asset');
  return asset;
}

/**
 * Decodes the first picture of a file with ffmpeg, which applies the rotation of the file.
 * @returns the colors of the four quarters of the picture
 */
async function readColorsWithFfmpeg(file: string) {
  const pixels = await runFfmpeg(
    ...['-i', file, '-frames:v', '1', '-vf', `format=rgb24,scale=2:2:flags=area`],
    ...['-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'],
  );
  return [0, 3, 6, 9].map((offset) => ((pixels[offset] ?? 0) > (pixels[offset + 2] ?? 0) ? 'red' : 'blue'));
}

interface ShownVideo {
  readonly width: number;
  readonly height: number;
  readonly duration: number;
  /** Colors of the four quarters of the picture. */
  readonly colors: readonly string[];
  readonly audioBytes: number;
  readonly frames: number;
  readonly error: string | null;
}

const readShownVideo = (page: Page): Promise<ShownVideo> =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2, 2];
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, 0, 2, 2);
    const pixels = context?.getImageData(0, 0, 2, 2).data ?? [];
    const { webkitAudioDecodedByteCount } = video as { webkitAudioDecodedByteCount?: number };
    return {
      width: video.videoWidth,
      height: video.videoHeight,
      duration: video.duration,
      colors: [0, 4, 8, 12].map((pixelOffset) =>
        (pixels[pixelOffset] ?? 0) > (pixels[pixelOffset + 2] ?? 0) ? 'red' : 'blue',
      ),
      audioBytes: webkitAudioDecodedByteCount ?? 0,
      frames: video.getVideoPlaybackQuality().totalVideoFrames,
      error: video.error?.message ?? null,
    };
  });

/** Seeks to a time in seconds and waits until playback is more than 2 s past it. */
async function seekAndPlay(page: Page, time: number): Promise<void> {
  const video = page.locator('video');
  await video.evaluate((element: HTMLVideoElement, seconds) => void (element.currentTime = seconds), time);
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime), { timeout: 20_000 })
    .toBeGreaterThan(time + 2);
}

test('files of each kind play on the watch page with the right picture, rotation, audio and duration', async ({
  page,
}) => {
  const owner = await ApiAccount.create();
  for (const makeFile of Object.values(fileMakers)) await makeFile();
  const ids = await Promise.all(Object.keys(fileMakers).map((name) => upload(owner, name)));
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  for (const [index, name] of Object.keys(fileMakers).entries()) {
    await test.step(name, async () => {
      const { playbackId, videoSpec } = await waitForReadyAsset(owner, ids[index] ?? '');
      await page.goto(`/watch/${playbackId}`);
      await expectPlaying(page);
      const isPortrait = name === 'portrait';
      const { duration, audioBytes, frames, ...shownVideo } = await readShownVideo(page);
      expect(shownVideo).toEqual({
        ...(isPortrait ? { width: 90, height: 160 } : { width: 160, height: 90 }),
        colors: await readColorsWithFfmpeg(pathOf(name)),
        error: null,
      });
      expect(shownVideo.colors[0] === shownVideo.colors[1]).toBe(isPortrait);
      expect(audioBytes > 0).toBe(name !== 'no audio');
      expect(frames).toBeGreaterThan(2);
      expect(duration).toBeCloseTo(name === 'an hour' ? HOUR_SECONDS : 6, 0);
      expect(duration).toBeCloseTo(videoSpec?.duration ?? 0, 0);
      if (name === 'an hour') await seekAndPlay(page, HOUR_SECONDS - 20);
      await expect(page.locator('[data-phase]')).toHaveAttribute('data-phase', 'playing');
    });
  }
  expect(pageErrors).toEqual([]);
});

const SLIDE_SECONDS = 10;
/** Writes a file whose brightness shows the time: every ten seconds it rises by ten. */
const encodeSlides = (name: string, rate: string, ...output: readonly string[]) =>
  runFfmpeg(
    ...[
      '-f',
      'lavfi',
      '-i',
      `color=black:size=160x90:rate=${rate},geq=lum='16+10*floor(T/10)':cb=128:cr=128`,
    ],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', '200', '-c:v', 'libx264'],
    ...['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '3', '-b_strategy', '0', '-sc_threshold', '0'],
    ...['-g', '250', '-c:a', 'aac', '-b:a', '32k', ...output, pathOf(name)],
  );

/** Index of the slide that is shown: its time divided by ten seconds. */
const readShownSlide = (page: Page): Promise<number> =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1, 1];
    const context = canvas.getContext('2d');
    context?.drawImage(video, 0, 0, 1, 1);
    const [gray = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
    // Black is 16 in the video and 0 in the canvas, white 235 and 255.
    return Math.round((gray * 219) / 255 / 10);
  });

for (const [name, rate] of [
  ['slides', '1/10'],
  ['keyframes every 50 s', '5'],
] as const)
  test(`seeks in a file with ${name} show the right picture in hls.js and Shaka Player`, async ({
    browser,
  }) => {
    const owner = await ApiAccount.create();
    await encodeSlides(name, rate);
    const { playbackUrl = '' } = await waitForReadyAsset(owner, await upload(owner, name));
    const config = { lowLatencyMode: false };
    const players: readonly ((page: Page) => Promise<void>)[] = [
      (page) => playWithHlsJs(page, playbackUrl, config, 'light'),
      (page) => playWithHlsJs(page, playbackUrl, config),
      (page) => playWithShaka(page, playbackUrl),
    ];
    for (const play of players) {
      const page = await browser.newPage();
      await play(page);
      for (const slide of [13, 4, 17]) {
        await seekAndPlay(page, slide * SLIDE_SECONDS + 2);
        expect(await readShownSlide(page)).toBe(slide);
      }
      await page.close();
    }
  });
