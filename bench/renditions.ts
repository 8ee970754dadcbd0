import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { createVodLadder } from '@/lib/core/renditions/vod-ladder';
import { planSegment } from '../media-worker/media/ffmpeg/segment-args';
import { ensureChromium } from '../scripts/checks/chromium';
import { createAssetClient, type AssetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater, type Headwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { runInScope, type Scope } from './lib/scope';
import { seekTo, type SeekResult } from './lib/seek-in-player';
import { waitFor } from './lib/network';
import { commandLine, cpuSeconds, endedChildrenSeconds, processTree } from './lib/process-tree';

/**
 * Renditions of an asset on demand: the first request of a segment compared with plain ffmpeg, a seek in a long file,
 * and many viewers of one segment.
 */

const execFileAsync = promisify(execFile);
const BITRATE = 5_000_000;
const LONG_CLIP_BITRATE = 1_000_000;
const FILE_SECONDS = 120;
const HOUR_SECONDS = 3_600;
const READY_TIMEOUT_MS = 900_000;
/** Distance between requested segments. It is large enough that no requested segment is encoded ahead for an earlier request. */
const SEGMENT_STEP = 4;
const VIEWER_COUNT = 100;
const oneCore = { TRANSCODE_CORES: '1' };
const comparedNames = ['480p', '720p', '240p'];
/**
 * Nice value of the encoder of the service: 10 for all processes that read files of users, plus 5 for renditions that
 * viewers wait for.
 */
const niceness = '15';

/** Result of a request for a segment. */
interface RequestResult {
  readonly seconds: number;
  /** CPU time of the jobs process and its descendants. */
  readonly cpuSeconds: number;
  /** Whether the response is the encoded segment, not the source's segment in its place. */
  readonly isEncoded: boolean;
}

/** Requests a segment of a rendition. `asset` is the URL of the folder of the asset. */
type RequestSegment = (asset: string, rendition: string, uri: string) => Promise<RequestResult>;

interface BenchContext extends Pick<BenchOptions, 'runs' | 'progress'> {
  readonly scope: Scope;
  readonly directory: string;
}

/** An asset whose renditions are requested. */
interface MeasuredAsset {
  /** Process id of the jobs process, which encodes the renditions. */
  readonly jobsPid: number;
  /** URL of the folder of the asset. */
  readonly folderUrl: string;
}

interface RunningService {
  readonly service: Headwater;
  readonly client: AssetClient;
}

/** A segment of the source's playlist. */
interface ListedSegment {
  readonly seconds: number;
  readonly uri: string;
}

async function readSegments(folderUrl: string): Promise<ListedSegment[]> {
  const playlist = await (await fetch(`${folderUrl}/source/index.m3u8`)).text();
  return [...playlist.matchAll(/#EXTINF:([\d.]+),\n(\S+)/g)].map(([, seconds, uri = '']) => ({
    seconds: Number(seconds),
    uri,
  }));
}

async function fetchSegment(url: string): Promise<{ readonly body: Buffer; readonly isEncoded: boolean }> {
  const response = await fetch(url);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { body, isEncoded: response.headers.get('cache-control')?.includes('immutable') ?? false };
}

/** Measures how long `work` takes, and how much the CPU time that `readCpuSeconds` returns grows meanwhile. */
async function measureTime<T>(work: () => Promise<T>, readCpuSeconds: () => number) {
  const [startedAt, secondsBefore] = [performance.now(), readCpuSeconds()];
  const result = await work();
  return {
    result,
    seconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: readCpuSeconds() - secondsBefore,
  };
}

/**
 * Encodes the frames of a segment with one plain ffmpeg that writes an MP4, with the settings and the priority of the
 * service on one thread.
 */
