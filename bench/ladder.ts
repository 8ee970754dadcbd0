import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip, publisherArguments } from './lib/clip';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater, type Headwater } from './lib/headwater';
import { fetchBody, waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import { within, type Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** Cost of a ladder of three renditions, compared with a plain ffmpeg command that makes the same three from a file. */

const renditions = [
  { name: '720p', width: 1280, height: 720, bitrate: 2_000_000, fps: 0 },
  { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 0 },
  { name: '360p', width: 640, height: 360, bitrate: 600_000, fps: 0 },
];
const pollMs = 20;
const betweenRunsMs = 1_000;

interface LadderRun {
  /** CPU seconds per second. */
  readonly cores: number;
  /** Seconds from the start of the publisher; undefined for plain ffmpeg. */
  readonly sourceListed?: number;
  readonly allListed?: number;
}

async function coresOf(pids: readonly number[], seconds: number): Promise<number> {
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pids)];
  await sleep(seconds * 1_000);
  return (cpuSeconds(pids) - cpuBefore) / ((performance.now() - startedAt) / 1_000);
}

async function measureHeadwater(
  scope: Scope,
  clip: string,
  service: Headwater,
  options: BenchOptions,
): Promise<LadderRun> {
  const channel = await service.createStream('ladder', { profiles: renditions });
  const publisher = startProcess('ffmpeg', publisherArguments(clip, channel.publishUrl), {
    scope,
    graceMs: 2_000,
  });
  const listedCount = (count: number) =>
    waitFor(
      `a master playlist of ${count}`,
      async () => {
        if (!publisher.running()) throw new Error(`the publisher ended: ${publisher.output()}`);
        const text = (await fetchBody(channel.playlistUrl))?.toString() ?? '';
        return text.split('#EXT-X-STREAM-INF').length > count ? performance.now() : undefined;
      },
      { timeoutMs: 20_000, everyMs: pollMs },
    );
  const [source, allCount] = [await listedCount(1), await listedCount(1 + renditions.length)];
  await sleep(options.warmUp * 1_000);
  const pids = service.measuredProcesses.find(({ subject }) => subject === 'live + origin')?.pids ?? [];
  const cores = await coresOf(pids, options.window);
  return {
    cores,
    sourceListed: (source - publisher.startedAt) / 1_000,
    allListed: (allCount - publisher.startedAt) / 1_000,
  };
}

/** ffmpeg arguments that encode the same renditions with the same settings from the file to HLS. */
function plainArguments(clip: string, folder: string): string[] {
  const chains = renditions.map(
    ({ width, height }, index) => `[s${index}]scale=${width}:${height}[v${index}]`,
  );
  const split = `[0:v]split=${renditions.length}${renditions.map((_, index) => `[s${index}]`).join('')}`;
  const outputs = renditions.flatMap(({ name, bitrate }, index) => [
    ...['-map', `[v${index}]`, '-map', '0:a', '-c:a', 'copy', '-c:v', 'libx264', '-preset', 'veryfast'],
    ...[
      '-tune',
      'zerolatency',
      '-profile:v',
      'main',
      '-pix_fmt',
      'yuv420p',
      '-sc_threshold',
      '0',
      '-g',
      '60',
    ],
    ...['-b:v', `${bitrate}`, '-maxrate', `${bitrate * 1.1}`, '-bufsize', `${bitrate * 1.5}`],
    ...['-f', 'hls', '-hls_time', '2', '-hls_list_size', '6', '-hls_flags', 'delete_segments'],
    ...['-hls_segment_type', 'fmp4', join(folder, name, 'index.m3u8')],
  ]);
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', clip],
    ...['-filter_complex', [split, ...chains].join(';'), ...outputs],
  ];
}

async function measurePlain(
  scope: Scope,
  clip: string,
  folder: string,
  options: BenchOptions,
): Promise<LadderRun> {
  for (const { name } of renditions) await mkdir(join(folder, name), { recursive: true });
  const plain = startProcess('ffmpeg', plainArguments(clip, folder), { scope, graceMs: 2_000 });
  await sleep(options.warmUp * 1_000);
  const cores = await coresOf([plain.pid], options.window);
  if (!plain.running()) throw new Error(`ffmpeg ended: ${plain.output()}`);
  return { cores };
}

function report(headwater: readonly LadderRun[], plain: readonly LadderRun[]): string {
  const cores = (runs: readonly LadderRun[]) => median(runs.map((run) => run.cores));
  const seconds = (pick: (run: LadderRun) => number | undefined) =>
    digits(median(headwater.map((run) => pick(run) ?? Number.NaN)), 2);
  const rows = [
    [
      'Headwater, live + origin + its ffmpeg',
      ratio(cores(headwater), cores(plain)),
      digits(cores(headwater), 3),
      seconds((run) => run.sourceListed),
      seconds((run) => run.allListed),
      headwater.length,
    ],
    ['plain ffmpeg, file to HLS', '1', digits(cores(plain), 3), '', '', plain.length],
  ];
  return markdownTable(
    ['what', 'cores ÷ plain ffmpeg', 'cores', 'source listed (s)', 'all three listed (s)', 'runs'],
    rows,
  );
}

export const ladder: Bench = {
  title: 'Ladder',
  explains:
    'Headwater makes renditions of 720p, 480p and 360p of one 720p30 stream, and everything counts: ingest, ' +
    'packaging of four renditions, HTTP and ffmpeg. One plain ffmpeg makes the same three HLS outputs from the ' +
    'file in real time with the same encoder settings. Headwater and the plain ffmpeg take turns, and the values are ' +
    'medians. Goals: at most 1.10 × the cores of the plain ffmpeg, and all three listed at most 2 s after the source ' +
    '(seconds from the start of the publisher).',
  defaults: { runs: 2, window: 20, warmUp: 4 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const service = await startHeadwater(scope, directory);
    const headwater: LadderRun[] = [];
    const plain: LadderRun[] = [];
    for (let run = 0; run < options.runs; run += 1) {
      headwater.push(await within(scope, (inner) => measureHeadwater(inner, clip, service, options)));
      options.progress(
        `Headwater ${run + 1}/${options.runs}: ${digits(headwater.at(-1)?.cores ?? 0, 3)} cores`,
      );
      await sleep(betweenRunsMs);
      const folder = join(directory, `plain-${run}`);
      plain.push(await within(scope, (inner) => measurePlain(inner, clip, folder, options)));
      options.progress(`ffmpeg ${run + 1}/${options.runs}: ${digits(plain.at(-1)?.cores ?? 0, 3)} cores`);
      await sleep(betweenRunsMs);
    }
    return report(headwater, plain);
  },
};
