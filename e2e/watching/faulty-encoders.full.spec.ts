import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { createRecordingChecks } from '../media/testing/recordings';
import {
  endReconnectWindow,
  hlsUrl,
  ApiAccount,
  rtmpUrl,
  fetchStatus,
  waitUntil,
} from '../media/testing/service';
import {
  readLongestStall,
  playWithHlsJs,
  playWithShaka,
  readStats,
  readCurrentTime,
  watchStalls,
} from './play-in-page';
import { encodeSource, RawEncoder, type FlvSource, type TagChange } from './raw-encoder';

// Streams of faulty encoders in six players, and their recordings.

const run = promisify(execFile);
/** Media time in seconds that every player must pass. Each fault begins before it. */
const WATCHED_SECONDS = 24;
/** Longest accepted stall: the longest segment that rounds to a target duration of 2 s. */
const MAX_STALL_MS = 2_400;
let owner: ApiAccount;
let source: FlvSource;
let portraitSource: FlvSource;

test.beforeAll(async () => {
  owner = await ApiAccount.create();
  source = await encodeSource('640x360');
  portraitSource = await encodeSource('360x640');
});

const HOUR_MS = 3_600_000;
/** Body of an FLV tag with an AudioSpecificConfig of HE-AAC, 48 kHz and two channels. */
const heAacConfigTag = 'af002b118800';

/** Copies a video tag with the largest composition time that FLV can carry. */
function withLargestCompositionTime(body: Buffer): Buffer {
  const changedBody = Buffer.from(body);
  changedBody.writeIntBE(2 ** 23 - 1, 2, 3);
  return changedBody;
}

/** Tags that the encoder of the current test has sent. */
let counts = { audio: 0, video: 0 };
const countTag = (kind: 'audio' | 'video') => (counts[kind] += 1);

/** Replaces the video between 8 and 16 s with that of the portrait source, with or without its sequence header. */
const withRotation = (withConfig: boolean): TagChange => {
  const portraitFrames = () => portraitSource.frames.filter(({ kind }) => kind === 'video');
  let index = 0;
  return (tag) => {
    if (tag.kind !== 'video' || tag.isConfig) return tag;
    const frame = portraitFrames()[index++ % portraitFrames().length];
    if (!frame || tag.timestampMs < 8_000 || tag.timestampMs >= 16_000) {
      const [config] = source.configs.filter(({ kind }) => kind === 'video');
      return tag.isKeyframe && config && withConfig
        ? [{ ...config, timestampMs: tag.timestampMs, sendTimeMs: tag.sendTimeMs }, tag]
        : tag;
    }
    const [config] = portraitSource.configs.filter(({ kind }) => kind === 'video');
    const rotatedTag = { ...tag, body: frame.body, isKeyframe: frame.isKeyframe };
    return rotatedTag.isKeyframe && config && withConfig
      ? [{ ...config, timestampMs: tag.timestampMs, sendTimeMs: tag.sendTimeMs }, rotatedTag]
      : rotatedTag;
  };
};

