import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { recordingsOf } from '../media/testing/recordings';
import { endWindow, hlsUrl, Owner, rtmpUrl, statusOf, until } from '../media/testing/service';
import { playWithHlsJs, playWithShaka, seenBy, timeOf } from './in-page';
import { filmOf, RawEncoder, type Film, type Trouble } from './raw-encoder';

/** What encoders get wrong, in three players while it is live, and in the recording. */

const run = promisify(execFile);
/** Everything that goes wrong has done so before this, in seconds of media. */
const goodUntil = 24;
let owner: Owner;
let film: Film;
let upright: Film;

test.beforeAll(async () => {
  owner = await Owner.create();
  film = await filmOf('640x360');
  upright = await filmOf('360x640');
});

const hourMs = 3_600_000;
/** The message with which an encoder announces HE-AAC of 48 kHz and two channels. */
const heAac = 'af002b118800';

/** The same picture with the largest composition time that FLV can carry. */
function shownLater(body: Buffer): Buffer {
  const later = Buffer.from(body);
  later.writeIntBE(2 ** 23 - 1, 2, 3);
  return later;
}

let counts = { audio: 0, video: 0 };
const nth = (kind: 'audio' | 'video') => (counts[kind] += 1);

/** The picture of the other film, with or without its configuration, from here to there. */
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
    const turnedTag = { ...tag, body: frame.body, key: frame.key };
    return turnedTag.key && config && withConfig
      ? [{ ...config, ts: tag.ts, at: tag.at }, turnedTag]
      : turnedTag;
  };
};

const troubles: readonly (readonly [string, Trouble])[] = [
  ['sound comes 1.6 s late', (tag) => (tag.kind === 'audio' && tag.at < 1_600 && !tag.config ? null : tag)],
  ['sound ends', (tag) => (tag.kind === 'audio' && tag.at >= 10_000 ? null : tag)],
  [
    'sound is away for 8 s',
    (tag) => (tag.kind === 'audio' && tag.at >= 6_000 && tag.at < 14_000 ? null : tag),
  ],
  [
    'the picture pauses for 6 s',
    (tag) => (tag.kind === 'video' && tag.at >= 8_000 && tag.at < 14_000 ? null : tag),
  ],
  [
    'stamps of the picture are an hour ahead',
    (tag) => (tag.kind === 'video' ? { ...tag, ts: tag.ts + hourMs } : tag),
  ],
  ['stamps of sound are 15 s ahead', (tag) => (tag.kind === 'audio' ? { ...tag, ts: tag.ts + 15_000 } : tag)],
  [
    'one stamp of sound is 8 s ahead',
    (tag) => (tag.kind === 'audio' && nth('audio') === 400 ? { ...tag, ts: tag.ts + 8_000 } : tag),
  ],
  [
    'every 60th stamp of the picture is far ahead',
    (tag) => (tag.kind === 'video' && nth('video') % 60 === 0 ? { ...tag, ts: tag.ts + 9_800_000 } : tag),
  ],
  [
    'every 60th stamp of the picture is 9 s behind',
    (tag) =>
      tag.kind === 'video' && nth('video') % 60 === 0 ? { ...tag, ts: Math.max(0, tag.ts - 9_000) } : tag,
  ],
  [
    'sound begins again at zero',
    (tag) => (tag.kind === 'audio' && tag.at >= 10_000 ? { ...tag, ts: tag.ts - 10_000 } : tag),
  ],
  ['all stamps begin again at zero', (tag) => (tag.at >= 10_000 ? { ...tag, ts: tag.ts - 10_000 } : tag)],
  ['stamps pass 4 h 39 min', (tag) => ({ ...tag, ts: tag.ts + 2 ** 24 - 10_000 })],
  [
    'sound is sent 950 ms late',
    (tag) => (tag.kind === 'audio' && !tag.config ? { ...tag, at: tag.at + 950 } : tag),
  ],
  [
    'sound is sent 10 s late',
    (tag) => (tag.kind === 'audio' && !tag.config ? { ...tag, at: tag.at + 10_000 } : tag),
  ],
  [
    'the clock of sound stands still for 5 s',
    (tag) => {
      if (tag.kind === 'video' || tag.at < 8_000) return tag;
      return tag.at < 13_000 ? null : { ...tag, ts: tag.ts - 5_000 };
    },
  ],
  [
    'the picture is configured, and comes 10 s later',
    (tag) => (tag.kind === 'video' && !tag.config && tag.at < 10_000 ? null : tag),
  ],
  ['no message has a stamp', (tag) => ({ ...tag, ts: 0 })],
  ['stamps pass 2^32 ms', (tag) => ({ ...tag, ts: (tag.ts + 2 ** 32 - 10_000) % 2 ** 32 })],
  [
    'AAC-LC is announced as HE-AAC',
    (tag) => (tag.kind === 'audio' && tag.config ? { ...tag, body: Buffer.from(heAac, 'hex') } : tag),
  ],
  [
    'pictures are to be shown two hours later',
    (tag) => (tag.kind === 'video' && !tag.config ? { ...tag, body: shownLater(tag.body) } : tag),
  ],
  ['the sound has no configuration', (tag) => (tag.kind === 'audio' && tag.config ? null : tag)],
  ['the picture turns, announced', withRotation(true)],
];

