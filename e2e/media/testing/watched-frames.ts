import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** A shown frame of a video whose frames contain their number (media-worker/vod/testing/counted-video.ts). */
interface WatchedFrame {
  readonly number: number;
  /** Time at which the frame was shown, in Unix milliseconds. */
  readonly shownAt: number;
}

interface WatchState {
  readonly frames: readonly WatchedFrame[];
  /** Details of the fatal errors of hls.js, in order. */
  readonly fatal: readonly string[];
}

interface HlsJs {
  on(event: 'hlsError', listen: (name: string, data: { fatal: boolean; details: string }) => void): void;
  loadSource(url: string): void;
  attachMedia(video: Element): void;
  destroy(): void;
}

interface WatchGlobals {
  Hls: new (config: object) => HlsJs;
  watchState?: { frames: WatchedFrame[]; fatal: string[] };
}

/**
 * Plays a URL with hls.js like a page of another site. The page restarts the player 1 s after a fatal error, and after a
 * stall of 10 s: hls.js 1.7.4 does not seek to a live window that has nothing in common with the one before it if it has
 * waited for the playlist, and reports no error.
 */
export async function playOnOtherSite(page: Page, url: string, lowLatencyMode: boolean): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js') });
  await page.evaluate(
    ({ url, lowLatencyMode }) => {
      const globals = globalThis as unknown as WatchGlobals;
      const watchState = (globals.watchState ??= { frames: [], fatal: [] });
      const video = document.querySelector('video');
      if (!video) throw new Error('the page has no video');
      const startPlayer = () => {
        const player = new globals.Hls({ lowLatencyMode });
        player.on('hlsError', (_name, { fatal, details }) => {
          if (!fatal) return;
          watchState.fatal.push(details);
          restartPlayer(1_000);
        });
        let playedUntil = 0;
        let advancedAt = performance.now();
        const stallTimer = setInterval(() => {
          if (video.currentTime === playedUntil && performance.now() - advancedAt > 10_000) restartPlayer(0);
          if (video.currentTime === playedUntil) return;
          playedUntil = video.currentTime;
          advancedAt = performance.now();
        }, 500);
        const restartPlayer = (delayMs: number) => {
          clearInterval(stallTimer);
          player.destroy();
          setTimeout(startPlayer, delayMs);
        };
        player.loadSource(url);
        player.attachMedia(video);
        void video.play().catch(() => undefined);
      };
      startPlayer();
    },
    { url, lowLatencyMode },
  );
}

/**
 * Starts to record each frame that the video of a page shows completely.
 * @param bits number of columns that encode the frame number
 */
export const watchFrames = (page: Page, bits: number): Promise<void> =>
  page.waitForSelector('video').then(() =>
    page.evaluate((bits) => {
      const globals = globalThis as unknown as WatchGlobals;
      const watchState = (globals.watchState ??= { frames: [], fatal: [] });
      // Browsers record only 250 requests by default.
      performance.setResourceTimingBufferSize(10_000);
      const video = document.querySelector('video');
      // Each column is drawn 8 px wide and 32 px high. Its lower half has the opposite color of the upper one.
      const [cell, rows] = [8, 32];
      const canvas = new OffscreenCanvas(bits * cell, rows).getContext('2d', { willReadFrequently: true });
      if (!video || !canvas) throw new Error('the page shows no video');
      const recordFrame = () => {
        canvas.drawImage(video, 0, 0, bits * cell, rows);
        const { data } = canvas.getImageData(0, 0, bits * cell, rows);
        const isWhite = (bit: number, row: number) =>
          (data[4 * (row * bits * cell + (bit + 0.5) * cell)] ?? 0) > 128;
        const columns = Array.from({ length: bits }, (_, bit) => bit);
        // A picture that is not decoded completely has columns whose halves do not match.
        const isWhole = columns.every((bit) => isWhite(bit, rows / 4) !== isWhite(bit, (3 * rows) / 4));
        const number = columns.reduce((sum, bit) => sum + (isWhite(bit, rows / 4) ? 2 ** bit : 0), 0);
        if (isWhole) watchState.frames.push({ number, shownAt: Date.now() });
        video.requestVideoFrameCallback(recordFrame);
      };
      video.requestVideoFrameCallback(recordFrame);
    }, bits),
  );

export const readWatchState = (page: Page): Promise<WatchState> =>
  page.evaluate(() => (globalThis as unknown as WatchGlobals).watchState ?? { frames: [], fatal: [] });

/** Describes the state of the player on a page, for the message of a failed test. */
export const describePlayer = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { frames = [], fatal = [] } = (globalThis as unknown as WatchGlobals).watchState ?? {};
    const video = document.querySelector('video');
    const last = frames.at(-1);
    const lastFrame = last ? `frame ${last.number} ${Date.now() - last.shownAt} ms ago` : 'no frame';
    if (!video) return `${lastFrame}, no video element, ${document.body.innerText.slice(0, 200)}`;
    const { buffered, currentTime, paused, seeking, readyState, error } = video;
    const ranges = Array.from({ length: buffered.length }, (_, index) =>
      [buffered.start(index), buffered.end(index)].map((time) => time.toFixed(2)).join('–'),
    );
    const requests = performance
      .getEntriesByType('resource')
      .slice(-5)
      .map(({ name, startTime, duration }) => {
        const agoMs = Math.round(performance.now() - startTime);
        return `${name.split('/').at(-1)} ${agoMs} ms ago for ${Math.round(duration)} ms`;
      });
    return [
      lastFrame,
      `at ${currentTime.toFixed(2)} of ${ranges.join(' ') || 'no media'}`,
      `paused ${paused}, seeking ${seeking}, readyState ${readyState}, error ${error?.message ?? 'none'}`,
      `fatal errors ${fatal.join(' ') || 'none'}`,
      `requests ${requests.join('; ')}`,
      document.body.innerText.slice(0, 200).replaceAll('\n', ' '),
    ].join(', ');
  });
