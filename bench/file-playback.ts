import { readdir, stat } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../scripts/checks/chromium';
import { createAssetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { formatNumber, markdownTable, median } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { waitFor } from './lib/network';
import { memoryMegabytes } from './lib/process-tree';
import type { Scope } from './lib/scope';
import { seekTo } from './lib/seek-in-player';

/** Playback of an uploaded file of one hour: disk usage, latency of segments and seeks, and memory for slow viewers. */

const HOUR_SECONDS = 3_600;
const BITRATE = 2_000_000;
const READY_TIMEOUT_MS = 900_000;
const SLOW_READER_COUNT = 500;
/** Time for which memory is sampled after all slow readers have stopped reading. */
const SAMPLE_MS = 5_000;

/** Size of all files in a folder and its subfolders. A file with several hard links counts once. */
async function readFolderBytes(folder: string): Promise<number> {
  const sizesByInode = new Map<number, number>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const { ino, size: fileBytes } = await stat(join(entry.parentPath, entry.name));
    sizesByInode.set(ino, fileBytes);
  }
  return [...sizesByInode.values()].reduce((sum, fileBytes) => sum + fileBytes, 0);
}

/** Measures the milliseconds from a request to the first byte of its response. */
async function measureFirstByte(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const reader = response.body?.getReader();
  await reader?.read();
  const ms = performance.now() - startedAt;
  await reader?.cancel();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return ms;
}

/** Opens a connection that reads the start of a response and then nothing more. */
function openSlowReader(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', () => {
      socket.pause();
      resolve(socket);
    });
  });
}

/** Measures the peak growth of the memory of a process, in MB, while many connections do not read. */
async function measureMemoryGrowth(scope: Scope, urls: readonly string[], pid: number): Promise<number> {
  const megabytesBefore = memoryMegabytes([pid]);
  const sockets = await Promise.all(
    Array.from({ length: SLOW_READER_COUNT }, (_, n) => openSlowReader(new URL(urls[n % urls.length] ?? ''))),
  );
  scope.defer(() => {
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  });
  let peakMegabytes = 0;
  const endAtMs = performance.now() + SAMPLE_MS;
  const sample = (): true | undefined => {
    peakMegabytes = Math.max(peakMegabytes, memoryMegabytes([pid]) - megabytesBefore);
    return performance.now() > endAtMs ? true : undefined;
  };
  await waitFor('memory to settle', sample, { timeoutMs: 2 * SAMPLE_MS });
  return peakMegabytes;
}

async function measure(scope: Scope, directory: string, { runs, progress }: BenchOptions): Promise<string> {
  progress('creating the video file');
  const path = await makeLongClip(directory, { seconds: HOUR_SECONDS, bitrate: BITRATE, fastStart: true });
  const { size: fileBytes } = await stat(path);
  const service = await startHeadwater(scope, directory);
  const client = createAssetClient(service.baseUrl, await service.createApiKey('playback'));
  const id = await client.upload(path);
  await client.waitUntilReady(id, READY_TIMEOUT_MS);
  // Nothing else is stored, because the service is new.
  const storedBytes = await readFolderBytes(join(service.dataDir, 'storage'));
  const baseUrl = `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}`;
  const playlist = await (await fetch(`${baseUrl}/source/index.m3u8`)).text();
  const names = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
  const segmentUrl = (n: number) =>
    `${baseUrl}/source/${names[Math.floor((names.length * n) / (4 * runs))] ?? ''}`;
  const firstBytes: number[] = [];
  for (let n = 1; n <= runs; n++) firstBytes.push(await measureFirstByte(segmentUrl(n)));

  progress('seeks');
  const executablePath = await ensureChromium(progress, new AbortController().signal);
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  scope.defer(() => browser.close());
  const measureSeeks = async (quality: number): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < runs; n++) {
      const page = await browser.newPage();
      const position = HOUR_SECONDS / 2 + n * 301 + 3 + quality;
      // The positions are so far apart that none is in a segment that an earlier seek has cached.
      const noWait = () => Promise.resolve();
      times.push(
        (await seekTo(page, { masterUrl: `${baseUrl}/index.m3u8`, position, quality, waitUntilIdle: noWait }))
          .seconds,
      );
      await page.close();
    }
    return times;
  };
  const [sourceSeeks, renditionSeeks] = [await measureSeeks(1_080), await measureSeeks(480)];
  await browser.close();

  progress(`${SLOW_READER_COUNT} slow readers`);
  const urls = [1, 2, 3, 4].map((n) => segmentUrl(2 * runs + n));
  const memoryGrowth = await measureMemoryGrowth(scope, urls, service.pidOf('origin'));
  const formatTimes = (seconds: readonly number[]) =>
    seconds.map((value) => formatNumber(value, 2)).join(' · ');
  return markdownTable(
    ['what', 'median', 'each run', 'goal'],
    [
      ['stored bytes, to the file', `${formatNumber(storedBytes / fileBytes, 3)} ×`, '', '1.02 ×'],
      [
        'first byte of an uncached segment (ms)',
        formatNumber(median(firstBytes), 1),
        formatTimes(firstBytes),
        '',
      ],
      [
        'seek in the quality of the file (s)',
        formatNumber(median(sourceSeeks), 2),
        formatTimes(sourceSeeks),
        '0.5',
      ],
      [
        'uncached seek in 480p (s)',
        formatNumber(median(renditionSeeks), 2),
        formatTimes(renditionSeeks),
        '2',
      ],
      [
        `memory of the origin, ${SLOW_READER_COUNT} slow readers (MB)`,
        `+${formatNumber(memoryGrowth, 0)}`,
        '',
        '',
      ],
    ],
  );
}

export const filePlayback: Bench = {
  title: 'Playback of an uploaded file',
  explanation:
    'An hour of 1080p30 (2 Mbit/s) is uploaded as one MP4. The bench measures the bytes that the asset takes on the disk, the ' +
    'first byte of segments that were not requested before, seeks with hls.js in Chromium until a picture from there is shown, in ' +
    'the quality of the file and in 480p, whose segments are encoded for the seek, and the memory of the origin process while ' +
    `${SLOW_READER_COUNT} viewers read the beginning of four segments and then nothing.`,
  defaults: { runs: 3, window: 1, warmUp: 1 },
  run: measure,
};
