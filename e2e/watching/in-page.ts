import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** What a page with a player has seen since it was opened. */
export interface PlaybackStats {
  /** Seconds of media shown. */
  readonly time: number;
  /** Seconds between the date of the picture and now, once a second. */
  readonly latencies: number[];
  /** How often the picture stood still for want of data, after the first one. */
  readonly stalls: number;
  readonly fatal: string[];
  /** Addresses of media in the order they were loaded. */
  readonly loadedUrls: string[];
  /** Media playlists as they came. */
  readonly playlists: string[];
}

/** Settings of hls.js. */
interface PlayerConfig {
  readonly lowLatencyMode: boolean;
  readonly maxLiveSyncPlaybackRate?: number;
  readonly backBufferLength?: number;
}

/** What is used of hls.js: its own types are too much to infer inside a page. */
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

/** Plays an address with hls.js as it comes on an empty page; returns at once. */
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
  const watched = globalThis as unknown as PageState;
  const { Hls } = watched;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const seen: PageState['seen'] = { time: 0, latencies: [], stalls: 0, fatal: [], loadedUrls: [], playlists: [] }; // prettier-ignore
  watched.seen = seen;
  const player = new Hls(config);
  player.on('hlsLevelLoaded', (_name, { details }) => void seen.playlists.push(details.m3u8));
  player.on('hlsFragLoaded', (_name, { frag, part }) => void seen.loadedUrls.push((part ?? frag).url ?? ''));
  player.on('hlsError', (_name, { fatal, details }) => {
    if (fatal) seen.fatal.push(details);
  });
  video.addEventListener('waiting', () => (seen.stalls += video.played.length > 0 ? 1 : 0));
  setInterval(() => {
    seen.time = video.currentTime;
    if (player.playingDate) seen.latencies.push((Date.now() - player.playingDate.getTime()) / 1_000);
  }, 1_000);
  player.loadSource(url);
  player.attachMedia(video);
  void video.play();
}

export const seenBy = (page: Page): Promise<PlaybackStats> =>
  page.evaluate(() => (globalThis as unknown as PageState).seen);

/** Resolves when the first picture is shown. */
export async function firstPicture(page: Page): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
}

interface Shaka {
  Player: new () => {
    attach(video: Element): Promise<void>;
    load(url: string): Promise<void>;
    addEventListener(name: 'error', listen: (event: { detail: { code: number } }) => void): void;
  };
}

/** Plays an address with shaka-player as it comes; resolves when it has loaded. */
export async function playWithShaka(page: Page, url: string): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: script('shaka-player/dist/shaka-player.compiled.js') });
  await page.evaluate(async (source) => {
    const { shaka } = globalThis as unknown as { shaka: Shaka };
    const video = document.querySelector('video');
    if (!video) throw new Error('the page has no video');
    const player = new shaka.Player();
    player.addEventListener('error', ({ detail }) => (document.title = `error ${detail.code}`));
    await player.attach(video);
    await player.load(source);
    void video.play();
  }, url);
}

export const timeOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