async function encodePlainly(directory: string, source: Buffer, name: string): Promise<void> {
  const [input, output] = [join(directory, 'segment.mp4'), join(directory, 'plain.mp4')];
  await writeFile(input, source);
  const size = { width: 1_920, height: 1_080, fps: 30, hasAudio: true };
  const rendition = createVodLadder({ ...size, bitrate: BITRATE }).find(
    (candidate) => candidate.name === name,
  );
  if (!rendition) throw new Error(`there is no ${name}`);
  const wholeRange = { fromTicks: 0, toTicks: Number.MAX_SAFE_INTEGER };
  const { outputs } = planSegment({ input, output, rendition, timescale: 15_360, ...wholeRange, threads: 1 });
  const options = outputs.flatMap((plannedOutput) => plannedOutput.options);
  const inputArgs = ['-v', 'error', '-nostdin', '-threads', '1', '-i', input];
  await execFileAsync('nice', ['-n', niceness, 'ffmpeg', ...inputArgs, ...options, output]);
}

/** Finds ffmpeg processes that descend from a process and have `pattern` in their command line. */
const findEncoders = (pid: number, pattern: RegExp): number[] =>
  processTree([pid]).filter(
    (descendant) => /^\S*ffmpeg /.test(commandLine(descendant)) && pattern.test(commandLine(descendant)),
  );

/** Waits until no ffmpeg has run for 2 s. Storyboards and segments that are encoded ahead would compete with the measurement. */
async function waitUntilIdle(jobsPid: number): Promise<void> {
  let idleChecks = 0;
  // One check is not enough, because encoders start one after another.
  const checkIdle = () => {
    idleChecks = findEncoders(jobsPid, /./).length === 0 ? idleChecks + 1 : 0;
    return idleChecks > 20 || undefined;
  };
  await waitFor('idle encoders', checkIdle, { timeoutMs: 600_000, everyMs: 100 });
}

/**
 * Starts to count the encoders of renditions that descend from a process.
 * @returns a function that stops counting and returns the count
 */
function countEncoders(jobsPid: number): () => number {
  const seenPids = new Set<number>();
  const timer = setInterval(
    () => findEncoders(jobsPid, /stitchable=1/).forEach((pid) => seenPids.add(pid)),
    50,
  );
  return () => {
    clearInterval(timer);
    return seenPids.size;
  };
}

/**
 * Uploads a file and waits until its asset is ready.
 * @returns the id of the asset, the URL of its folder, and the seconds from the start of the upload until ready
 */
async function uploadAsset(service: Headwater, client: AssetClient, file: string, everyMs = 500) {
  const startedAt = performance.now();
  const id = await client.upload(file);
  await client.waitUntilReady(id, READY_TIMEOUT_MS, everyMs);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { folderUrl: `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}`, id, seconds };
}

/** Measures the time until an upload is ready, alternately on a service with renditions on demand and on a service without. */
async function measureReady(
  { scope, directory, runs, progress }: BenchContext,
  { service, client }: RunningService,
  file: string,
): Promise<string> {
  return runInScope(scope, async (innerScope) => {
    const otherService = await startHeadwater(innerScope, directory, {
      ...oneCore,
      RENDITION_CACHE_BYTES: '0',
    });
    const otherClient = createAssetClient(otherService.baseUrl, await otherService.createApiKey('without'));
    const [withRenditions, withoutRenditions]: [number[], number[]] = [[], []];
    for (let runIndex = 0; runIndex < runs; runIndex++) {
      progress(`ready, run ${runIndex + 1} of ${runs}`);
      for (const [seconds, target, uploadClient] of [
        [withRenditions, service, client],
        [withoutRenditions, otherService, otherClient],
      ] as const) {
        const asset = await uploadAsset(target, uploadClient, file, 20);
        seconds.push(asset.seconds);
        await uploadClient.deleteAsset(asset.id);
      }
    }
    return (
      `An upload of the two minutes is ready after ${formatNumber(median(withRenditions), 2)} s, ` +
      `with RENDITION_CACHE_BYTES=0 after ${formatNumber(median(withoutRenditions), 2)} s: ${formatRatio(median(withRenditions), median(withoutRenditions))}.`
    );
  });
}

/**
 * Measures first requests of segments and plain ffmpeg.
 * @returns a Markdown table
 */
