import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

/** Plays a video whose frames have a brightness of their own, changes its quality, and notes each frame that is shown. */

/** A frame as it was shown: its time in the media, and the brightness that was on the screen (0 to 255). */
interface ShownFrame {
  readonly time: number;
  readonly gray: number;
  readonly height: number;
}

interface Switching {
  readonly frames: readonly ShownFrame[];
  readonly errors: readonly string[];
  /** Seconds of media without data between others that are buffered. */
  readonly gaps: number;
}

interface Quality {
  readonly height: number | null;
}

interface Watched {
  readonly frames: ShownFrame[];
  readonly errors: string[];
  /** Changes to the quality with this number of lines at the end of what is being loaded. */
  choose(height: number): void;
}

interface HlsJs {
  readonly levels: readonly Quality[];
  nextLevel: number;
  on(event: 'hlsError', listen: (name: string, data: { details: string }) => void): void;
  on(event: 'hlsManifestParsed', listen: () => void): void;
  loadSource(url: string): void;
  attachMedia(video: Element): void;
}

interface ShakaPlayer {
  attach(video: Element): Promise<void>;
  load(url: string): Promise<void>;
  configure(path: string, value: unknown): void;
  getVariantTracks(): readonly Quality[];
  selectVariantTrack(track: Quality, clearBuffer: boolean): void;
  addEventListener(name: 'error', listen: (event: { detail: { code: number } }) => void): void;
}

interface Players {
  Hls: new (config: object) => HlsJs;
  shaka: { Player: new () => ShakaPlayer };
  watched: Watched;
}

export const players = ['hls.js', 'Shaka'] as const;
export type PlayerName = (typeof players)[number];

const scripts = { 'hls.js': 'hls.js/dist/hls.min.js', Shaka: 'shaka-player/dist/shaka-player.compiled.js' };

/** Starts the video in the quality with this number of lines. */
export async function playCounted(page: Page, name: PlayerName, url: string, height: number): Promise<void> {
  await page.setContent('<video muted playsinline crossorigin="anonymous"></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve(scripts[name]) });
  await page.evaluate(watchFrames);
  await page.evaluate(name === 'Shaka' ? playWithShaka : playWithHlsJs, { url, height });
}

function watchFrames(): void {
  const video = document.querySelector('video');
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!video || !canvas) throw new Error('the page shows no video');
  const watched: Watched = { frames: [], errors: [], choose: () => undefined };
  (globalThis as unknown as Players).watched = watched;
  const note: VideoFrameRequestCallback = (_now, { mediaTime, height }) => {
    canvas.drawImage(video, 0, 0, 1, 1);
    const [gray = 0] = canvas.getImageData(0, 0, 1, 1).data;
    watched.frames.push({ time: mediaTime, gray, height });
    video.requestVideoFrameCallback(note);
  };
  video.requestVideoFrameCallback(note);
  video.addEventListener('error', () => watched.errors.push(video.error?.message ?? 'unknown'));
}

function playWithHlsJs({ url, height }: { url: string; height: number }): void {
  const { Hls, watched } = globalThis as unknown as Players;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  // Not too far ahead: each change is to be seen soon.
  const player = new Hls({ startPosition: 0, maxBufferLength: 6, maxMaxBufferLength: 6 });
  player.on('hlsError', (_name, { details }) => {
    // A busy machine is slow, which is no fault of the media.
    if (!/bufferStalled|bufferNudge|Timeout/.test(details)) watched.errors.push(details);
  });
  watched.choose = (lines) =>
    void (player.nextLevel = player.levels.findIndex((level) => level.height === lines));
  player.on('hlsManifestParsed', () => {
    watched.choose(height);
    void video.play();
  });
  player.loadSource(url);
  player.attachMedia(video);
}

async function playWithShaka({ url, height }: { url: string; height: number }): Promise<void> {
  const { shaka, watched } = globalThis as unknown as Players;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const player = new shaka.Player();
  player.addEventListener('error', ({ detail }) => watched.errors.push(`error ${detail.code}`));
  player.configure('abr.enabled', false);
  player.configure('streaming.bufferingGoal', 6);
  watched.choose = (lines) => {
    const track = player.getVariantTracks().find((one) => one.height === lines);
    if (track) player.selectVariantTrack(track, false);
    else watched.errors.push(`there is no quality of ${lines} lines`);
  };
  await player.attach(video);
  await player.load(url);
  watched.choose(height);
  void video.play();
}

export const chooseQuality = (page: Page, height: number): Promise<void> =>
  page.evaluate((lines) => (globalThis as unknown as Players).watched.choose(lines), height);

export const shownUntil = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as Players).watched.frames.at(-1)?.time ?? 0);

export const switchingOf = (page: Page): Promise<Switching> =>
  page.evaluate(() => {
    const { frames, errors } = (globalThis as unknown as Players).watched;
    const { buffered, currentTime } = document.querySelector('video') ?? new Audio();
    let gaps = 0;
    for (let i = 1; i < buffered.length; i++)
      if (buffered.start(i) > currentTime) gaps += buffered.start(i) - buffered.end(i - 1);
    return { frames, errors, gaps };
  });
