import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

export interface Seek {
  readonly seconds: number;
  /** Lines of the picture: those of the source file, if the machine had no capacity to encode in time. */
  readonly lines: number;
}

interface BufferState {
  /** URL of the playlist. */
  readonly master: string;
  /** Position to seek to, in seconds. */
  readonly to: number;
  /** Lines of the quality to play; the best quality if none has this many. */
  readonly quality?: number;
  /** Resolves when nothing is encoded ahead of the player. */
  readonly idle: () => Promise<void>;
}

/**
 * Plays one quality with hls.js, with the buffer of the built-in player, from the beginning, then seeks.
 * @returns seconds until a picture from there is shown
 */
export async function seekTo(page: Page, { master, to, quality = 480, idle }: BufferState): Promise<Seek> {
  page.setDefaultTimeout(120_000);
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js') });
  await page.evaluate(playQuality, { source: master, lines: quality });
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  await page.evaluate(() => document.querySelector('video')?.pause());
  await page.waitForFunction(bufferIsFull, quietMs, { polling: 500 });
  await idle();
  const { ms, lines } = await page.evaluate(untilShown, to);
  return { seconds: ms / 1_000, lines };
}

/**
 * Waits for the frame instead of polling the clock: a page that draws continuously takes CPU time from the encoder.
 */
async function untilShown(at: number): Promise<{ readonly ms: number; readonly lines: number }> {
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const startedAt = performance.now();
  video.currentTime = at;
  void video.play();
  for (;;) {
    const frame = await new Promise<VideoFrameCallbackMetadata>((resolve) => {
      video.requestVideoFrameCallback((_now, frameFacts) => resolve(frameFacts));
    });
    if (frame.mediaTime > at + 0.05) return { ms: performance.now() - startedAt, lines: frame.height };
  }
}

/** The service measures every two seconds how much CPU is idle. */
const quietMs = 5_000;

/** Whether the buffer has not grown for this time. */
function bufferIsFull(ms: number): boolean {
  const page = globalThis as { bufferState?: { readonly end: number; readonly at: number } };
  const { buffered } = document.querySelector('video') ?? new Audio();
  const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  if (page.bufferState?.end !== end) page.bufferState = { end, at: performance.now() };
  return performance.now() - page.bufferState.at > ms;
}

function playQuality({ source, lines }: { readonly source: string; readonly lines: number }): void {
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
    const levelIndex = player.levels.findIndex(({ height }) => height === lines);
    player.loadLevel = levelIndex === -1 ? player.levels.length - 1 : levelIndex;
    void video.play();
  });
  player.loadSource(source);
  player.attachMedia(video);
}