async function measureRequests(
  { directory, runs, progress }: BenchContext,
  { jobsPid, folderUrl }: MeasuredAsset,
  request: RequestSegment,
): Promise<string> {
  const segments = await readSegments(folderUrl);
  const { body: init } = await fetchSegment(`${folderUrl}/source/init.mp4`);
  const rows: string[][] = [];
  const systemLoads: number[] = [];
  for (const rendition of comparedNames) {
    const [firstRequests, repeatedRequests, plainSeconds]: [RequestResult[], RequestResult[], number[]] = [
      [],
      [],
      [],
    ];
    const segmentDurations: number[] = [];
    let plainCpuSeconds = 0;
    for (let runIndex = 0; runIndex < runs; runIndex++) {
      const segment = segments[runIndex * SEGMENT_STEP];
      if (!segment) throw new Error(`the file has only ${segments.length} segments`);
      progress(`${rendition}, run ${runIndex + 1} of ${runs}`);
      await waitUntilIdle(jobsPid);
      systemLoads.push(loadavg()[0] ?? 0);
      firstRequests.push(await request(folderUrl, rendition, segment.uri));
      repeatedRequests.push(await request(folderUrl, rendition, segment.uri));
      segmentDurations.push(segment.seconds);
      await waitUntilIdle(jobsPid);
      const { body } = await fetchSegment(`${folderUrl}/source/${segment.uri}`);
      const encode = () => encodePlainly(directory, Buffer.concat([init, body]), rendition);
      const plainTime = await measureTime(encode, endedChildrenSeconds);
      plainSeconds.push(plainTime.seconds);
      plainCpuSeconds += plainTime.cpuSeconds / runs;
    }
    const medianSeconds = median(firstRequests.map(({ seconds }) => seconds));
    rows.push([
      rendition,
      formatNumber(medianSeconds / median(segmentDurations), 2),
      formatNumber(medianSeconds, 2),
      formatNumber(median(plainSeconds), 2),
      formatRatio(medianSeconds, median(plainSeconds)),
      `${formatNumber(median(firstRequests.map((first) => first.cpuSeconds)), 2)} / ${formatNumber(plainCpuSeconds, 2)}`,
      formatNumber(median(repeatedRequests.map(({ seconds }) => seconds)) * 1_000, 1),
      `${firstRequests.filter(({ isEncoded }) => isEncoded).length} of ${runs}`,
    ]);
    progress(rows.at(-1)?.join(' | ') ?? '');
  }
  const header = [
    ...['rendition', 'of its duration', 'seconds, first request', 'seconds, plain ffmpeg', 'to ffmpeg'],
    ...['CPU seconds, ours / ffmpeg', 'ms, stored', 'encoded in time'],
  ];
  const loadAverages = systemLoads.map((value) => formatNumber(value, 1)).join(', ');
  return `${markdownTable(header, rows)}\n\nLoad of the machine while they were measured: ${loadAverages}.`;
}

/** Measures seeks in a long file on a service that may use all cores. */
async function measureSeeks({ scope, directory, runs, progress }: BenchContext): Promise<string> {
  const longClip = await makeLongClip(directory, {
    seconds: HOUR_SECONDS,
    bitrate: LONG_CLIP_BITRATE,
    fastStart: true,
  });
  const executablePath = await ensureChromium(progress, new AbortController().signal);
  return runInScope(scope, async (innerScope) => {
    const service = await startHeadwater(innerScope, directory);
    const client = createAssetClient(service.baseUrl, await service.createApiKey('seeks'));
    const { folderUrl } = await uploadAsset(service, client, longClip);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    });
    innerScope.defer(() => browser.close());
    const seeks: SeekResult[] = [];
    for (let runIndex = 0; runIndex < runs; runIndex++) {
      progress(`seek, run ${runIndex + 1} of ${runs}`);
      const waitUntilJobsIdle = () => waitUntilIdle(service.pidOf('jobs'));
      await waitUntilJobsIdle();
      const page = await browser.newPage();
      // The positions are so far apart that none is in a segment that an earlier seek has cached.
      seeks.push(
        await seekTo(page, {
          masterUrl: `${folderUrl}/index.m3u8`,
          position: HOUR_SECONDS / 2 + runIndex * 301 + 3,
          waitUntilIdle: waitUntilJobsIdle,
        }),
      );
      await page.close();
    }
    const seekTexts = seeks
      .map(({ seconds, height }) => `${formatNumber(seconds, 2)} s (${height} lines)`)
      .join(', ');
    return `Seeks in the file of an hour: ${seekTexts} until a picture is shown.`;
  });
}

