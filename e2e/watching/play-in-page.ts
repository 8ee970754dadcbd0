import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** Playback statistics of a page since it was opened. */
export interface PlaybackStats {
  /** Position of the video in seconds, updated once a second. */
  readonly time: number;
  /** Difference between the program date time of the picture and the current time, in seconds, once a second. */
  readonly latencies: number[];
  /** Number of `waiting` events of the video after the first frame. A seek can also cause one. */
  readonly stalls: number;
  /** Details of the fatal errors of hls.js, in order. */
  readonly fatal: string[];
  /** URLs of segments and parts in the order in which they finished loading. */
  readonly loadedUrls: string[];
  /** Texts of the loaded media playlists, in order. */
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
  playbackStats: { -readonly [Key in keyof PlaybackStats]: PlaybackStats[Key] };
}

const resolveScript = (name: string) => createRequire(import.meta.url).resolve(name);

/** Starts playback of a URL with hls.js on an empty page. Does not wait for the first frame. */
export async function playWithHlsJs(
  page: Page,
  url: string,
  config: PlayerConfig,
  build: 'full' | 'light' = 'full',
): Promise<void> {
  await loadHlsJs(page, build);
  await startHlsJs(page, url, config);
}

/** Loads hls.js and an empty video element into a page. */
export async function loadHlsJs(page: Page, build: 'full' | 'light' = 'full'): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({
    path: resolveScript(`hls.js/dist/hls.${build === 'full' ? '' : 'light.'}min.js`),
  });
}

/** Starts playback of a URL on a page prepared by `loadHlsJs`. Does not wait for the first frame. */
export const startHlsJs = (page: Page, url: string, config: PlayerConfig): Promise<void> =>
  page.evaluate(startInPage, { url, config });

function startInPage({ url, config }: { url: string; config: PlayerConfig }): void {
  const pageState = globalThis as unknown as PageState;
  const { Hls } = pageState;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const stats: PageState['playbackStats'] = { time: 0, latencies: [], stalls: 0, fatal: [], loadedUrls: [], playlists: [] }; // prettier-ignore
  pageState.playbackStats = stats;
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
  page.evaluate(() => (globalThis as unknown as PageState).playbackStats);

/** Waits until the video has played 0.2 s. */
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

/** Starts playback of a URL with Shaka Player on an empty page. Resolves when the player has loaded the stream. */
export async function playWithShaka(
  page: Page,
  url: string,
  { config = {}, build = '' }: { readonly config?: object; readonly build?: '' | 'debug.' } = {},
): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: resolveScript(`shaka-player/dist/shaka-player.compiled.${build}js`) });
  const playback = { source: url, settings: config };
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
  }, playback);
}

export const readCurrentTime = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

interface StallState {
  stalls?: { longestMs: number };
}

/** Starts to record how long the position of the video stands still after playback has started. */
export const watchStalls = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const stallState = ((globalThis as unknown as StallState).stalls ??= { longestMs: 0 });
    let [time, changedAt] = [0, 0];
    setInterval(() => {
      const { currentTime = 0 } = document.querySelector('video') ?? {};
      const now = performance.now();
      if (currentTime !== time) [time, changedAt] = [currentTime, now];
      else if (changedAt > 0) stallState.longestMs = Math.max(stallState.longestMs, now - changedAt);
    }, 100);
  });

/** The longest time in ms for which the video stood still since `watchStalls`. */
export const readLongestStall = (page: Page): Promise<number> =>
  page.evaluate(() => Math.round((globalThis as unknown as StallState).stalls?.longestMs ?? 0));
