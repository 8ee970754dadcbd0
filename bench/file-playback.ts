import { readdir, stat } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../scripts/checks/chromium';
import { assetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { digits, markdownTable, median } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { waitFor } from './lib/network';
import { memoryMegabytes } from './lib/process-tree';
import type { Scope } from './lib/scope';
import { seekTo } from './lib/seek-in-player';

/** An uploaded film: disk usage, time until it plays, and cost of slow viewers. */

const hour = 3_600;
const bitrate = 2_000_000;
const readyMs = 900_000;
const slowReaders = 500;
/** Time in which each slow reader receives its first bytes, before it stops reading. */
const settleMs = 5_000;

/** Bytes below a folder; a file with several hard links counts once. */
async function bytesBelow(folder: string): Promise<number> {
  const sizesByInode = new Map<number, number>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const { ino, size } = await stat(join(entry.parentPath, entry.name));
    sizesByInode.set(ino, size);
  }
  return [...sizesByInode.values()].reduce((sum, size) => sum + size, 0);
}

/** Milliseconds to the first byte of a response. */
async function firstByte(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  const reader = response.body?.getReader();
  await reader?.read();
  const ms = performance.now() - startedAt;
  await reader?.cancel();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return ms;
}

/** Resolves when the response has begun; the rest is not read. */
function slowReader(url: URL): Promise<Socket> {
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

async function growthBySlowReaders(scope: Scope, urls: readonly string[], pid: number): Promise<number> {
  const before = memoryMegabytes([pid]);
  const sockets = await Promise.all(
    Array.from({ length: slowReaders }, (_, n) => slowReader(new URL(urls[n % urls.length] ?? ''))),
  );
  scope.defer(() => {
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  });
  let peakMegabytes = 0;
  const until = performance.now() + settleMs;
  const sample = (): true | undefined => {
    peakMegabytes = Math.max(peakMegabytes, memoryMegabytes([pid]) - before);
    return performance.now() > until ? true : undefined;
  };
  await waitFor('memory to settle', sample, { timeoutMs: 2 * settleMs });
  return peakMegabytes;
}

async function measure(scope: Scope, directory: string, { runs, progress }: BenchOptions): Promise<string> {
  progress('the film');
  const path = await makeLongClip(directory, { seconds: hour, bitrate, fastStart: true });
  const { size } = await stat(path);
  const service = await startHeadwater(scope, directory);
  const client = assetClient(service.baseUrl, await service.createKey('playback'));
  const id = await client.upload(path);
  await client.untilReady(id, readyMs);
  // Nothing else is stored, because the service is new.
  const stored = await bytesBelow(join(service.dataDir, 'storage'));
  const base = `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}`;
  const playlist = await (await fetch(`${base}/source/index.m3u8`)).text();
  const names = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
  const segment = (n: number) => `${base}/source/${names[Math.floor((names.length * n) / (4 * runs))] ?? ''}`;
  const firstBytes: number[] = [];
  for (let n = 1; n <= runs; n++) firstBytes.push(await firstByte(segment(n)));

  progress('seeks');
  const executablePath = await ensureChromium(progress, new AbortController().signal);
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  scope.defer(() => browser.close());
  const seeksIn = async (quality: number): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < runs; n++) {
      const page = await browser.newPage();
      const to = hour / 2 + n * 301 + 3 + quality;
      const idle = () => Promise.resolve();
      times.push((await seekTo(page, { master: `${base}/index.m3u8`, to, quality, idle })).seconds);
      await page.close();
    }
    return times;
  };
  const [source, rendition] = [await seeksIn(1_080), await seeksIn(480)];
  await browser.close();

  progress(`${slowReaders} slow readers`);
  const urls = [1, 2, 3, 4].map((n) => segment(2 * runs + n));
  const memoryGrowth = await growthBySlowReaders(scope, urls, service.pidOf('origin'));
  const times = (list: readonly number[]) => list.map((value) => digits(value, 2)).join(' · ');
  return markdownTable(
    ['what', 'median', 'each run', 'goal'],
    [
      ['stored bytes, to the file', `${digits(stored / size, 3)} ×`, '', '1.02 ×'],
      ['first byte of an uncached segment (ms)', digits(median(firstBytes), 1), times(firstBytes), ''],
      ['seek in the quality of the file (s)', digits(median(source), 2), times(source), '0.5'],
      ['uncached seek in 480p (s)', digits(median(rendition), 2), times(rendition), '2'],
      [`memory of the origin, ${slowReaders} slow readers (MB)`, `+${digits(memoryGrowth, 0)}`, '', ''],
    ],
  );
}

export const filePlayback: Bench = {
  title: 'Playback of an uploaded film',
  explains:
    'An hour of 1080p30 (2 Mbit/s) is uploaded as one MP4. The bench measures the bytes that the asset takes on the disk, the ' +
    'first byte of segments that were not requested before, seeks with hls.js in Chromium until a picture from there is shown, in ' +
    'the quality of the file and in 480p, whose segments are encoded for the seek, and the memory of the origin process while ' +
    `${slowReaders} viewers read the beginning of four segments and then nothing.`,
  defaults: { runs: 3, window: 1, warmUp: 1 },
  run: measure,
};
