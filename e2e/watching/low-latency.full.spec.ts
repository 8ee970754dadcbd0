import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, type Page } from '@playwright/test';
import { parse, setOptions, type types } from 'hls-parser';
import { probeStreams, createSourceFile, setUpEncoders } from '../media/testing/encoder';
import { hlsUrl, ApiAccount, rtmpUrl, fetchStatus, waitUntil } from '../media/testing/service';
import {
  waitForFirstFrame,
  loadHlsJs,
  playWithHlsJs,
  playWithShaka,
  readStats,
  startHlsJs,
  readCurrentTime,
  type PlaybackStats,
} from './play-in-page';

// Low-latency playback of live streams in hls.js and Shaka Player.

/** Seconds of playback that are checked. bench/glass-to-glass.ts measures latency and stalls over several minutes. */
const WATCHED_SECONDS = 45;
/** hls.js settings of the watch page. */
const watchPageSettings = { lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.1, backBufferLength: 30 };
let owner: ApiAccount;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  owner = await ApiAccount.create();
});

/**
 * Publishes a test source and waits until its playlist is available.
 * @param gop seconds between keyframes
 * @param query query of that playlist: with `?ll=1` it is available before the first segment is complete
 */
async function publish(gop: number, query = '') {
  const source = await createSourceFile({ size: '320x180', gop });
  const { id, streamKey, playbackId } = await owner.createStream();
  const encoder = startEncoder(source, rtmpUrl(streamKey));
  const masterUrl = hlsUrl(playbackId);
  await waitUntil(async () => (await fetchStatus(`${masterUrl}${query}`)) === 200);
  return { id, masterUrl, encoder };
}

/**
 * A wrong warning of the parser about old EXT-X-PART tags: it counts a hinted part as a segment. The rule is in
 * seconds, and `checkPlaylists` checks it.
 */
const knownWarning = /Remove EXT-X-PART tags/;

/**
 * Parses a media playlist with hls-parser in strict mode.
 * @throws Error if the playlist violates a rule, or is a master playlist
 */
function readPlaylist(text: string): types.MediaPlaylist {
  setOptions({ strictMode: true, silent: true });
  try {
    return expectMediaPlaylist(parse(text));
  } catch (error) {
    if (!knownWarning.test(String(error))) throw error;
  }
  setOptions({ strictMode: false });
  return expectMediaPlaylist(parse(text));
}

function expectMediaPlaylist(playlist: types.MasterPlaylist | types.MediaPlaylist): types.MediaPlaylist {
  if (playlist.isMasterPlaylist) throw new Error('The playlist is a master playlist');
  return playlist;
}

const segmentSeconds = (segment: types.Segment): number =>
  segment.uri ? segment.duration : segment.parts.reduce((sum, { duration = 0 }) => sum + duration, 0);

/** Checks durations and parts of every playlist, and that sequence numbers and target durations never decrease. */
function checkPlaylists(texts: readonly string[]): void {
  let previousPlaylist: types.MediaPlaylist | undefined;
  for (const text of texts) {
    const playlist = readPlaylist(text);
    const parts = playlist.segments.flatMap((segment) => segment.parts).filter(({ hint }) => !hint);
    for (const { duration = Infinity } of parts)
      expect(duration).toBeLessThanOrEqual(playlist.partTargetDuration ?? 0);
    for (const { uri, duration } of playlist.segments)
      if (uri) expect(Math.round(duration)).toBeLessThanOrEqual(playlist.targetDuration);
    let remaining = 0;
    for (const segment of playlist.segments.toReversed()) {
      remaining += segmentSeconds(segment);
      if (segment.uri && segment.parts.length > 0)
        expect(remaining).toBeLessThanOrEqual(3 * playlist.targetDuration + 0.01);
    }
    expect(playlist.lowLatencyCompatibility).toMatchObject({ canBlockReload: true });
    if (previousPlaylist) {
      expect(playlist.mediaSequenceBase).toBeGreaterThanOrEqual(previousPlaylist.mediaSequenceBase ?? 0);
      expect(playlist.targetDuration).toBeGreaterThanOrEqual(previousPlaylist.targetDuration);
    }
    previousPlaylist = playlist;
  }
}

const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Infinity;

/**
 * Waits until a page has played the given number of seconds.
 * @returns position, stalls and latencies of that time; the other fields cover the time since the page was opened
 */
async function readStatsAfter(page: Page, seconds: number): Promise<PlaybackStats> {
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

test('a low-latency player shows a stream before its first segment is complete', async ({
  page,
  context,
}) => {
  const standardLatencyPage = await context.newPage();
  await Promise.all([loadHlsJs(page), loadHlsJs(standardLatencyPage)]);
  // The encoder pauses within its first segment, which lasts ten seconds, until a slow machine has started a player.
  const { id, masterUrl, encoder } = await publish(10, '?ll=1');
  encoder.freeze();
  await startHlsJs(page, `${masterUrl}?ll=1`, { lowLatencyMode: true });
  await waitForFirstFrame(page);
  encoder.thaw();
  const { playlists, loadedUrls } = await readStats(page);
  expect(readPlaylist(playlists[0] ?? '').segments[0]).toMatchObject({ gap: true });
  expect(loadedUrls[0]).toMatch(/\d+\.0\.m4s$/);

  await waitUntil(async () => (await fetchStatus(masterUrl)) === 200);
  await startHlsJs(standardLatencyPage, masterUrl, { lowLatencyMode: false });
  const tracks = await probeStreams(masterUrl);
  expect(tracks.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264']);
  await owner.waitUntilActive(id);
  await waitForFirstFrame(standardLatencyPage);
  expect([...(await readStats(page)).fatal, ...(await readStats(standardLatencyPage)).fatal]).toEqual([]);
  checkPlaylists((await readStats(page)).playlists);
});

test('low-latency playback has no fatal error while a second player plays and after a network interruption, and its playlists keep the rules', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000);
  const { id, masterUrl } = await publish(2);
  await owner.waitUntilActive(id);
  // The player joins a stream that already has a few segments.
  await delay(6_000);
  await playWithHlsJs(page, masterUrl, watchPageSettings);
  await waitForFirstFrame(page);
  const otherPage = await browser.newPage();
  const watchedStats = readStatsAfter(page, WATCHED_SECONDS);

  await delay(10_000);
  await playWithShaka(otherPage, masterUrl);
  await waitForFirstFrame(otherPage);
  const startedAt = await readCurrentTime(otherPage);
  await expect.poll(() => readCurrentTime(otherPage), { timeout: 40_000 }).toBeGreaterThan(startedAt + 10);
  expect(await otherPage.title()).toBe('');
  await otherPage.close();

  const { latencies, stalls, fatal } = await watchedStats;
  const summary = `${percentile95(latencies).toFixed(2)} s behind at p95, ${stalls} stalls`;
  test.info().annotations.push({ type: 'seen', description: summary });
  expect(fatal).toEqual([]);

  await page.context().setOffline(true);
  await delay(2_000);
  await page.context().setOffline(false);
  await expect
    .poll(async () => (await readStats(page)).latencies.at(-1), { timeout: 60_000 })
    .toBeLessThan(4);
  const recoveredStats = await readStatsAfter(page, 5);
  expect(recoveredStats.fatal).toEqual([]);

  const { playlists } = recoveredStats;
  expect(playlists.length).toBeGreaterThan(WATCHED_SECONDS);
  checkPlaylists(playlists);
});
