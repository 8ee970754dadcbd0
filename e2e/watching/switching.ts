import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

// Plays a video whose frames contain their number, changes its quality, and records each frame that is shown.

/** A displayed frame: its media time in seconds, and the numbers whose bits are the white columns of its upper and lower half. */
interface ShownFrame {
  readonly time: number;
  readonly upper: number;
  readonly lower: number;
  readonly height: number;
}

interface SwitchResult {
  readonly frames: readonly ShownFrame[];
  readonly errors: readonly string[];
  /** Number of buffered ranges. */
  readonly ranges: number;
  readonly ended: boolean;
}

interface Quality {
  readonly height: number | null;
}

interface WatchState {
  readonly frames: ShownFrame[];
  readonly errors: string[];
  /** Switches to the quality with this height, effective after the segments that are being loaded. */
  chooseQuality(height: number): void;
}

interface HlsError {
  readonly details: string;
  /** Number of times that the segment was appended without effect. */
  readonly appendsWithoutProgress?: number;
}

interface HlsJs {
  readonly levels: readonly Quality[];
  nextLevel: number;
  on(event: 'hlsError', listen: (name: string, data: HlsError) => void): void;
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
  watchState: WatchState;
}

export const players = ['hls.js', 'Shaka'] as const;
export type PlayerName = (typeof players)[number];

const scripts = { 'hls.js': 'hls.js/dist/hls.min.js', Shaka: 'shaka-player/dist/shaka-player.compiled.js' };

interface CountedVideo {
  readonly url: string;
  /** Height of the initial quality. */
  readonly height: number;
  /** Number of columns in each frame, which are the bits of its number. */
  readonly bits: number;
}

/** Starts playback. The page must have a URL of the service, because only same-origin pages may read frames. */
export async function playCountedVideo(
  page: Page,
  name: PlayerName,
  countedVideo: CountedVideo,
): Promise<void> {
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve(scripts[name]) });
  await page.evaluate(watchFrames, countedVideo.bits);
  await page.evaluate(name === 'Shaka' ? playWithShaka : playWithHlsJs, countedVideo);
}

function watchFrames(bits: number): void {
  const video = document.querySelector('video');
  // Each column is drawn 8 px wide and 32 px high. Its lower half has the opposite color of the upper one.
  const [cell, rows] = [8, 32];
  const canvas = new OffscreenCanvas(bits * cell, rows).getContext('2d', { willReadFrequently: true });
  if (!video || !canvas) throw new Error('the page shows no video');
  const watchState: WatchState = { frames: [], errors: [], chooseQuality: () => undefined };
  (globalThis as unknown as Players).watchState = watchState;
  const recordFrame = () => {
    // VideoFrame has the time and the picture of the same frame, even if this callback runs late.
    const frame = new VideoFrame(video);
    canvas.drawImage(frame, 0, 0, bits * cell, rows);
    const { data } = canvas.getImageData(0, 0, bits * cell, rows);
    const isWhite = (bit: number, row: number) =>
      (data[4 * (row * bits * cell + (bit + 0.5) * cell)] ?? 0) > 128;
    const readRow = (row: number) =>
      Array.from({ length: bits }, (_, bit) => (isWhite(bit, row) ? 2 ** bit : 0)).reduce(
        (sum, column) => sum + column,
        0,
      );
    watchState.frames.push({
      time: frame.timestamp / 1e6,
      upper: readRow(rows / 4),
      lower: readRow((3 * rows) / 4),
      height: frame.displayHeight,
    });
    frame.close();
    video.requestVideoFrameCallback(recordFrame);
  };
  video.requestVideoFrameCallback(recordFrame);
  video.addEventListener('error', () => watchState.errors.push(video.error?.message ?? 'unknown'));
}

function playWithHlsJs({ url, height }: CountedVideo): void {
  const { Hls, watchState } = globalThis as unknown as Players;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  // A short buffer, so that each change is visible soon.
  const player = new Hls({ maxBufferLength: 6, maxMaxBufferLength: 6 });
  player.on('hlsError', (_name, { details, appendsWithoutProgress }) => {
    // Video with B-frames shows its first frame slightly later than it decodes it.
    const atStart = details === 'bufferSeekOverHole' && video.currentTime < 1;
    // A segment that is replaced during playback adds nothing to the buffer, and its audio ends before its video: by 80 ms with
    // B-frames, while hls.js tolerates 50 ms. hls.js gives up a segment after three attempts.
    const isReplaced = details === 'bufferAppendNoProgress' && appendsWithoutProgress === 1;
    // Slowness of a busy machine is not an error of the media.
    const isSlow = /bufferStalled|bufferNudge|Timeout/.test(details);
    if (!atStart && !isReplaced && !isSlow) watchState.errors.push(details);
  });
  watchState.chooseQuality = (newHeight) =>
    void (player.nextLevel = player.levels.findIndex((level) => level.height === newHeight));
  player.on('hlsManifestParsed', () => {
    watchState.chooseQuality(height);
    void video.play();
  });
  player.loadSource(url);
  player.attachMedia(video);
}

async function playWithShaka({ url, height }: CountedVideo): Promise<void> {
  const { shaka, watchState } = globalThis as unknown as Players;
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const player = new shaka.Player();
  player.addEventListener('error', ({ detail }) => watchState.errors.push(`error ${detail.code}`));
  player.configure('abr.enabled', false);
  player.configure('streaming.bufferingGoal', 6);
  watchState.chooseQuality = (newHeight) => {
    const track = player.getVariantTracks().find((candidate) => candidate.height === newHeight);
    if (track) player.selectVariantTrack(track, false);
    else watchState.errors.push(`there is no quality with a height of ${newHeight} px`);
  };
  await player.attach(video);
  await player.load(url);
  watchState.chooseQuality(height);
  void video.play();
}

export const chooseQuality = (page: Page, height: number): Promise<void> =>
  page.evaluate(
    (newHeight) => (globalThis as unknown as Players).watchState.chooseQuality(newHeight),
    height,
  );

/** Waits until the newest recorded frame has the given height. */
export async function waitForHeight(page: Page, height: number): Promise<void> {
  await page.waitForFunction(
    (expectedHeight) =>
      (globalThis as unknown as Players).watchState.frames.at(-1)?.height === expectedHeight,
    height,
    { timeout: 120_000 },
  );
}

export const readSwitchResult = (page: Page): Promise<SwitchResult> =>
  page.evaluate(() => {
    const { frames, errors } = (globalThis as unknown as Players).watchState;
    const { buffered, ended } = document.querySelector('video') ?? new Audio();
    return { frames, errors, ranges: buffered.length, ended };
  });