/** Measures the encoders and the CPU time for many viewers that request one segment at the same time. */
async function measureViewers(
  { progress }: BenchContext,
  { jobsPid, folderUrl }: MeasuredAsset,
  request: RequestSegment,
): Promise<string> {
  progress(`${VIEWER_COUNT} viewers`);
  const [lastSegment, ...previousSegments] = (await readSegments(folderUrl)).slice(-3);
  if (!lastSegment) throw new Error('the file has no segments');
  // After these requests, nothing is encoded ahead.
  for (const { uri } of previousSegments) await request(folderUrl, '480p', uri);
  await waitUntilIdle(jobsPid);
  const stopCounting = countEncoders(jobsPid);
  const work = () =>
    Promise.all(Array.from({ length: VIEWER_COUNT }, () => request(folderUrl, '480p', lastSegment.uri)));
  const {
    result,
    seconds,
    cpuSeconds: jobsCpuSeconds,
  } = await measureTime(work, () => cpuSeconds([jobsPid]));
  const encoderCount = stopCounting();
  const encodedCount = result.filter(({ isEncoded }) => isEncoded).length;
  return (
    `${VIEWER_COUNT} viewers of one segment in 480p: ${encoderCount} encoder, ${formatNumber(jobsCpuSeconds, 2)} CPU seconds, ` +
    `${encodedCount} of them got the encoded one, the last after ${formatNumber(seconds, 2)} s.`
  );
}

export const renditions: Bench = {
  title: 'Renditions of an asset on demand',
  explanation:
    'An asset has two minutes of 1080p30 (5 Mbit/s) in segments of six seconds, and transcoding may use one core. A viewer ' +
    'requests a segment that was not requested before, and then the same one again. In turns with that, one plain ffmpeg ' +
    'encodes the frames of that segment with the same settings, priority and one thread. The CPU time is that of the jobs ' +
    'process and everything it starts until the answer. Then 100 viewers request one segment at the same ' +
    'time, and uploads with and without renditions alternate. Finally, with all cores, hls.js in Chromium plays 480p of ' +
    'an hour of 1080p30 (1 Mbit/s) and seeks to uncached positions, around the middle. Goals: the first request of 480p ' +
    'takes at most 1.0 × the duration of the segment, a seek at most 2 s, one encoder runs for 100 viewers, and an ' +
    'upload is ready as soon as without renditions.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, { runs, progress }) {
    const benchContext = { scope, directory, runs, progress };
    progress('the files');
    const shortClip = await makeLongClip(directory, {
      seconds: FILE_SECONDS,
      bitrate: BITRATE,
      fastStart: true,
    });
    const service = await startHeadwater(scope, directory, oneCore);
    const client = createAssetClient(service.baseUrl, await service.createApiKey('renditions'));
    progress('uploads');
    const { folderUrl } = await uploadAsset(service, client, shortClip);
    const jobsPid = service.pidOf('jobs');
    const request: RequestSegment = async (asset, rendition, uri) => {
      const work = () => fetchSegment(`${asset}/${rendition}/${uri}`);
      const { result, ...time } = await measureTime(work, () => cpuSeconds([jobsPid]));
      return { ...time, isEncoded: result.isEncoded };
    };
    return [
      await measureRequests(benchContext, { jobsPid, folderUrl }, request),
      await measureViewers(benchContext, { jobsPid, folderUrl }, request),
      await measureReady(benchContext, { service, client }, shortClip),
      await measureSeeks(benchContext),
    ].join('\n\n');
  },
};
