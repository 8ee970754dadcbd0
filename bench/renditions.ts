import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { vodLadder } from '@/lib/core/renditions/vod-ladder';
import { segmentPlan } from '../media-worker/ffmpeg/segment-args';
import { ensureChromium } from '../scripts/checks/chromium';
import { assetClient } from './lib/asset-client';
import type { Bench } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { commandLine, cpuSeconds, endedChildrenSeconds, processTree } from './lib/process-tree';

/**
 * Renditions of an asset on demand: the first request of a segment against plain ffmpeg, a seek in a long file, and many
 * viewers of one segment.
 */

const run = promisify(execFile);
const bitrate = 5_000_000;
const hourBitrate = 1_000_000;
const fileSeconds = 120;
const hour = 3_600;
const readyMs = 900_000;
/** Each is far enough from the one before that it was not encoded ahead for it. */
const step = 4;
const viewers = 100;
const compared = ['480p', '720p', '240p'];
/** The encoder of the service has this priority. */
const niceness = '5';

interface Requested {
  readonly seconds: number;
  readonly cpu: number;
  readonly encoded: boolean;
}

interface Listed {
  readonly seconds: number;
  readonly uri: string;
}

async function segmentsOf(base: string): Promise<Listed[]> {
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

async function timed<T>(work: () => Promise<T>, cpu: () => number) {
  const [startedAt, before] = [performance.now(), cpu()];
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1_000, cpu: cpu() - before };
}

/** The same frames with the same settings and priority on one thread, by one plain ffmpeg that writes an MP4. */
async function encodePlainly(directory: string, source: Buffer, name: string): Promise<void> {
  const [input, output] = [join(directory, 'segment.mp4'), join(directory, 'plain.mp4')];
  await writeFile(input, source);
  const size = { width: 1_920, height: 1_080, fps: 30, hasAudio: true };
  const rendition = vodLadder({ ...size, bitrate }).find((one) => one.name === name);
  if (!rendition) throw new Error(`there is no ${name}`);
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const { outputs } = segmentPlan({ input, output, rendition, timescale: 15_360, ...all, threads: 1 });
  const options = outputs.flatMap((one) => one.options);
  await run('nice', ['-n', niceness, 'ffmpeg', '-v', 'error', '-nostdin', '-i', input, ...options, output]);
}

interface Seek {
  readonly seconds: number;
  /** Of the picture: those of the file, where the machine had no room to encode in time. */
  readonly lines: number;
}

/** Plays 480p with hls.js from the beginning, then seeks. @returns seconds until a picture from there is shown */
async function seekTo(page: Page, master: string, to: number): Promise<Seek> {
  page.setDefaultTimeout(120_000);
  await page.setContent('<video muted playsinline></video>');
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js') });
  await page.evaluate(play480p, master);
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  const startedAt = performance.now();
  await page.evaluate((at) => {
    const video = document.querySelector('video');
    if (video) video.currentTime = at;
  }, to);
  const shown = await page.waitForFunction(
    (at) => {
      const video = document.querySelector('video');
      return video && !video.seeking && video.currentTime > at + 0.05 ? video.videoHeight : 0;
    },
    to,
    { polling: 'raf' },
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, lines: await shown.jsonValue() };
}

function play480p(source: string): void {
  interface Player {
    readonly levels: readonly { readonly height: number }[];
    loadLevel: number;
    on(event: 'hlsManifestParsed', listen: () => void): void;
    loadSource(url: string): void;
    attachMedia(video: Element): void;
  }
  const { Hls } = globalThis as unknown as { Hls: new (options: object) => Player };
  const video = document.querySelector('video');
  if (!video) throw new Error('the page has no video');
  const player = new Hls({ startPosition: 0 });
  player.on('hlsManifestParsed', () => {
    player.loadLevel = player.levels.findIndex(({ height }) => height === 480);
    void video.play();
  });
  player.loadSource(source);
  player.attachMedia(video);
}

/** Notes every encoder of renditions that runs below these processes. */
function watchEncoders(roots: readonly number[]): () => number {
  const seen = new Set<number>();
  const timer = setInterval(() => {
    for (const pid of processTree(roots))
      if (/^\S*ffmpeg .*stitchable=1/.test(commandLine(pid))) seen.add(pid);
  }, 50);
  return () => {
    clearInterval(timer);
    return seen.size;
  };
}

