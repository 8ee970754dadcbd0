import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { vodLadder } from '@/lib/core/renditions/vod-ladder';
import { segmentPlan } from '../media-worker/media/ffmpeg/segment-args';
import { ensureChromium } from '../scripts/checks/chromium';
import { assetClient, type AssetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater, type Headwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { within, type Scope } from './lib/scope';
import { seekTo, type Seek } from './lib/seek-in-player';
import { waitFor } from './lib/network';
import { commandLine, cpuSeconds, endedChildrenSeconds, processTree } from './lib/process-tree';

/**
 * Renditions of an asset on demand: the first request of a segment compared with plain ffmpeg, a seek in a long file,
 * and many viewers of one segment.
 */

const run = promisify(execFile);
const bitrate = 5_000_000;
const hourBitrate = 1_000_000;
const fileSeconds = 120;
const hour = 3_600;
const readyMs = 900_000;
/** Segments are far enough apart that none is encoded ahead for an earlier request. */
const step = 4;
const viewers = 100;
const oneCore = { TRANSCODE_CORES: '1' };
const comparedNames = ['480p', '720p', '240p'];
/**
 * Nice value of the service's encoder: 10 of all processes that read users' files, plus 5 for renditions that viewers
 * wait for.
 */
const niceness = '15';

interface RequestResult {
  readonly seconds: number;
  readonly cpu: number;
  readonly encoded: boolean;
}

/** Request of a segment by asset, rendition and URI. */
type RequestOf = (asset: string, rendition: string, uri: string) => Promise<RequestResult>;

interface BenchContext extends Pick<BenchOptions, 'runs' | 'progress'> {
  readonly scope: Scope;
  readonly directory: string;
}

interface WatchResult {
  /** Process id of the jobs process. */
  readonly worker: number;
  /** URL of the asset's folder. */
  readonly base: string;
}

interface Installation {
  readonly service: Headwater;
  readonly client: AssetClient;
}

interface ListedRendition {
  readonly seconds: number;
  readonly uri: string;
}

async function segmentsOf(base: string): Promise<ListedRendition[]> {
  const playlist = await (await fetch(`${base}/source/index.m3u8`)).text();
  return [...playlist.matchAll(/#EXTINF:([\d.]+),\n(\S+)/g)].map(([, seconds, uri = '']) => ({
    seconds: Number(seconds),
    uri,
  }));
}

async function bytesOf(url: string): Promise<{ readonly body: Buffer; readonly encoded: boolean }> {
  const response = await fetch(url);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { body, encoded: response.headers.get('cache-control')?.includes('immutable') ?? false };
}

async function timeOf<T>(work: () => Promise<T>, cpu: () => number) {
  const [startedAt, cpuBefore] = [performance.now(), cpu()];
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1_000, cpu: cpu() - cpuBefore };
}

/** The same frames with the same settings and priority on one thread, by one plain ffmpeg that writes an MP4. */
async function encodePlainly(directory: string, source: Buffer, name: string): Promise<void> {
  const [input, output] = [join(directory, 'segment.mp4'), join(directory, 'plain.mp4')];
  await writeFile(input, source);
  const size = { width: 1_920, height: 1_080, fps: 30, hasAudio: true };
  const rendition = vodLadder({ ...size, bitrate }).find((candidate) => candidate.name === name);
  if (!rendition) throw new Error(`there is no ${name}`);
  const wholeRange = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const { outputs } = segmentPlan({ input, output, rendition, timescale: 15_360, ...wholeRange, threads: 1 });
  const options = outputs.flatMap((output) => output.options);
  const inputArgs = ['-v', 'error', '-nostdin', '-threads', '1', '-i', input];
  await run('nice', ['-n', niceness, 'ffmpeg', ...inputArgs, ...options, output]);
}

/** ffmpeg processes below another process, with `pattern` in their command line. */
const ffmpegBelow = (pid: number, pattern: RegExp): number[] =>
  processTree([pid]).filter(
    (descendant) => /^\S*ffmpeg /.test(commandLine(descendant)) && pattern.test(commandLine(descendant)),
  );

/**
 * Storyboards of an upload, and segments encoded ahead for an earlier viewer, must not compete with the measurement.
 */
