import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, type Page } from '@playwright/test';
import { parse, setOptions, type types } from 'hls-parser';
import { Encoder, probe, sourceFile } from '../media/testing/encoder';
import { hlsUrl, Owner, rtmpUrl, statusOf, until } from '../media/testing/service';
import {
  waitForFirstFrame,
  playWithHlsJs,
  playWithShaka,
  readStats,
  timeOf,
  type PlaybackStats,
} from './in-page';

/** Real players of real publishes. The tests mostly wait, so they run beside others. */

/** bench/glass-to-glass.ts measures latency and stalls over several minutes. */
const watchedSeconds = 45;
/** Settings of our own player. */
const ownPlayerSettings = { lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.1, backBufferLength: 30 };
let owner: Owner;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  owner = await Owner.create();
});
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

/** @param gop seconds between keyframes */
async function publish(gop: number): Promise<{ readonly id: string; readonly master: string }> {
  const source = await sourceFile({ size: '320x180', gop });
  const { id, streamKey, playbackId } = await owner.newStream();
  encoders.push(new Encoder(source, rtmpUrl(streamKey)));
  const master = hlsUrl(playbackId);
  await until(async () => (await statusOf(master)) === 200);
  return { id, master };
}

/**
 * The parser counts a hinted part as a segment, so it asks for EXT-X-PART tags to be removed too early. The rule is in
 * seconds, and checkPlaylists checks it.
 */
const knownWarning = /Remove EXT-X-PART tags/;

/** Parses with an independent parser. @throws Error if the playlist violates a rule */
function readPlaylist(text: string): types.MediaPlaylist {
  setOptions({ strictMode: true, silent: true });
  try {
    return media(parse(text));
  } catch (error) {
    if (!knownWarning.test(String(error))) throw error;
  }
  setOptions({ strictMode: false });
  return media(parse(text));
}

function media(playlist: types.MasterPlaylist | types.MediaPlaylist): types.MediaPlaylist {
  if (playlist.isMasterPlaylist) throw new Error('a media playlist was expected');
  return playlist;
}

const seconds = (segment: types.Segment): number =>
  segment.uri ? segment.duration : segment.parts.reduce((sum, { duration = 0 }) => sum + duration, 0);

/** Checks every playlist, and each pair of consecutive ones. */
function checkPlaylists(texts: readonly string[]): void {
  let before: types.MediaPlaylist | undefined;
  for (const text of texts) {
    const playlist = readPlaylist(text);
    const parts = playlist.segments.flatMap((segment) => segment.parts).filter(({ hint }) => !hint);
    for (const { duration = Infinity } of parts)
      expect(duration).toBeLessThanOrEqual(playlist.partTargetDuration ?? 0);
    for (const { uri, duration } of playlist.segments)
      if (uri) expect(Math.round(duration)).toBeLessThanOrEqual(playlist.targetDuration);
    let remaining = 0;
    for (const segment of playlist.segments.toReversed()) {
      remaining += seconds(segment);
      if (segment.uri && segment.parts.length > 0)
        expect(remaining).toBeLessThanOrEqual(3 * playlist.targetDuration + 0.01);
    }
    expect(playlist.lowLatencyCompatibility).toMatchObject({ canBlockReload: true });
    if (before) {
      expect(playlist.mediaSequenceBase).toBeGreaterThanOrEqual(before.mediaSequenceBase ?? 0);
      expect(playlist.targetDuration).toBeGreaterThanOrEqual(before.targetDuration);
    }
    before = playlist;
  }
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Infinity;

/** The statistics of a page after it has played this many more seconds. */
async function statsAfter(page: Page, seconds: number): Promise<PlaybackStats> {
  const before = await readStats(page);
  await expect
    .poll(async () => (await readStats(page)).time - before.time, { timeout: 180_000, intervals: [1_000] })
    .toBeGreaterThan(seconds);
  const after = await readStats(page);
  return {
    ...after,
    time: after.time - before.time,
    stalls: after.stalls - before.stalls,
    latencies: after.latencies.slice(before.latencies.length),
  };
}

test('a stream is on screen before its first segment is complete', async ({ page, context }) => {
  const { id, master } = await publish(5);
  const plain = await context.newPage();
  await Promise.all([
    playWithHlsJs(page, master, { lowLatencyMode: true }),
    playWithHlsJs(plain, master, { lowLatencyMode: false }),
  ]);
  await waitForFirstFrame(page);
  const { playlists, loadedUrls } = await readStats(page);
  expect(readPlaylist(playlists[0] ?? '').segments[0]).toMatchObject({ gap: true });
  expect(loadedUrls[0]).toMatch(/\d+\.0\.m4s$/);

  // The other players begin as soon as they can.
  const tracks = await probe(master);
  expect(tracks.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264']);
  await owner.untilActive(id, true);
  await waitForFirstFrame(plain);
  expect([...(await readStats(page)).fatal, ...(await readStats(plain)).fatal]).toEqual([]);
  checkPlaylists((await readStats(page)).playlists);
});

test('low-latency playback continues beside another player and across a network interruption', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000);
  const { id, master } = await publish(2);
  await owner.untilActive(id, true);
  await delay(6_000);
  await playWithHlsJs(page, master, ownPlayerSettings);
  await waitForFirstFrame(page);
  const otherPage = await browser.newPage();
  const watchedStats = statsAfter(page, watchedSeconds);

  await delay(10_000);
  await playWithShaka(otherPage, master);
  await waitForFirstFrame(otherPage);
  const startedAt = await timeOf(otherPage);
  await expect.poll(() => timeOf(otherPage), { timeout: 40_000 }).toBeGreaterThan(startedAt + 10);
  expect(await otherPage.title()).toBe('');
  await otherPage.close();

  const { latencies, stalls, fatal } = await watchedStats;
  const summary = `${p95(latencies).toFixed(2)} s behind at p95, ${stalls} stalls`;
  test.info().annotations.push({ type: 'seen', description: summary });
  expect(fatal).toEqual([]);

  await page.context().setOffline(true);
  await delay(2_000);
  await page.context().setOffline(false);
  await expect
    .poll(async () => (await readStats(page)).latencies.at(-1), { timeout: 60_000 })
    .toBeLessThan(4);
  const recoveredStats = await statsAfter(page, 5);
  expect(recoveredStats.fatal).toEqual([]);

  const { playlists } = recoveredStats;
  expect(playlists.length).toBeGreaterThan(watchedSeconds);
  checkPlaylists(playlists);
});
