import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { recordingsOf } from '../media/testing/recordings';
import { endWindow, hlsUrl, Owner, rtmpUrl, statusOf, until } from '../media/testing/service';
import { longestStall, playWithHlsJs, playWithShaka, readStats, timeOf, watchStalls } from './in-page';
import { filmOf, RawEncoder, type Film, type Trouble } from './raw-encoder';

/** Typical encoder errors in six players during the live stream, and in the recording. */

const run = promisify(execFile);
/** Every error happens before this media time in seconds. */
const goodUntil = 24;
/** Longest accepted stall: the longest segment that rounds to a target duration of 2 s. */
const segmentMs = 2_400;
let owner: Owner;
let film: Film;
let upright: Film;

test.beforeAll(async () => {
  owner = await Owner.create();
  film = await filmOf('640x360');
  upright = await filmOf('360x640');
});

const hourMs = 3_600_000;
/** The FLV tag with which an encoder announces HE-AAC of 48 kHz and two channels. */
const heAac = 'af002b118800';

/** The same frame with the largest composition time that FLV can carry. */
function withLargestCompositionTime(body: Buffer): Buffer {
  const later = Buffer.from(body);
  later.writeIntBE(2 ** 23 - 1, 2, 3);
  return later;
}

let counts = { audio: 0, video: 0 };
const nth = (kind: 'audio' | 'video') => (counts[kind] += 1);

/** Replaces the video with that of the other film from one time to another, with or without its sequence header. */
const withRotation = (withConfig: boolean): Trouble => {
  const otherFrames = () => upright.frames.filter(({ kind }) => kind === 'video');
  let index = 0;
  return (tag) => {
    if (tag.kind !== 'video' || tag.config) return tag;
    const frame = otherFrames()[index++ % otherFrames().length];
    if (!frame || tag.ts < 8_000 || tag.ts >= 16_000) {
      const [config] = film.configs.filter(({ kind }) => kind === 'video');
      return tag.key && config && withConfig ? [{ ...config, ts: tag.ts, at: tag.at }, tag] : tag;
    }
    const [config] = upright.configs.filter(({ kind }) => kind === 'video');
    const rotatedTag = { ...tag, body: frame.body, key: frame.key };
    return rotatedTag.key && config && withConfig
      ? [{ ...config, ts: tag.ts, at: tag.at }, rotatedTag]
      : rotatedTag;
  };
};

const troubles: readonly (readonly [string, Trouble])[] = [
  ['audio starts 1.6 s late', (tag) => (tag.kind === 'audio' && tag.at < 1_600 && !tag.config ? null : tag)],
  ['audio ends', (tag) => (tag.kind === 'audio' && tag.at >= 10_000 ? null : tag)],
  [
    'audio is missing for 8 s',
    (tag) => (tag.kind === 'audio' && tag.at >= 6_000 && tag.at < 14_000 ? null : tag),
  ],
  [
    'video is missing for 6 s',
    (tag) => (tag.kind === 'video' && tag.at >= 8_000 && tag.at < 14_000 ? null : tag),
  ],
  [
    'video timestamps are an hour ahead',
    (tag) => (tag.kind === 'video' ? { ...tag, ts: tag.ts + hourMs } : tag),
  ],
  [
    'audio timestamps are 15 s ahead',
    (tag) => (tag.kind === 'audio' ? { ...tag, ts: tag.ts + 15_000 } : tag),
  ],
  [
    'one audio timestamp is 8 s ahead',
    (tag) => (tag.kind === 'audio' && nth('audio') === 400 ? { ...tag, ts: tag.ts + 8_000 } : tag),
  ],
  [
    'every 60th video timestamp is far ahead',
    (tag) => (tag.kind === 'video' && nth('video') % 60 === 0 ? { ...tag, ts: tag.ts + 9_800_000 } : tag),
  ],
  [
    'every 60th video timestamp is 9 s behind',
    (tag) =>
      tag.kind === 'video' && nth('video') % 60 === 0 ? { ...tag, ts: Math.max(0, tag.ts - 9_000) } : tag,
  ],
  [
    'audio timestamps restart at zero',
    (tag) => (tag.kind === 'audio' && tag.at >= 10_000 ? { ...tag, ts: tag.ts - 10_000 } : tag),
  ],
  ['all timestamps restart at zero', (tag) => (tag.at >= 10_000 ? { ...tag, ts: tag.ts - 10_000 } : tag)],
  ['timestamps pass 2^24 ms (4 h 39 min)', (tag) => ({ ...tag, ts: tag.ts + 2 ** 24 - 10_000 })],
  [
    'audio is sent 950 ms late',
    (tag) => (tag.kind === 'audio' && !tag.config ? { ...tag, at: tag.at + 950 } : tag),
  ],
  [
    'audio is sent 10 s late',
    (tag) => (tag.kind === 'audio' && !tag.config ? { ...tag, at: tag.at + 10_000 } : tag),
  ],
  [
    'the audio clock stops for 5 s',
    (tag) => {
      if (tag.kind === 'video' || tag.at < 8_000) return tag;
      return tag.at < 13_000 ? null : { ...tag, ts: tag.ts - 5_000 };
    },
  ],
  [
    'video starts 10 s after its configuration',
    (tag) => (tag.kind === 'video' && !tag.config && tag.at < 10_000 ? null : tag),
  ],
  ['all timestamps are zero', (tag) => ({ ...tag, ts: 0 })],
  ['timestamps pass 2^32 ms', (tag) => ({ ...tag, ts: (tag.ts + 2 ** 32 - 10_000) % 2 ** 32 })],
  [
    'AAC-LC is announced as HE-AAC',
    (tag) => (tag.kind === 'audio' && tag.config ? { ...tag, body: Buffer.from(heAac, 'hex') } : tag),
  ],
  [
    'composition times are two hours ahead',
    (tag) =>
      tag.kind === 'video' && !tag.config ? { ...tag, body: withLargestCompositionTime(tag.body) } : tag,
  ],
  ['audio has no configuration', (tag) => (tag.kind === 'audio' && tag.config ? null : tag)],
  ['video rotates with a new configuration', withRotation(true)],
];