async function untilIdle(worker: number): Promise<void> {
  let idle = 0;
  // A single idle check is not enough, because one encoder starts after another.
  const idleForTwoSeconds = () => {
    idle = ffmpegBelow(worker, /./).length === 0 ? idle + 1 : 0;
    return idle > 20 || undefined;
  };
  await waitFor('idle encoders', idleForTwoSeconds, { timeoutMs: 600_000, everyMs: 100 });
}

/** Counts the encoders of renditions that run below this process. */
function watchEncoders(worker: number): () => number {
  const seenPids = new Set<number>();
  const timer = setInterval(
    () => ffmpegBelow(worker, /stitchable=1/).forEach((pid) => seenPids.add(pid)),
    50,
  );
  return () => {
    clearInterval(timer);
    return seenPids.size;
  };
}

/**
 * Uploads a file.
 * @returns the URL of its folder, and the time from the first byte to ready
 */
async function uploadedAsset(service: Headwater, client: AssetClient, file: string, everyMs = 500) {
  const startedAt = performance.now();
  const id = await client.upload(file);
  await client.untilReady(id, readyMs, everyMs);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { base: `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}`, id, seconds };
}

/** The same upload with renditions on demand, and to a service without renditions; the two alternate. */
async function measureReady(
  { scope, directory, runs, progress }: BenchContext,
  { service, client }: Installation,
  file: string,
): Promise<string> {
  return within(scope, async (inner) => {
    const without = await startHeadwater(inner, directory, { ...oneCore, RENDITION_CACHE_BYTES: '0' });
    const otherClient = assetClient(without.baseUrl, await without.createKey('without'));
    const [on, off]: [number[], number[]] = [[], []];
    for (let n = 0; n < runs; n++) {
      progress(`ready, run ${n + 1} of ${runs}`);
      for (const [seconds, at, sender] of [
        [on, service, client],
        [off, without, otherClient],
      ] as const) {
        const asset = await uploadedAsset(at, sender, file, 20);
        seconds.push(asset.seconds);
        await sender.remove(asset.id);
      }
    }
    return (
      `An upload of the two minutes is ready after ${digits(median(on), 2)} s, ` +
      `with RENDITION_CACHE_BYTES=0 after ${digits(median(off), 2)} s: ${ratio(median(on), median(off))}.`
    );
  });
}

/** A table of the first requests of segments, and of plain ffmpeg. */
async function measureRequests(
  { directory, runs, progress }: BenchContext,
  { worker, base }: WatchResult,
  request: RequestOf,
): Promise<string> {
  const segments = await segmentsOf(base);
  const { body: init } = await bytesOf(`${base}/source/init.mp4`);
  const rows: string[][] = [];
  const loads: number[] = [];
  for (const rendition of comparedNames) {
    const [first, again, plain]: [RequestResult[], RequestResult[], number[]] = [[], [], []];
    const lasting: number[] = [];
    let plainCpu = 0;
    for (let n = 0; n < runs; n++) {
      const segment = segments[n * step];
      if (!segment) throw new Error(`the file has only ${segments.length} segments`);
      progress(`${rendition}, run ${n + 1} of ${runs}`);
      await untilIdle(worker);
      loads.push(loadavg()[0] ?? 0);
      first.push(await request(base, rendition, segment.uri));
      again.push(await request(base, rendition, segment.uri));
      lasting.push(segment.seconds);
      await untilIdle(worker);
      const { body } = await bytesOf(`${base}/source/${segment.uri}`);
      const encode = () => encodePlainly(directory, Buffer.concat([init, body]), rendition);
      const took = await timeOf(encode, endedChildrenSeconds);
      plain.push(took.seconds);
      plainCpu += took.cpu / runs;
    }
    const wall = median(first.map(({ seconds }) => seconds));
    rows.push([
      rendition,
      digits(wall / median(lasting), 2),
      digits(wall, 2),
      digits(median(plain), 2),
      ratio(wall, median(plain)),
      `${digits(median(first.map(({ cpu }) => cpu)), 2)} / ${digits(plainCpu, 2)}`,
      digits(median(again.map(({ seconds }) => seconds)) * 1_000, 1),
      `${first.filter(({ encoded: isEncoded }) => isEncoded).length} of ${runs}`,
    ]);
    progress(rows.at(-1)?.join(' | ') ?? '');
  }
  const head = [
    ...['rendition', 'of its duration', 'seconds, first request', 'seconds, plain ffmpeg', 'to ffmpeg'],
    ...['CPU seconds, ours / ffmpeg', 'ms, stored', 'encoded in time'],
  ];
  const loadTimes = loads.map((value) => digits(value, 1)).join(', ');
  return `${markdownTable(head, rows)}\n\nLoad of the machine while they were measured: ${loadTimes}.`;
}

