import { execFile } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAssetClient, type AssetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { memoryMegabytes, ownMemoryMegabytes } from './lib/process-tree';
import type { Scope } from './lib/scope';

/** Time of one large upload until its asset is ready, compared with command-line tools, and memory with twenty uploads. */

const execFileAsync = promisify(execFile);
const BITRATE = 8_000_000;
const CONCURRENT_UPLOADS = 20;
/** Each of the twenty files is a fifth of the size of the large file. */
const SMALL_FILE_DIVISOR = 5;
const READY_TIMEOUT_MS = 600_000;

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/**
 * Measures the seconds that command-line tools take for a copy, hashes, HLS and, if the index is at the end, an MP4 with the
 * index at the start.
 */
async function measureTools(directory: string, path: string, fastStart: boolean): Promise<number> {
  const folder = join(directory, 'tools');
  await mkdir(join(folder, 'hls'), { recursive: true });
  const ffmpeg = (...args: string[]) =>
    execFileAsync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', path, '-c', 'copy', ...args]);
  const seconds = await measureSeconds(async () => {
    await execFileAsync('cp', [path, join(folder, 'source.mp4')]);
    await execFileAsync('md5sum', [path]);
    await execFileAsync('sha256sum', [path]);
    await ffmpeg(
      ...['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_list_size', '0'],
      ...['-hls_segment_type', 'fmp4', join(folder, 'hls', 'index.m3u8')],
    );
    if (!fastStart) await ffmpeg('-movflags', '+faststart', join(folder, 'video.mp4'));
  });
  await rm(folder, { recursive: true, force: true });
  return seconds;
}

async function measureUpload(
  client: AssetClient,
  path: string,
): Promise<{ receivedSeconds: number; readySeconds: number }> {
  const startedAt = performance.now();
  const id = await client.upload(path);
  const receivedSeconds = (performance.now() - startedAt) / 1_000;
  await client.waitUntilReady(id, READY_TIMEOUT_MS);
  const readySeconds = (performance.now() - startedAt) / 1_000;
  await client.deleteAsset(id);
  return { receivedSeconds, readySeconds };
}

/** Measures the peak growth of memory in MB during `work`, of a process alone and with its child processes (ffprobe). */
async function measureMemoryGrowth(
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ ownMegabytesGrown: number; treeMegabytesGrown: number }> {
  const sampleMemory = () => ({ own: ownMemoryMegabytes(pid), all: memoryMegabytes([pid]) });
  const memoryBefore = sampleMemory();
  const peak = { ...memoryBefore };
  const timer = setInterval(() => {
    const memoryNow = sampleMemory();
    peak.own = Math.max(peak.own, memoryNow.own);
    peak.all = Math.max(peak.all, memoryNow.all);
  }, 100);
  await work().finally(() => clearInterval(timer));
  return { ownMegabytesGrown: peak.own - memoryBefore.own, treeMegabytesGrown: peak.all - memoryBefore.all };
}

async function measure(scope: Scope, directory: string, { megabytes, runs, progress }: BenchOptions) {
  const seconds = Math.round((megabytes * 8_000_000) / (BITRATE + 128_000));
  const service = await startHeadwater(scope, directory, { MAX_UPLOAD_BYTES: String(50 * 1024 ** 3) });
  const client = createAssetClient(service.baseUrl, await service.createApiKey('uploads'));
  const rows: string[][] = [];
  for (const fastStart of [true, false]) {
    progress(`a file of ${megabytes} MB, index ${fastStart ? 'first' : 'last'}`);
    const path = await makeLongClip(directory, { seconds, bitrate: BITRATE, fastStart });
    const toolTimes: number[] = [];
    const uploads: { receivedSeconds: number; readySeconds: number }[] = [];
    for (let n = 0; n < runs; n++) {
      progress(`run ${n + 1} of ${runs}`);
      const [toolSeconds, asset] = [
        await measureTools(directory, path, fastStart),
        await measureUpload(client, path),
      ];
      progress(
        `tools ${formatNumber(toolSeconds, 2)} s, ready after ${formatNumber(asset.readySeconds, 2)} s`,
      );
      toolTimes.push(toolSeconds);
      uploads.push(asset);
    }
    const readySeconds = uploads.map((measurement) => measurement.readySeconds);
    const { size } = await stat(path);
    rows.push([
      `${fastStart ? 'first' : 'last'} (${formatNumber(size / 1e6, 0)} MB)`,
      formatRatio(median(readySeconds), median(toolTimes)),
      formatNumber(median(readySeconds), 2),
      formatNumber(median(toolTimes), 2),
      formatNumber(median(uploads.map(({ receivedSeconds }) => receivedSeconds)), 2),
      `${readySeconds.map((value) => formatNumber(value, 2)).join(' · ')} / ${toolTimes.map((value) => formatNumber(value, 2)).join(' · ')}`,
    ]);
    await rm(path);
  }
  progress(`${CONCURRENT_UPLOADS} concurrent uploads`);
  const smallFile = await makeLongClip(directory, {
    seconds: Math.max(1, Math.round(seconds / SMALL_FILE_DIVISOR)),
    bitrate: BITRATE,
    fastStart: true,
  });
  const ids: string[] = [];
  const memoryGrowth = await measureMemoryGrowth(service.pidOf('origin'), async () => {
    ids.push(
      ...(await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, () => client.upload(smallFile)))),
    );
  });
  progress(`the origin process has grown by ${formatNumber(memoryGrowth.ownMegabytesGrown, 0)} MB`);
  for (const id of ids) await client.waitUntilReady(id, READY_TIMEOUT_MS);
  const megabytesEach = formatNumber((await stat(smallFile)).size / 1e6, 0);
  return [
    markdownTable(
      [
        'index of the MP4',
        'to the tools',
        'ready after (s), median',
        'tools (s), median',
        'uploaded after (s)',
        'each run, ours / tools',
      ],
      rows,
    ),
    `${CONCURRENT_UPLOADS} uploads of ${megabytesEach} MB at once: the memory of the origin process grows by at most ${formatNumber(memoryGrowth.ownMegabytesGrown, 0)} MB, with its child processes by ${formatNumber(memoryGrowth.treeMegabytesGrown, 0)} MB.`,
  ].join('\n\n');
}

export const upload: Bench = {
  title: 'Upload until ready',
  explanation:
    'A PUT sends one MP4 (1080p30, 8 Mbit/s) over loopback. The time runs until its asset is `ready`: it is stored and ' +
    'flushed to disk, has its md5 and sha256, is checked, and has HLS and a poster. In turns with that, the tools `cp`, ' +
    '`md5sum`, `sha256sum` and `ffmpeg -c copy` to HLS work on the same file, one after the other; for an index at the ' +
    'end, `ffmpeg -movflags +faststart` also writes an MP4. Goals: at most 1.3 × the time of the tools, and less than ' +
    '100 MB of growth with twenty uploads at once.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  run: measure,
};