/** A player of a stream, and the errors of hls.js. */
interface Watcher {
  readonly name: string;
  readonly page: Page;
  readonly isHlsJs: boolean;
}

/** Our watch page, and pages of other sites: hls.js in its variants, and Shaka Player. */
async function watchersOf(browser: Browser, playbackId: string, baseURL: string): Promise<Watcher[]> {
  const url = hlsUrl(playbackId);
  const [fast, plain] = [{ lowLatencyMode: true }, { lowLatencyMode: false }];
  const hlsJs: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
    ['hls.js', (page) => playWithHlsJs(page, url, fast)],
    ['hls.js light', (page) => playWithHlsJs(page, url, fast, 'light')],
    ['hls.js without low latency', (page) => playWithHlsJs(page, url, plain)],
    ['hls.js of DVR', (page) => playWithHlsJs(page, `${url}?dvr=1`, plain)],
  ];
  const otherPlayers: typeof hlsJs = [
    ['Shaka Player', (page) => playWithShaka(page, url)],
    [
      'the watch page',
      async (page) => {
        await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
      },
    ],
  ];
  const watchers: Watcher[] = [];
  for (const [name, play] of [...hlsJs, ...otherPlayers]) {
    const page = await browser.newPage();
    await play(page);
    await watchStalls(page);
    watchers.push({ name, page, isHlsJs: hlsJs.some(([each]) => each === name) });
  }
  return watchers;
}

/** Errors of ffmpeg when it decodes the whole input. */
async function complaints(input: string): Promise<string> {
  // After a frozen frame, frames are a millisecond apart.
  const times = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];
  const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', input, ...times, '-f', 'null', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stderr;
}

async function lengthsOf(input: string): Promise<number[]> {
  const entries = ['-show_entries', 'stream=duration,start_time', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, input]);
  const { streams } = JSON.parse(stdout) as { streams: { duration: string; start_time: string }[] };
  return streams.map(({ duration, start_time }) => Number(duration) + Number(start_time));
}

for (const [name, trouble] of troubles)
  test(`if ${name}, players continue and the recording is complete`, async ({ browser, baseURL }) => {
    counts = { audio: 0, video: 0 };
    const { id, streamKey, playbackId } = await owner.newStream({ record: true, dvrSeconds: 300 });
    const { port } = new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:'));
    const encoder = await RawEncoder.start(Number(port), streamKey, film, trouble);
    let watchers: Watcher[] = [];
    const stalls: Record<string, number> = {};
    try {
      await until(async () => (await statusOf(hlsUrl(playbackId))) === 200);
      // DVR starts with the stored segments.
      await recordingsOf(owner).recorded({ id }, 2);
      watchers = await watchersOf(browser, playbackId, baseURL ?? '');
      for (const { name: player, page, isHlsJs } of watchers) {
        await expect
          .poll(() => timeOf(page), { intervals: [500], message: player })
          .toBeGreaterThan(goodUntil);
        if (isHlsJs) expect((await readStats(page)).fatal, player).toEqual([]);
        await expect(page).not.toHaveTitle(/error/);
        stalls[player] = await longestStall(page);
      }
    } finally {
      await encoder.stop();
      await Promise.all(watchers.map(({ page }) => page.close()));
    }
    const still = Object.entries(stalls).map(([player, ms]) => `${player} ${ms} ms`);
    test.info().annotations.push({ type: name, description: `players stood still: ${still.join(', ')}` });
    for (const [player, ms] of Object.entries(stalls)) expect.soft(ms, player).toBeLessThan(segmentMs);
    await owner.untilActive(id, false);
    await endWindow(id);
    const { mp4Url = '', recordingUrl = '' } = await recordingsOf(owner).untilReady({ id });
    const [videoSeconds = 0, audioSeconds = 0] = await lengthsOf(mp4Url);
    test.info().annotations.push({
      type: name,
      description: `MP4: video ${videoSeconds} s, audio ${audioSeconds} s`,
    });
    expect(videoSeconds).toBeGreaterThan(goodUntil);
    // Audio that is sent later than its video ends earlier.
    expect(Math.abs(videoSeconds - audioSeconds)).toBeLessThan(1.2);
    expect(await complaints(mp4Url)).toBe('');
    expect(await complaints(recordingUrl)).toBe('');
  });

test('if video starts 10 s after audio, our player shows it', async ({ page, baseURL }) => {
  const { streamKey, playbackId } = await owner.newStream();
  const { port } = new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:'));
  const trouble: Trouble = (tag) => {
    if (tag.kind === 'audio') return tag;
    if (tag.config) return { ...tag, ts: 10_000, at: 10_000 };
    return tag.at < 10_000 ? null : tag;
  };
  const encoder = await RawEncoder.start(Number(port), streamKey, film, trouble);
  try {
    await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0);
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0);
    const shownTime = await timeOf(page);
    await expect.poll(() => timeOf(page)).toBeGreaterThan(shownTime + 2);
  } finally {
    await encoder.stop();
  }
});
