import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip, publisherArguments } from './lib/clip';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater, type Headwater } from './lib/headwater';
import { fetchBody, waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import { runInScope, type Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/**
 * CPU time of three renditions of a live stream, compared with one ffmpeg command that encodes the same renditions from a
 * file.
 */

const renditions = [
  { name: '720p', width: 1280, height: 720, bitrate: 2_000_000, fps: 0 },
  { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 0 },
  { name: '360p', width: 640, height: 360, bitrate: 600_000, fps: 0 },
];
/** Interval between two requests of the master playlist. */
const POLL_MS = 20;
/** Pause in which the processes of the previous run end. */
const BETWEEN_RUNS_MS = 1_000;

interface LadderRun {
  /** CPU seconds per elapsed second. */
  readonly cores: number;
  /** Seconds from the start of the publisher until the source is in the master playlist. Undefined for plain ffmpeg. */
  readonly sourceListedSeconds?: number;
  /** Seconds from the start of the publisher until all renditions are in it as well. Undefined for plain ffmpeg. */
  readonly allListedSeconds?: number;
}

/** Measures the CPU time of processes, in CPU seconds per elapsed second. */
async function measureCores(pids: readonly number[], seconds: number): Promise<number> {
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
  const stream = await service.createStream('ladder', { profiles: renditions });
  const publisher = startProcess('ffmpeg', publisherArguments(clip, stream.publishUrl), {
    scope,
    graceMs: 2_000,
  });
  const waitUntilListed = (count: number) =>
    waitFor(
      `a master playlist with ${count} renditions`,
      async () => {
        if (!publisher.isRunning()) throw new Error(`the publisher ended: ${publisher.output()}`);
        const text = (await fetchBody(stream.playlistUrl))?.toString() ?? '';
        return text.split('#EXT-X-STREAM-INF').length > count ? performance.now() : undefined;
      },
      { timeoutMs: 20_000, everyMs: POLL_MS },
    );
  const [sourceListedAt, allListedAt] = [
    await waitUntilListed(1),
    await waitUntilListed(1 + renditions.length),
  ];
  await sleep(options.warmUp * 1_000);
  const measuredPids =
    service.measuredProcesses.find(({ subject }) => subject === 'live + origin')?.pids ?? [];
  const cores = await measureCores(measuredPids, options.window);
  return {
    cores,
    sourceListedSeconds: (sourceListedAt - publisher.startedAt) / 1_000,
    allListedSeconds: (allListedAt - publisher.startedAt) / 1_000,
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
  const cores = await measureCores([plain.pid], options.window);
  if (!plain.isRunning()) throw new Error(`ffmpeg ended: ${plain.output()}`);
  return { cores };
}

function formatResults(headwater: readonly LadderRun[], plain: readonly LadderRun[]): string {
  const cores = (runs: readonly LadderRun[]) => median(runs.map((run) => run.cores));
  const seconds = (read: (run: LadderRun) => number | undefined) =>
    formatNumber(median(headwater.map((run) => read(run) ?? Number.NaN)), 2);
  const rows = [
    [
      'Headwater, live + origin + its ffmpeg',
      formatRatio(cores(headwater), cores(plain)),
      formatNumber(cores(headwater), 3),
      seconds((run) => run.sourceListedSeconds),
      seconds((run) => run.allListedSeconds),
      headwater.length,
    ],
    ['plain ffmpeg, file to HLS', '1', formatNumber(cores(plain), 3), '', '', plain.length],
  ];
  return markdownTable(
    ['what', 'cores ÷ plain ffmpeg', 'cores', 'source listed (s)', 'all three listed (s)', 'runs'],
    rows,
  );
}

export const ladder: Bench = {
  title: 'Ladder',
  explanation:
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
      headwater.push(
        await runInScope(scope, (innerScope) => measureHeadwater(innerScope, clip, service, options)),
      );
      options.progress(
        `Headwater ${run + 1}/${options.runs}: ${formatNumber(headwater.at(-1)?.cores ?? 0, 3)} cores`,
      );
      await sleep(BETWEEN_RUNS_MS);
      const folder = join(directory, `plain-${run}`);
      plain.push(await runInScope(scope, (innerScope) => measurePlain(innerScope, clip, folder, options)));
      options.progress(
        `ffmpeg ${run + 1}/${options.runs}: ${formatNumber(plain.at(-1)?.cores ?? 0, 3)} cores`,
      );
      await sleep(BETWEEN_RUNS_MS);
    }
    return formatResults(headwater, plain);
  },
};