export const renditions: Bench = {
  title: 'Renditions of an asset on demand',
  explains:
    'Two minutes of 1080p30 (5 Mbit/s), with segments of six seconds; transcoding may use one core. A viewer requests ' +
    'a segment that nobody has requested before, and then the same one again. Compared with one plain ffmpeg that ' +
    'encodes the frames of that segment with the same settings, priority and one thread; they alternate. CPU is that ' +
    'of the jobs process and everything it starts until the answer. Then hls.js in Chromium plays 480p of an hour of ' +
    '1080p30 (1 Mbit/s) and seeks to places that nobody has watched, the first of them the middle; and 100 viewers request one segment ' +
    'at the same time. Goals: the first request of 480p takes at most 1.0 × the duration of the segment, a seek at ' +
    'most 2 s, and one encoder runs for 100 viewers.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, { runs, progress }) {
    progress('the files');
    const path = await makeLongClip(directory, { seconds: fileSeconds, bitrate, fastStart: true });
    const long = await makeLongClip(directory, { seconds: hour, bitrate: hourBitrate, fastStart: true });
    const service = await startHeadwater(scope, directory, { TRANSCODE_CORES: '1' });
    const client = assetClient(service.baseUrl, await service.createKey('renditions'));
    const ready = async (file: string) => {
      const id = await client.upload(file);
      await client.untilReady(id, readyMs, 500);
      return `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}`;
    };
    const [base, hourBase] = [await ready(path), await ready(long)];
    const worker = service.pidOf('jobs');
    const segments = await segmentsOf(base);
    const { body: init } = await bytesOf(`${base}/source/init.mp4`);
    const request = async (rendition: string, uri: string): Promise<Requested> => {
      const work = () => bytesOf(`${base}/${rendition}/${uri}`);
      const { result, ...took } = await timed(work, () => cpuSeconds([worker]));
      return { ...took, encoded: result.encoded };
    };
    const rows: string[][] = [];
    const loads: number[] = [];
    for (const rendition of compared) {
      const [first, again, plain]: [Requested[], Requested[], number[]] = [[], [], []];
      const lasting: number[] = [];
      let plainCpu = 0;
      for (let n = 0; n < runs; n++) {
        const segment = segments[n * step];
        if (!segment) throw new Error(`the file has only ${segments.length} segments`);
        progress(`${rendition}, run ${n + 1} of ${runs}`);
        loads.push(loadavg()[0] ?? 0);
        first.push(await request(rendition, segment.uri));
        again.push(await request(rendition, segment.uri));
        lasting.push(segment.seconds);
        // What is encoded ahead must not compete with what is measured next.
        await request(rendition, segments[n * step + 1]?.uri ?? '');
        await request(rendition, segments[n * step + 2]?.uri ?? '');
        const { body } = await bytesOf(`${base}/source/${segment.uri}`);
        const encode = () => encodePlainly(directory, Buffer.concat([init, body]), rendition);
        const took = await timed(encode, endedChildrenSeconds);
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
        `${first.filter(({ encoded }) => encoded).length} of ${runs}`,
      ]);
      progress(rows.at(-1)?.join(' | ') ?? '');
    }
    const head = [
      ...['rendition', 'of its duration', 'seconds, first request', 'seconds, plain ffmpeg', 'to ffmpeg'],
      ...['CPU seconds, ours / ffmpeg', 'ms, stored', 'encoded in time'],
    ];

    progress('seeks');
    const executablePath = await ensureChromium(progress, new AbortController().signal);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    });
    scope.defer(() => browser.close());
    const seeks: Seek[] = [];
    for (let n = 0; n < runs; n++) {
      const page = await browser.newPage();
      seeks.push(await seekTo(page, `${hourBase}/index.m3u8`, hour / 2 + n * 300));
      await page.close();
    }

    progress(`${viewers} viewers`);
    const last = segments.at(-2);
    if (!last) throw new Error('the file has no segments');
    const encoders = watchEncoders([worker]);
    const work = () => Promise.all(Array.from({ length: viewers }, () => request('480p', last.uri)));
    const { result, seconds, cpu } = await timed(work, () => cpuSeconds([worker]));
    const started = encoders();
    const served = result.filter(({ encoded }) => encoded).length;
    return [
      markdownTable(head, rows),
      `Seeks in the file of an hour: ${seeks.map(({ seconds, lines }) => `${digits(seconds, 2)} s (${lines} lines)`).join(', ')} until a picture is shown.`,
      `${viewers} viewers of one segment in 480p: ${started} encoder, ${digits(cpu, 2)} CPU seconds, ` +
        `${served} of them got the encoded one, the last after ${digits(seconds, 2)} s.`,
      `Load of the machine while the first requests were measured: ${loads.map((one) => digits(one, 1)).join(', ')}.`,
    ].join('\n\n');
  },
};
