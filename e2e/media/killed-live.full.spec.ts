import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { beeps, counterArgs, countedBits } from '@/media-worker/vod/testing/counted-film';
import { playerState, playOnOtherSite, watchFrames, watchedOf } from './testing/watched-frames';
import { Encoder } from './testing/encoder';
import { eventsOf, hlsUrl, Owner, processOf, rtmpUrl, until } from './testing/service';

/** Players while the live process is killed, checked frame by frame: each frame contains its number. */

const folder = mkdtempSync(join(tmpdir(), 'killed-live-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const encoders: Encoder[] = [];
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

const [fps, seconds, secondPart] = [25, 160, 100];

/** The film, and the source of an encoder that reconnects later. No frame is in both. */
function films(): readonly [first: string, second: string] {
  const [film, second] = [join(folder, 'film.mp4'), join(folder, 'second.mp4')];
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
  const input = [...counterArgs({ size: '320x180', fps, seconds }), ...beeps({ rate: 48_000, seconds })];
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...input, ...encodeArgs, film]);
  const cutArgs = ['-ss', `${secondPart}`, '-i', film, '-c', 'copy'];
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...cutArgs, second]);
  return [film, second];
}

const players = ['the watch page', 'hls.js', 'hls.js without low latency'] as const;

interface Viewer {
  readonly player: string;
  readonly page: Page;
}

/** Resolves when each viewer has seen a frame after this one. @throws Error with the state of each player */
async function untilAllSee(viewers: readonly Viewer[], number: number): Promise<void> {
  const sees = async ({ page }: Viewer) => ((await watchedOf(page)).frames.at(-1)?.number ?? 0) > number;
  try {
    await until(async () => (await Promise.all(viewers.map(sees))).every(Boolean));
  } catch {
    const states = await Promise.all(
      viewers.map(async (viewer) => `${viewer.player}: ${await playerState(viewer.page)}`),
    );
    throw new Error(`not every viewer has seen frame ${number}:\n${states.join('\n')}`);
  }
}

test(
  'viewers of a killed live process resume playback, and none sees the end of the old process again or late',
  { tag: '@alone' },
  async ({ context, baseURL }) => {
    const [film, second] = films();
    const owner = await Owner.create();
    const stream = await owner.newStream();
    const publish = (file: string) => {
      const encoder = new Encoder(file, rtmpUrl(stream.streamKey));
      encoders.push(encoder);
      return encoder;
    };
    const encoder = publish(film);
    await owner.untilActive(stream.id, true);
    const pages = await Promise.all(
      players.map(async (player) => {
        const page = await context.newPage();
        if (player === 'the watch page') await page.goto(`${baseURL}/watch/${stream.playbackId}`);
        else {
          await page.goto(`${baseURL}/robots.txt`);
          await playOnOtherSite(page, hlsUrl(stream.playbackId), player === 'hls.js');
        }
        await watchFrames(page, countedBits);
        return { player, page };
      }),
    );
    await untilAllSee(pages, 20 * fps);

    process.kill(processOf('live'), 'SIGKILL');
    await encoder.whenEnded();
    // A viewer who joins now must not be shown frames of the previous process.
    const latecomers = await Promise.all(
      [true, false].map(async (lowLatency) => {
        const page = await context.newPage();
        await page.goto(`${baseURL}/robots.txt`);
        const playlistResponse = page.waitForResponse(/\.m3u8/);
        await playOnOtherSite(page, hlsUrl(stream.playbackId), lowLatency);
        await watchFrames(page, countedBits);
        await playlistResponse;
        return { player: `hls.js with${lowLatency ? '' : 'out'} low latency, joining late`, page };
      }),
    );
    // The encoder retries until a server accepts the connection.
    let again = publish(second);
    await until(async () => {
      if (!again.running) again = publish(second);
      return (await eventsOf(stream.id)).length === 3;
    });
    const restartedAt = Date.now();
    const firstNew = secondPart * fps;
    await untilAllSee(pages, firstNew + 5 * fps);

    await untilAllSee(latecomers, firstNew);
    for (const { page } of latecomers) {
      const { frames } = await watchedOf(page);
      expect(frames.filter(({ number }) => number < firstNew)).toEqual([]);
    }
    for (const { player, page } of pages) {
      const { frames } = await watchedOf(page);
      const returnIndex = frames.findIndex((frame) => frame.number >= firstNew);
      const waitedMs = (frames[returnIndex]?.at ?? Infinity) - restartedAt;
      test.info().annotations.push({
        type: player,
        description: `new frames ${Math.round(waitedMs)} ms after the start`,
      });
      const twice = frames.filter(({ number }, index) => number < (frames[index - 1]?.number ?? 0));
      expect(twice, player).toEqual([]);
      expect(waitedMs, player).toBeLessThan(15_000);
    }
  },
);
