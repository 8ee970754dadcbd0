import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** Playback statistics of a page since it was opened. */
export interface PlaybackStats {
  /** Seconds of media shown. */
  readonly time: number;
  /** Difference between the program date time of the picture and the current time, in seconds, once a second. */
  readonly latencies: number[];
  /** Number of stalls for lack of data after the first frame. */
  readonly stalls: number;
  readonly fatal: string[];
  /** Media URLs in the order of their requests. */
  readonly loadedUrls: string[];
  /** Media playlists in the order of their arrival. */
  readonly playlists: string[];
}

/** Settings of hls.js. */
interface PlayerConfig {
  readonly cmcd?: object;
  readonly lowLatencyMode: boolean;
  readonly maxLiveSyncPlaybackRate?: number;
  readonly backBufferLength?: number;
}

/** The part of the hls.js API used here: inferring the original types inside a page is too slow. */
interface Player {
  readonly playingDate: Date | null;
  on(event: 'hlsLevelLoaded', listen: (name: string, data: { details: { m3u8: string } }) => void): void;
  on(event: 'hlsFragLoaded', listen: (name: string, data: { frag: Media; part: Media | null }) => void): void;
  on(event: 'hlsError', listen: (name: string, data: { fatal: boolean; details: string }) => void): void;
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement): void;
}

interface Media {
  readonly url: string | null;
}

interface PageState {
  Hls: new (config: PlayerConfig) => Player;
  seen: { -readonly [Key in keyof PlaybackStats]: PlaybackStats[Key] };
}

const script = (name: string) => createRequire(import.meta.url).resolve(name);

/** Starts playback of an address with hls.js on an empty page. Does not wait for the first frame. */
export async function playWithHlsJs(
  page: Page,
  url: string,
  config: PlayerConfig,
  build: 'full' | 'light' = 'full',
): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: script(`hls.js/dist/hls.${build === 'full' ? '' : 'light.'}min.js`) });
  await page.evaluate(startHlsJs, { url, config });
}

function startHlsJs({ url, config }: { url: string; config: PlayerConfig }): void {
  const pageState = globalThis as unknown as PageState;
  const { Hls } = pageState;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const stats: PageState['seen'] = { time: 0, latencies: [], stalls: 0, fatal: [], loadedUrls: [], playlists: [] }; // prettier-ignore
  pageState.seen = stats;
  const player = new Hls(config);
  player.on('hlsLevelLoaded', (_name, { details }) => void stats.playlists.push(details.m3u8));
  player.on('hlsFragLoaded', (_name, { frag, part }) => void stats.loadedUrls.push((part ?? frag).url ?? ''));
  player.on('hlsError', (_name, { fatal, details }) => {
    if (fatal) stats.fatal.push(details);
  });
  video.addEventListener('waiting', () => (stats.stalls += video.played.length > 0 ? 1 : 0));
  setInterval(() => {
    stats.time = video.currentTime;
    if (player.playingDate) stats.latencies.push((Date.now() - player.playingDate.getTime()) / 1_000);
  }, 1_000);
  player.loadSource(url);
  player.attachMedia(video);
  void video.play();
}

export const readStats = (page: Page): Promise<PlaybackStats> =>
  page.evaluate(() => (globalThis as unknown as PageState).seen);

/** Resolves when the first frame is shown. */
export async function waitForFirstFrame(page: Page): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
}

interface Shaka {
  Player: new () => {
    attach(video: Element): Promise<void>;
    load(url: string): Promise<void>;
    configure(config: object): void;
    addEventListener(name: 'error', listen: (event: { detail: { code: number } }) => void): void;
  };
}

/** Plays an address with Shaka Player on an empty page. Resolves when it has loaded. */
export async function playWithShaka(
  page: Page,
  url: string,
  { config = {}, build = '' }: { readonly config?: object; readonly build?: '' | 'debug.' } = {},
): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: script(`shaka-player/dist/shaka-player.compiled.${build}js`) });
  const film = { source: url, settings: config };
  await page.evaluate(async ({ source, settings }) => {
    const { shaka } = globalThis as unknown as { shaka: Shaka };
    const video = document.querySelector('video');
    if (!video) throw new Error('the page has no video');
    const player = new shaka.Player();
    player.addEventListener('error', ({ detail }) => (document.title = `error ${detail.code}`));
    player.configure(settings);
    await player.attach(video);
    await player.load(source);
    void video.play();
  }, film);
}

export const timeOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

interface Stillness {
  still?: { longestMs: number };
}

/** Records from now on how long the video of a page stalls after playback has started. */
export const watchStalls = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const still = ((globalThis as unknown as Stillness).still ??= { longestMs: 0 });
    let [time, since] = [0, 0];
    setInterval(() => {
      const { currentTime = 0 } = document.querySelector('video') ?? {};
      const now = performance.now();
      if (currentTime !== time) [time, since] = [currentTime, now];
      else if (since > 0) still.longestMs = Math.max(still.longestMs, now - since);
    }, 100);
  });

/** The longest stall so far, ms. */
export const longestStall = (page: Page): Promise<number> =>
  page.evaluate(() => Math.round((globalThis as unknown as Stillness).still?.longestMs ?? 0));