async function pageWith(browser: Browser, play: (page: Page) => Promise<void>): Promise<Page> {
  const page = await browser.newPage();
  await play(page);
  return page;
}

/** What ffmpeg complains about when it decodes all of it. */
async function complaints(input: string): Promise<string> {
  // A held picture begins again with frames a millisecond apart.
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
  test(`where ${name}, players go on and the recording is whole`, async ({ browser }) => {
    counts = { audio: 0, video: 0 };
    const { id, streamKey, playbackId } = await owner.newStream({ record: true });
    const { port } = new URL(rtmpUrl(streamKey).replace('rtmp:', 'http:'));
    const encoder = await RawEncoder.start(Number(port), streamKey, film, trouble);
    const url = hlsUrl(playbackId);
    const pages: Page[] = [];
    const stalls: number[] = [];
    try {
      await until(async () => (await statusOf(url)) === 200);
      // Shaka takes no playlist that has nothing but parts.
      await recordingsOf(owner).recorded({ id }, 2);
      pages.push(
        await pageWith(browser, (page) => playWithHlsJs(page, url, { lowLatencyMode: true })),
        await pageWith(browser, (page) => playWithHlsJs(page, url, { lowLatencyMode: true }, 'light')),
        await pageWith(browser, (page) => playWithShaka(page, url)),
      );
      for (const page of pages)
        await expect.poll(() => timeOf(page), { intervals: [500] }).toBeGreaterThan(goodUntil);
      for (const page of pages.slice(0, 2)) {
        const stats = await seenBy(page);
        expect(stats.fatal).toEqual([]);
        stalls.push(stats.stalls);
      }
      for (const page of pages.slice(2)) await expect(page).not.toHaveTitle(/error/);
    } finally {
      await encoder.stop();
      await Promise.all(pages.map((page) => page.close()));
    }
    await owner.untilActive(id, false);
    await endWindow(id);
    const { mp4Url = '', recordingUrl = '' } = await recordingsOf(owner).untilReady({ id });
    const [picture = 0, sound = 0] = await lengthsOf(mp4Url);
    test.info().annotations.push({
      type: name,
      description: `players stood still ${stalls.join(', ')} times; MP4: picture ${picture} s, sound ${sound} s`,
    });
    expect(picture).toBeGreaterThan(goodUntil);
    // Sound that is sent later than its picture ends before it.
    expect(Math.abs(picture - sound)).toBeLessThan(1.2);
    expect(await complaints(mp4Url)).toBe('');
    expect(await complaints(recordingUrl)).toBe('');
  });

test('where the picture comes 10 s after the sound, our player shows it', async ({ page, baseURL }) => {
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