const tagChanges: readonly (readonly [string, TagChange])[] = [
  [
    'audio starts 1.6 s late',
    (tag) => (tag.kind === 'audio' && tag.sendTimeMs < 1_600 && !tag.isConfig ? null : tag),
  ],
  ['audio ends', (tag) => (tag.kind === 'audio' && tag.sendTimeMs >= 10_000 ? null : tag)],
  [
    'audio is missing for 8 s',
    (tag) => (tag.kind === 'audio' && tag.sendTimeMs >= 6_000 && tag.sendTimeMs < 14_000 ? null : tag),
  ],
  [
    'video is missing for 6 s',
    (tag) => (tag.kind === 'video' && tag.sendTimeMs >= 8_000 && tag.sendTimeMs < 14_000 ? null : tag),
  ],
  [
    'video timestamps are an hour ahead',
    (tag) => (tag.kind === 'video' ? { ...tag, timestampMs: tag.timestampMs + HOUR_MS } : tag),
  ],
  [
    'audio timestamps are 15 s ahead',
    (tag) => (tag.kind === 'audio' ? { ...tag, timestampMs: tag.timestampMs + 15_000 } : tag),
  ],
  [
    'one audio timestamp is 8 s ahead',
    (tag) =>
      tag.kind === 'audio' && countTag('audio') === 400
        ? { ...tag, timestampMs: tag.timestampMs + 8_000 }
        : tag,
  ],
  [
    'every 60th video timestamp is 9,800 s ahead',
    (tag) =>
      tag.kind === 'video' && countTag('video') % 60 === 0
        ? { ...tag, timestampMs: tag.timestampMs + 9_800_000 }
        : tag,
  ],
  [
    'every 60th video timestamp is 9 s behind',
    (tag) =>
      tag.kind === 'video' && countTag('video') % 60 === 0
        ? { ...tag, timestampMs: Math.max(0, tag.timestampMs - 9_000) }
        : tag,
  ],
  [
    'audio timestamps restart at zero',
    (tag) =>
      tag.kind === 'audio' && tag.sendTimeMs >= 10_000
        ? { ...tag, timestampMs: tag.timestampMs - 10_000 }
        : tag,
  ],
  [
    'all timestamps restart at zero',
    (tag) => (tag.sendTimeMs >= 10_000 ? { ...tag, timestampMs: tag.timestampMs - 10_000 } : tag),
  ],
  [
    'timestamps pass 2^24 ms (4 h 39 min)',
    (tag) => ({ ...tag, timestampMs: tag.timestampMs + 2 ** 24 - 10_000 }),
  ],
  [
    'audio is sent 950 ms late',
    (tag) => (tag.kind === 'audio' && !tag.isConfig ? { ...tag, sendTimeMs: tag.sendTimeMs + 950 } : tag),
  ],
  [
    'audio is sent 10 s late',
    (tag) => (tag.kind === 'audio' && !tag.isConfig ? { ...tag, sendTimeMs: tag.sendTimeMs + 10_000 } : tag),
  ],
  [
    'the audio clock stops for 5 s',
    (tag) => {
      if (tag.kind === 'video' || tag.sendTimeMs < 8_000) return tag;
      return tag.sendTimeMs < 13_000 ? null : { ...tag, timestampMs: tag.timestampMs - 5_000 };
    },
  ],
  [
    'video starts 10 s after its configuration',
    (tag) => (tag.kind === 'video' && !tag.isConfig && tag.sendTimeMs < 10_000 ? null : tag),
  ],
  ['all timestamps are zero', (tag) => ({ ...tag, timestampMs: 0 })],
  [
    'timestamps pass 2^32 ms',
    (tag) => ({ ...tag, timestampMs: (tag.timestampMs + 2 ** 32 - 10_000) % 2 ** 32 }),
  ],
  [
    'AAC-LC is announced as HE-AAC',
    (tag) =>
      tag.kind === 'audio' && tag.isConfig ? { ...tag, body: Buffer.from(heAacConfigTag, 'hex') } : tag,
  ],
  [
    'composition times are two hours ahead',
    (tag) =>
      tag.kind === 'video' && !tag.isConfig ? { ...tag, body: withLargestCompositionTime(tag.body) } : tag,
  ],
  ['audio has no configuration', (tag) => (tag.kind === 'audio' && tag.isConfig ? null : tag)],
  ['video rotates with a new configuration', withRotation(true)],
];

/** A page that plays a stream. */
interface Watcher {
  readonly name: string;
  readonly page: Page;
  readonly isHlsJs: boolean;
}

/** Opens the watch page, and pages with hls.js in four configurations and with Shaka Player. */
async function openWatchers(browser: Browser, playbackId: string, baseURL: string): Promise<Watcher[]> {
  const url = hlsUrl(playbackId);
  const [lowLatency, standardLatency] = [{ lowLatencyMode: true }, { lowLatencyMode: false }];
  const hlsJs: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
    ['hls.js', (page) => playWithHlsJs(page, url, lowLatency)],
    ['hls.js light', (page) => playWithHlsJs(page, url, lowLatency, 'light')],
    ['hls.js without low latency', (page) => playWithHlsJs(page, url, standardLatency)],
    ['hls.js with DVR', (page) => playWithHlsJs(page, `${url}?dvr=1`, standardLatency)],
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
    watchers.push({ name, page, isHlsJs: hlsJs.some(([playerName]) => playerName === name) });
  }
  return watchers;
}

