import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** Result of a seek. */
export interface SeekResult {
  /** Time from the seek to the first frame of the new position. */
  readonly seconds: number;
  /** Height of the displayed frame. It is the height of the source file if the machine had no capacity to encode in time. */
  readonly height: number;
}

interface SeekOptions {
  /** URL of the master playlist. */
  readonly masterUrl: string;
  /** Position to seek to, in seconds. */
  readonly position: number;
  /** Height of the quality to play. If no quality has this height, the best quality plays. */
  readonly quality?: number;
  /** Waits until the service no longer encodes ahead of the player. */
  readonly waitUntilIdle: () => Promise<void>;
}

/**
 * Plays one quality from the beginning with hls.js and the buffer settings of the watch page, and then seeks.
 * @returns the time until a frame of the new position is displayed, and its height
 */
export async function seekTo(
  page: Page,
  { masterUrl: url, position: positionSeconds, quality = 480, waitUntilIdle }: SeekOptions,
): Promise<SeekResult> {
  page.setDefaultTimeout(120_000);
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js') });
  await page.evaluate(playQuality, { url, quality });
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  await page.evaluate(() => document.querySelector('video')?.pause());
  await page.waitForFunction(isBufferFull, FULL_BUFFER_MS, { polling: 500 });
  await waitUntilIdle();
  const { ms, height } = await page.evaluate(measureSeek, positionSeconds);
  return { seconds: ms / 1_000, height };
}

/**
 * Seeks and waits for a frame of the new position. Frame callbacks are used, because a page that draws continuously takes
 * CPU time from the encoder.
 */
async function measureSeek(position: number): Promise<{ readonly ms: number; readonly height: number }> {
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const startedAt = performance.now();
  video.currentTime = position;
  void video.play();
  for (;;) {
    const frame = await new Promise<VideoFrameCallbackMetadata>((resolve) => {
      video.requestVideoFrameCallback((_now, frameFacts) => resolve(frameFacts));
    });
    if (frame.mediaTime > position + 0.05) return { ms: performance.now() - startedAt, height: frame.height };
  }
}

/** Time without change after which the buffer counts as full. The service measures its idle CPU time every two seconds. */
const FULL_BUFFER_MS = 5_000;

/** Whether the end of the buffer has not changed for the given time. */
function isBufferFull(ms: number): boolean {
  const page = globalThis as { bufferState?: { readonly end: number; readonly at: number } };
  const { buffered } = document.querySelector('video') ?? new Audio();
  const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  if (page.bufferState?.end !== end) page.bufferState = { end, at: performance.now() };
  return performance.now() - page.bufferState.at > ms;
}

function playQuality({ url, quality }: { readonly url: string; readonly quality: number }): void {
  interface Player {
    readonly levels: readonly { readonly height: number }[];
    loadLevel: number;
    on(event: 'hlsManifestParsed', listen: () => void): void;
    loadSource(url: string): void;
    attachMedia(video: Element): void;
  }
  const { Hls } = globalThis as unknown as { Hls: new (options: object) => Player };
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const player = new Hls({ startPosition: 0, maxBufferLength: 20, maxMaxBufferLength: 60 });
  player.on('hlsManifestParsed', () => {
    const levelIndex = player.levels.findIndex(({ height }) => height === quality);
    player.loadLevel = levelIndex === -1 ? player.levels.length - 1 : levelIndex;
    void video.play();
  });
  player.loadSource(url);
  player.attachMedia(video);
}
