import { execFile } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assetClient, type AssetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { memoryMegabytes, ownMegabytes } from './lib/process-tree';
import type { Scope } from './lib/scope';

/** Time of one large upload until it is ready, compared with command-line tools; and memory with twenty concurrent uploads. */

const run = promisify(execFile);
const bitrate = 8_000_000;
const concurrentUploads = 20;
/** Each of the twenty files has this fraction of the large one. */
const smallFraction = 5;
const readyMs = 600_000;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** Seconds that command-line tools take for a copy, hashes, HLS and, if the index comes last, an MP4 with index first. */
async function withTools(directory: string, path: string, fastStart: boolean): Promise<number> {
  const folder = join(directory, 'tools');
  await mkdir(join(folder, 'hls'), { recursive: true });
  const ffmpeg = (...args: string[]) =>
    run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', path, '-c', 'copy', ...args]);
  const seconds = await timeOf(async () => {
    await run('cp', [path, join(folder, 'source.mp4')]);
    await run('md5sum', [path]);
    await run('sha256sum', [path]);
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
): Promise<{ receivedSeconds: number; ready: number }> {
  const startedAt = performance.now();
  const id = await client.upload(path);
  const receivedSeconds = (performance.now() - startedAt) / 1_000;
  await client.untilReady(id, readyMs);
  const ready = (performance.now() - startedAt) / 1_000;
  await client.remove(id);
  return { receivedSeconds, ready };
}

/** Peak memory growth in MB during `work`, of a process alone and with its child processes (ffprobe). */
async function growth(
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ ownBytes: number; allBytes: number }> {
  const sample = () => ({ own: ownMegabytes(pid), all: memoryMegabytes([pid]) });
  const memoryBefore = sample();
  const peak = { ...memoryBefore };
  const timer = setInterval(() => {
    const memoryNow = sample();
    peak.own = Math.max(peak.own, memoryNow.own);
    peak.all = Math.max(peak.all, memoryNow.all);
  }, 100);
  await work().finally(() => clearInterval(timer));
  return { ownBytes: peak.own - memoryBefore.own, allBytes: peak.all - memoryBefore.all };
}

async function measure(scope: Scope, directory: string, { megabytes, runs, progress }: BenchOptions) {
  const seconds = Math.round((megabytes * 8_000_000) / (bitrate + 128_000));
  const service = await startHeadwater(scope, directory, { MAX_UPLOAD_BYTES: String(50 * 1024 ** 3) });
  const client = assetClient(service.baseUrl, await service.createKey('uploads'));
  const rows: string[][] = [];
  for (const fastStart of [true, false]) {
    progress(`a file of ${megabytes} MB, index ${fastStart ? 'first' : 'last'}`);
    const path = await makeLongClip(directory, { seconds, bitrate, fastStart });
    const ffmpegTimes: number[] = [];
    const uploads: { receivedSeconds: number; ready: number }[] = [];
    for (let n = 0; n < runs; n++) {
      progress(`run ${n + 1} of ${runs}`);
      const [tools, asset] = [await withTools(directory, path, fastStart), await measureUpload(client, path)];
      progress(`tools ${digits(tools, 2)} s, ready after ${digits(asset.ready, 2)} s`);
      ffmpegTimes.push(tools);
      uploads.push(asset);
    }
    const ready = uploads.map((upload) => upload.ready);
    const { size } = await stat(path);
    rows.push([
      `${fastStart ? 'first' : 'last'} (${digits(size / 1e6, 0)} MB)`,
      ratio(median(ready), median(ffmpegTimes)),
      digits(median(ready), 2),
      digits(median(ffmpegTimes), 2),
      digits(median(uploads.map(({ receivedSeconds }) => receivedSeconds)), 2),
      `${ready.map((value) => digits(value, 2)).join(' · ')} / ${ffmpegTimes.map((value) => digits(value, 2)).join(' · ')}`,
    ]);
    await rm(path);
  }
  progress(`${concurrentUploads} concurrent uploads`);
  const small = await makeLongClip(directory, {
    seconds: Math.max(1, Math.round(seconds / smallFraction)),
    bitrate,
    fastStart: true,
  });
  const ids: string[] = [];
  const memoryGrowth = await growth(service.pidOf('origin'), async () => {
    ids.push(...(await Promise.all(Array.from({ length: concurrentUploads }, () => client.upload(small)))));
  });
  progress(`the origin process has grown by ${digits(memoryGrowth.ownBytes, 0)} MB`);
  for (const id of ids) await client.untilReady(id, readyMs);
  const megabytesEach = digits((await stat(small)).size / 1e6, 0);
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
    `${concurrentUploads} uploads of ${megabytesEach} MB at once: the memory of the origin process grows by at most ${digits(memoryGrowth.ownBytes, 0)} MB, with its child processes by ${digits(memoryGrowth.allBytes, 0)} MB.`,
  ].join('\n\n');
}

export const upload: Bench = {
  title: 'Upload until ready',
  explains:
    'A PUT sends one MP4 (1080p30, 8 Mbit/s) over loopback. The time runs until its asset is `ready`: it is stored and ' +
    'flushed to disk, has its md5 and sha256, is checked, and has HLS and a poster. In turns with that, the tools `cp`, ' +
    '`md5sum`, `sha256sum` and `ffmpeg -c copy` to HLS work on the same file, one after the other; for an index at the ' +
    'end, `ffmpeg -movflags +faststart` also writes an MP4. Goals: at most 1.3 × the time of the tools, and less than ' +
    '100 MB of growth with twenty uploads at once.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  run: measure,
};