/**
 * Decodes the whole input with ffmpeg.
 * @returns the errors that ffmpeg prints
 */
async function readDecoderErrors(input: string): Promise<string> {
  // After a frozen frame, frames are a millisecond apart. A coarser time base would give them equal times.
  const timestampArgs = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];
  const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', input, ...timestampArgs, '-f', 'null', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stderr;
}

/** Reads the times at which the tracks of a file end, in seconds. */
async function readTrackEnds(input: string): Promise<number[]> {
  const entries = ['-show_entries', 'stream=duration,start_time', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, input]);
  const { streams } = JSON.parse(stdout) as { streams: { duration: string; start_time: string }[] };
  return streams.map(({ duration, start_time }) => Number(duration) + Number(start_time));
}

for (const [name, changeTag] of tagChanges)
  test(`if ${name}, six players continue, and the recording has audio and video of equal length without errors`, async ({
    browser,
    baseURL,
  }) => {
    counts = { audio: 0, video: 0 };
    const { id, streamKey, playbackId } = await owner.createStream({ record: true, dvrSeconds: 300 });
    const { port } = new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:'));
    const encoder = await RawEncoder.start(Number(port), streamKey, source, changeTag);
    let watchers: Watcher[] = [];
    const stalls: Record<string, number> = {};
    try {
      await waitUntil(async () => (await fetchStatus(hlsUrl(playbackId))) === 200);
      // DVR starts with the stored segments.
      await createRecordingChecks(owner).waitForSourceSegments({ id }, 2);
      watchers = await openWatchers(browser, playbackId, baseURL ?? '');
      for (const { name: player, page, isHlsJs } of watchers) {
        await expect
          .poll(() => readCurrentTime(page), { intervals: [500], message: player })
          .toBeGreaterThan(WATCHED_SECONDS);
        if (isHlsJs) expect((await readStats(page)).fatal, player).toEqual([]);
        await expect(page).not.toHaveTitle(/error/);
        stalls[player] = await readLongestStall(page);
      }
    } finally {
      await encoder.stop();
      await Promise.all(watchers.map(({ page }) => page.close()));
    }
    const stallTexts = Object.entries(stalls).map(([player, ms]) => `${player} ${ms} ms`);
    test.info().annotations.push({ type: name, description: `longest stalls:  ${stallTexts.join(', ')}` });
    for (const [player, ms] of Object.entries(stalls)) expect.soft(ms, player).toBeLessThan(MAX_STALL_MS);
    await owner.waitUntilIdle(id);
    await endReconnectWindow(id);
    const { mp4Url = '', recordingUrl = '' } = await createRecordingChecks(owner).waitForReadyRecording({
      id,
    });
    const [videoSeconds = 0, audioSeconds = 0] = await readTrackEnds(mp4Url);
    test.info().annotations.push({
      type: name,
      description: `MP4: video ${videoSeconds} s, audio ${audioSeconds} s`,
    });
    expect(videoSeconds).toBeGreaterThan(WATCHED_SECONDS);
    // Audio that is sent later than its video ends earlier.
    expect(Math.abs(videoSeconds - audioSeconds)).toBeLessThan(1.2);
    expect(await readDecoderErrors(mp4Url)).toBe('');
    expect(await readDecoderErrors(recordingUrl)).toBe('');
  });

test('if video starts 10 s after audio, the watch page plays the audio and then shows the video', async ({
  page,
  baseURL,
}) => {
  const { streamKey, playbackId } = await owner.createStream();
  const { port } = new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:'));
  const changeTag: TagChange = (tag) => {
    if (tag.kind === 'audio') return tag;
    if (tag.isConfig) return { ...tag, timestampMs: 10_000, sendTimeMs: 10_000 };
    return tag.sendTimeMs < 10_000 ? null : tag;
  };
  const encoder = await RawEncoder.start(Number(port), streamKey, source, changeTag);
  try {
    await page.goto(new URL(`/watch/${playbackId}`, baseURL).href);
    await expect.poll(() => readCurrentTime(page)).toBeGreaterThan(0);
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0);
    const shownTime = await readCurrentTime(page);
    await expect.poll(() => readCurrentTime(page)).toBeGreaterThan(shownTime + 2);
  } finally {
    await encoder.stop();
  }
});
