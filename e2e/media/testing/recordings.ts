import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Session } from '@/lib/contract/sessions/session';
import { sessionsOf, until, type Owner } from './service';

const run = promisify(execFile);
const hlsJs = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');

export interface Parent {
  readonly id: string;
}

/** Requests of an account for its recordings. */
export function recordingsOf(owner: Owner) {
  async function json<T>(path: string): Promise<T> {
    const response = await owner.request('GET', path);
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  async function onlySession(parent: Parent): Promise<Session> {
    const rows = await sessionsOf(parent.id);
    expect(rows).toHaveLength(1);
    return json<Session>(`/api/session/${rows[0]?.id}`);
  }

  const assetsOf = async (sessionId: string): Promise<Asset[]> =>
    (await json<Asset[]>('/api/asset')).filter(({ source: from }) => {
      return from.type === 'recording' && from.sessionId === sessionId;
    });

  /** Waits until the stream has counted at least this many segments. */
  const recordedCount = (parent: Parent, segments: number) =>
    until(async () => (await owner.stream(parent.id)).sourceSegments >= segments);

  /** Number of segments of the stream so far; -1 while the database is unavailable. */
  const countedSegments = (parent: Parent): Promise<number> =>
    owner.stream(parent.id).then(
      ({ sourceSegments }) => sourceSegments,
      () => -1,
    );

  async function untilReady(parent: Parent): Promise<Session> {
    await until(async () => (await onlySession(parent)).recordingStatus !== 'waiting');
    const session = await onlySession(parent);
    expect(session).toMatchObject({ recordingStatus: 'ready', isActive: false });
    expect(session).not.toHaveProperty('recordingError');
    return session;
  }

  return { onlySession, assetsOf, recorded: recordedCount, counted: countedSegments, untilReady };
}

/** Checksums of the decoded frames in display order. */
export async function frameHashesOf(input: string): Promise<string[]> {
  const args = [
    '-v',
    'error',
    '-i',
    input,
    '-map',
    '0:v',
    '-vf',
    'scale=160:-2',
    '-fps_mode',
    'passthrough',
    '-f',
    'framemd5',
    '-',
  ];
  const { stdout } = await run('ffmpeg', args, { maxBuffer: 64 * 1024 * 1024 });
  const rows = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return rows.map((row) => row.split(',').at(-1)?.trim() ?? '');
}

export async function timesOf(input: string, kind: 'v' | 'a'): Promise<number[]> {
  const args = ['-v', 'error', '-select_streams', kind, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', [...args, input], { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .toSorted((a, b) => a - b);
}

/** Number of frames of `recording` from index `at` on that match the first frames of `from`. */
export function follows(recording: readonly string[], at: number, from: readonly string[]): number {
  let length = 0;
  while (at + length < recording.length && recording[at + length] === from[length % from.length]) length++;
  return length;
}

/** Seconds between a frame and the nearest audio packet. */
export function audioOffsetFrom(audioTimes: readonly number[], videoAt: number): number {
  return Math.min(...audioTimes.map((time) => Math.abs(time - videoAt)));
}

/** Plays a recording in a new page, from its beginning and across a break. */
export async function playAcrossBreak(page: Page, url: string, breakAt: number): Promise<void> {
  // Another origin than that of the media, but a secure context: the browser enforces CORS.
  await page.goto('/api/healthz');
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: hlsJs });
  await page.evaluate(
    ([address, at]) => {
      const video = document.querySelector('video');
      const { Hls } = globalThis as unknown as {
        Hls: new () => { loadSource(url: string): void; attachMedia(video: HTMLVideoElement | null): void };
      };
      const hls = new Hls();
      hls.loadSource(address);
      hls.attachMedia(video);
      video?.addEventListener('loadeddata', () => (video.currentTime = Math.max(0, at - 1)), { once: true });
      void video?.play();
    },
    [url, breakAt] as const,
  );
  const video = page.locator('video');
  const time = () => video.evaluate((each: HTMLVideoElement) => each.currentTime);
  await expect.poll(time).toBeGreaterThan(breakAt + 1);
  const decodedFrames = () =>
    video.evaluate((each: HTMLVideoElement) => each.getVideoPlaybackQuality().totalVideoFrames);
  expect(await decodedFrames()).toBeGreaterThan(20);
}