/** Measures seeks on a service that may use all cores. */
async function measureSeeks({ scope, directory, runs, progress }: BenchContext): Promise<string> {
  const long = await makeLongClip(directory, { seconds: hour, bitrate: hourBitrate, fastStart: true });
  const executablePath = await ensureChromium(progress, new AbortController().signal);
  return within(scope, async (inner) => {
    const service = await startHeadwater(inner, directory);
    const client = assetClient(service.baseUrl, await service.createKey('seeks'));
    const { base } = await uploadedAsset(service, client, long);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    });
    inner.defer(() => browser.close());
    const seeks: Seek[] = [];
    for (let n = 0; n < runs; n++) {
      progress(`seek, run ${n + 1} of ${runs}`);
      const idle = () => untilIdle(service.pidOf('jobs'));
      await idle();
      const page = await browser.newPage();
      seeks.push(await seekTo(page, { master: `${base}/index.m3u8`, to: hour / 2 + n * 301 + 3, idle }));
      await page.close();
    }
    const times = seeks.map(({ seconds, lines }) => `${digits(seconds, 2)} s (${lines} lines)`).join(', ');
    return `Seeks in the file of an hour: ${times} until a picture is shown.`;
  });
}

async function measureViewers(
  { progress }: BenchContext,
  { worker, base }: WatchResult,
  request: RequestOf,
): Promise<string> {
  progress(`${viewers} viewers`);
  const [last, ...ahead] = (await segmentsOf(base)).slice(-3);
  if (!last) throw new Error('the file has no segments');
  // After these requests, nothing is encoded ahead.
  for (const { uri } of ahead) await request(base, '480p', uri);
  await untilIdle(worker);
  const encoders = watchEncoders(worker);
  const work = () => Promise.all(Array.from({ length: viewers }, () => request(base, '480p', last.uri)));
  const { result, seconds, cpu } = await timeOf(work, () => cpuSeconds([worker]));
  const encodersBefore = encoders();
  const encodedCount = result.filter(({ encoded: isEncoded }) => isEncoded).length;
  return (
    `${viewers} viewers of one segment in 480p: ${encodersBefore} encoder, ${digits(cpu, 2)} CPU seconds, ` +
    `${encodedCount} of them got the encoded one, the last after ${digits(seconds, 2)} s.`
  );
}

export const renditions: Bench = {
  title: 'Renditions of an asset on demand',
  explains:
    'An asset has two minutes of 1080p30 (5 Mbit/s) in segments of six seconds, and transcoding may use one core. A viewer ' +
    'requests a segment that was not requested before, and then the same one again. In turns with that, one plain ffmpeg ' +
    'encodes the frames of that segment with the same settings, priority and one thread. The CPU time is that of the jobs ' +
    'process and everything it starts until the answer. Then 100 viewers request one segment at the same ' +
    'time, and uploads with and without renditions alternate. At last, with all cores, hls.js in Chromium plays 480p of ' +
    'an hour of 1080p30 (1 Mbit/s) and seeks to uncached positions, around the middle. Goals: the first request of 480p ' +
    'takes at most 1.0 × the duration of the segment, a seek at most 2 s, one encoder runs for 100 viewers, and an ' +
    'upload is ready as soon as without renditions.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, { runs, progress }) {
    const benchContext = { scope, directory, runs, progress };
    progress('the files');
    const short = await makeLongClip(directory, { seconds: fileSeconds, bitrate, fastStart: true });
    const service = await startHeadwater(scope, directory, oneCore);
    const client = assetClient(service.baseUrl, await service.createKey('renditions'));
    progress('uploads');
    const { base } = await uploadedAsset(service, client, short);
    const worker = service.pidOf('jobs');
    const request: RequestOf = async (asset, rendition, uri) => {
      const work = () => bytesOf(`${asset}/${rendition}/${uri}`);
      const { result, ...took } = await timeOf(work, () => cpuSeconds([worker]));
      return { ...took, encoded: result.encoded };
    };
    return [
      await measureRequests(benchContext, { worker, base }, request),
      await measureViewers(benchContext, { worker, base }, request),
      await measureReady(benchContext, { service, client }, short),
      await measureSeeks(benchContext),
    ].join('\n\n');
  },
};
