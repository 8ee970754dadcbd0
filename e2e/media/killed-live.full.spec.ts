import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { beepArgs, frameNumberInputArgs, FRAME_NUMBER_BITS } from '@/media-worker/vod/testing/counted-video';
import { describePlayer, playOnOtherSite, watchFrames, readWatchState } from './testing/watched-frames';
import { setUpEncoders } from './testing/encoder';
import { runFfmpeg } from './testing/run-ffmpeg';
import { fetchEventNames, hlsUrl, ApiAccount, findRolePid, rtmpUrl, waitUntil } from './testing/service';

// Playback while the live process is killed and restarts, checked frame by frame. Each frame contains its number.

const folder = mkdtempSync(join(tmpdir(), 'killed-live-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const startEncoder = setUpEncoders();

const [fps, seconds, secondStartSeconds] = [25, 160, 100];

/** Creates a source of 160 s, and a second source for the encoder that reconnects, which has its last 60 s. */
async function makeSources(): Promise<readonly [first: string, second: string]> {
  const [firstSource, secondSource] = [join(folder, 'film.mp4'), join(folder, 'second.mp4')];
  const encodeArgs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '50',
    '-sc_threshold',
    '0',
    '-c:a',
    'aac',
  ];
  const input = [
    ...frameNumberInputArgs({ size: '320x180', fps, seconds }),
    ...beepArgs({ sampleRate: 48_000, seconds }),
  ];
  await runFfmpeg(...input, ...encodeArgs, firstSource);
  const cutArgs = ['-ss', `${secondStartSeconds}`, '-i', firstSource, '-c', 'copy'];
  await runFfmpeg(...cutArgs, secondSource);
  return [firstSource, secondSource];
}

const players = ['the watch page', 'hls.js', 'hls.js without low latency'] as const;

interface Viewer {
  readonly player: string;
  readonly page: Page;
}

/**
 * Waits until the last frame that each viewer has seen is after the frame `frameNumber`.
 * @throws Error with the state of each player after the timeout
 */
async function waitUntilAllHaveSeen(viewers: readonly Viewer[], frameNumber: number): Promise<void> {
  const hasSeen = async ({ page }: Viewer) =>
    ((await readWatchState(page)).frames.at(-1)?.number ?? 0) > frameNumber;
  try {
    await waitUntil(async () => (await Promise.all(viewers.map(hasSeen))).every(Boolean));
  } catch {
    const states = await Promise.all(
      viewers.map(async (viewer) => `${viewer.player}: ${await describePlayer(viewer.page)}`),
    );
    throw new Error(`not every viewer has seen a frame after ${frameNumber}:\n${states.join('\n')}`);
  }
}

test(
  'after a killed live process, viewers resume within 15 s of the next publish without repeated frames, and new viewers see no old frames',
  { tag: '@alone' },
  async ({ context, baseURL }) => {
    const [firstSource, secondSource] = await makeSources();
    const owner = await ApiAccount.create();
    const stream = await owner.createStream();
    const publish = (file: string) => startEncoder(file, rtmpUrl(stream.streamKey));
    const encoder = publish(firstSource);
    await owner.waitUntilActive(stream.id);
    const viewers = await Promise.all(
      players.map(async (player) => {
        const page = await context.newPage();
        if (player === 'the watch page') await page.goto(`${baseURL}/watch/${stream.playbackId}`);
        else {
          // A page without scripts, whose origin is not that of the media.
          await page.goto(`${baseURL}/robots.txt`);
          await playOnOtherSite(page, hlsUrl(stream.playbackId), player === 'hls.js');
        }
        await watchFrames(page, FRAME_NUMBER_BITS);
        return { player, page };
      }),
    );
    await waitUntilAllHaveSeen(viewers, 20 * fps);

    process.kill(findRolePid('live'), 'SIGKILL');
    await encoder.whenEnded();
    // Viewers who join before the encoder reconnects must not see frames of the killed process.
    const lateViewers = await Promise.all(
      [true, false].map(async (lowLatency) => {
        const page = await context.newPage();
        await page.goto(`${baseURL}/robots.txt`);
        const playlistResponse = page.waitForResponse(/\.m3u8/);
        await playOnOtherSite(page, hlsUrl(stream.playbackId), lowLatency);
        await watchFrames(page, FRAME_NUMBER_BITS);
        await playlistResponse;
        return { player: `hls.js with${lowLatency ? '' : 'out'} low latency, joining late`, page };
      }),
    );
    // The encoder retries until a server accepts the connection.
    let nextEncoder = publish(secondSource);
    await waitUntil(async () => {
      if (!nextEncoder.isRunning) nextEncoder = publish(secondSource);
      return (await fetchEventNames(stream.id)).length === 3;
    });
    const republishedAt = Date.now();
    const firstNewFrame = secondStartSeconds * fps;
    await waitUntilAllHaveSeen(viewers, firstNewFrame + 5 * fps);

    await waitUntilAllHaveSeen(lateViewers, firstNewFrame);
    for (const { page } of lateViewers) {
      const { frames } = await readWatchState(page);
      expect(frames.filter(({ number }) => number < firstNewFrame)).toEqual([]);
    }
    for (const { player, page } of viewers) {
      const { frames } = await readWatchState(page);
      const returnIndex = frames.findIndex((frame) => frame.number >= firstNewFrame);
      const waitedMs = (frames[returnIndex]?.shownAt ?? Infinity) - republishedAt;
      test.info().annotations.push({
        type: player,
        description: `new frames ${Math.round(waitedMs)} ms after the start of the second publish`,
      });
      const repeatedFrames = frames.filter(({ number }, index) => number < (frames[index - 1]?.number ?? 0));
      expect(repeatedFrames, player).toEqual([]);
      expect(waitedMs, player).toBeLessThan(15_000);
    }
  },
);
