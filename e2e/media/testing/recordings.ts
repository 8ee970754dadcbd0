import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Session } from '@/lib/contract/sessions/session';
import { fetchSessionRows, waitUntil, type ApiAccount } from './service';

const run = promisify(execFile);
const hlsJs = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');

export interface StreamReference {
  readonly id: string;
}

/** Creates functions that read and check recordings of an account. */
export function createRecordingChecks(owner: ApiAccount) {
  async function readJson<T>(path: string): Promise<T> {
    const response = await owner.request('GET', path);
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  /** Reads the session of a stream that has exactly one. Its id is from the database, because the stream can be live. */
  async function readSingleSession(stream: StreamReference): Promise<Session> {
    const rows = await fetchSessionRows(stream.id);
    expect(rows).toHaveLength(1);
    return readJson<Session>(`/api/session/${rows[0]?.id}`);
  }

  const listRecordingAssets = async (sessionId: string): Promise<Asset[]> =>
    (await readJson<Asset[]>('/api/asset')).filter(
      ({ source }) => source.type === 'recording' && source.sessionId === sessionId,
    );

  /** Waits until the stream has counted at least the given number of segments. */
  const waitForSourceSegments = (stream: StreamReference, segments: number) =>
    waitUntil(async () => (await owner.readStream(stream.id)).sourceSegments >= segments);

  /** Reads the number of counted segments of the stream, or -1 if the request fails. */
  const readSegmentCount = (stream: StreamReference): Promise<number> =>
    owner.readStream(stream.id).then(
      ({ sourceSegments }) => sourceSegments,
      () => -1,
    );

  /**
   * Waits until the recording of the single session of a stream is decided, and checks that it is ready.
   * @returns the session
   */
  async function waitForReadyRecording(stream: StreamReference): Promise<Session> {
    await waitUntil(async () => (await readSingleSession(stream)).recordingStatus !== 'waiting');
    const session = await readSingleSession(stream);
    expect(session).toMatchObject({ recordingStatus: 'ready', isActive: false });
    expect(session).not.toHaveProperty('recordingError');
    return session;
  }

  return {
    readSingleSession,
    listRecordingAssets,
    waitForSourceSegments,
    readSegmentCount,
    waitForReadyRecording,
  };
}

/**
 * Decodes the video of a file or URL. Frames are scaled to a width of 160 px, which is faster and still distinguishes them.
 * @returns checksums of its frames in display order
 */
export async function readFrameHashes(input: string): Promise<string[]> {
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

/** Presentation times of the video or audio packets of a file or URL, in seconds, in ascending order. */
export async function readPacketTimes(input: string, kind: 'v' | 'a'): Promise<number[]> {
  const args = ['-v', 'error', '-select_streams', kind, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', [...args, input], { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(Number.parseFloat)
    .toSorted((a, b) => a - b);
}

/** Length of the run of frames from `startIndex` that equals the looped source from its first frame. */
export function matchingRunLength(
  recording: readonly string[],
  startIndex: number,
  source: readonly string[],
): number {
  let length = 0;
  while (
    startIndex + length < recording.length &&
    recording[startIndex + length] === source[length % source.length]
  )
    length++;
  return length;
}

/** Seconds between the time of a frame and the nearest audio packet. */
export function distanceToAudio(audioTimes: readonly number[], videoAt: number): number {
  return Math.min(...audioTimes.map((audioAt) => Math.abs(audioAt - videoAt)));
}

/**
 * Plays a recording with hls.js from 1 s before a discontinuity until more than 1 s after it, and checks that more than 20
 * frames were decoded.
 * @param discontinuityAt position of the discontinuity, in seconds
 */
export async function playAcrossDiscontinuity(
  page: Page,
  url: string,
  discontinuityAt: number,
): Promise<void> {
  // The page has another origin than the media, so that the browser enforces CORS, and is a secure context.
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
    [url, discontinuityAt] as const,
  );
  const video = page.locator('video');
  const readTime = () => video.evaluate((videoElement: HTMLVideoElement) => videoElement.currentTime);
  await expect.poll(readTime).toBeGreaterThan(discontinuityAt + 1);
  const readDecodedFrames = () =>
    video.evaluate(
      (videoElement: HTMLVideoElement) => videoElement.getVideoPlaybackQuality().totalVideoFrames,
    );
  expect(await readDecodedFrames()).toBeGreaterThan(20);
}
