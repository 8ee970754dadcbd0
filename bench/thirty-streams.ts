import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, percentile } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck } from './lib/hls-reader';
import { publishAll, readPlaylists } from './lib/live-load';
import { memoryMegabytes } from './lib/process-tree';

/** Thirty publishers for several minutes: missing segments, event loop delay and memory growth. */

const SEGMENT_SECONDS = 2;
const PUBLISHERS = 30;
const MEMORY_INTERVAL_SECONDS = 10;

const delaysSchema = z.array(z.number());
const memoryUsageSchema = z.object({
  rss: z.number(),
  heapUsed: z.number(),
  heapTotal: z.number(),
  arrayBuffers: z.number(),
});

/** Reads the delays in milliseconds that the event loop probe wrote: one array per second, starting at line `firstLine`. */
async function readDelays(file: string, firstLine = 0): Promise<number[][]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.slice(firstLine).map((line) => delaysSchema.parse(JSON.parse(line)));
}

type Usage = z.infer<typeof memoryUsageSchema>;

/** Parts of the memory of the live process. */
const memoryParts: readonly (readonly [string, (usage: Usage) => number])[] = [
  ['heap used', ({ heapUsed }) => heapUsed],
  ['heap reserved but unused', ({ heapTotal, heapUsed }) => heapTotal - heapUsed],
  ['array buffers, mostly media', ({ arrayBuffers }) => arrayBuffers],
  ['everything else', ({ rss, heapTotal, arrayBuffers }) => rss - heapTotal - arrayBuffers],
];

/** Reads the samples that the memory probe wrote, starting at line `firstLine`. */
async function readMemory(file: string, firstLine = 0): Promise<Usage[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.slice(firstLine).map((line) => memoryUsageSchema.parse(JSON.parse(line)));
}

/**
 * Linear regression of values sampled every `everySeconds`.
 * @returns the slope per minute
 */
function growthPerMinute(values: readonly number[], everySeconds: number): number {
  const middle = (values.length - 1) / 2;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
  const mean = sum(values) / values.length;
  const products = values.map((value, index) => (index - middle) * (value - mean));
  const squares = values.map((_, index) => (index - middle) ** 2);
  return ((sum(products) / sum(squares)) * 60) / everySeconds;
}

async function sampleMemory(pids: readonly number[], seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const samples: number[] = [];
  while (performance.now() < end) {
    samples.push(memoryMegabytes(pids));
    await sleep(MEMORY_INTERVAL_SECONDS * 1_000);
  }
  return samples;
}

interface Measurement {
  readonly delaysMs: readonly number[];
  /** Samples of the memory of the live process (PSS) in MB. */
  readonly memory: readonly number[];
  readonly usages: readonly Usage[];
  readonly missingSegments: number;
}

const formatFirstAndLast = (values: readonly number[]): string =>
  `${formatNumber(values[0] ?? 0, 0)}, ${formatNumber(values.at(-1) ?? 0, 0)}`;

function formatResults(
  options: BenchOptions,
  { delaysMs, memory, usages, missingSegments }: Measurement,
): string {
  const secondHalf = memory.slice(Math.floor(memory.length / 2));
  return markdownTable(
    ['measure', 'goal', 'result'],
    [
      ['publishers, seconds', `${PUBLISHERS}, 300`, `${PUBLISHERS}, ${options.window}`],
      ['missing or late segments', 0, missingSegments],
      ['event loop delay of live, p99 (ms)', '< 50', formatNumber(percentile(delaysMs, 0.99), 1)],
      ['event loop delay of live, worst (ms)', '', formatNumber(percentile(delaysMs, 1), 1)],
      ['memory of live at the start and end (MB)', '', formatFirstAndLast(memory)],
      ...memoryParts.map(([name, read]) => [
        `${name} (MB)`,
        '',
        formatFirstAndLast(usages.map((usage) => read(usage) / 1024 ** 2)),
      ]),
      [
        'memory growth (MB per minute)',
        'about 0',
        formatNumber(growthPerMinute(memory, MEMORY_INTERVAL_SECONDS), 1),
      ],
      [
        'memory growth in the second half (MB per minute)',
        'about 0',
        formatNumber(growthPerMinute(secondHalf, MEMORY_INTERVAL_SECONDS), 1),
      ],
    ],
  );
}

export const thirtyStreams: Bench = {
  title: 'Thirty streams at once',
  explanation:
    'Thirty publishers send the clip of "Ingest and packaging" in real time without encoding, for the window ' +
    'after a warm-up. Every playlist is read every 4 s, and at the end every listed segment is fetched. A ' +
    'probe inside the live process measures the delay of its event loop; its memory is PSS every 10 s, and ' +
    'its parts are what the process reports, in RSS.',
  defaults: { runs: 1, window: 300, warmUp: 30 },
  async run(scope, directory, options) {
    const files = { loop: join(directory, 'event-loop.jsonl'), memory: join(directory, 'memory.jsonl') };
    const probes = ['event-loop-probe', 'memory-probe'].map(
      (name) => `--import ${pathToFileURL(join(import.meta.dirname, `lib/${name}.mjs`)).href}`,
    );
    const clip = await makeClip(directory);
    const service = await startHeadwater(scope, directory, {
      NODE_OPTIONS: probes.join(' '),
      BENCH_EVENT_LOOP_FILE: files.loop,
      BENCH_MEMORY_FILE: files.memory,
    });
    const pids = service.measuredProcesses[0]?.pids ?? [];
    const streams = await service.openStreams(PUBLISHERS);
    options.progress(`${PUBLISHERS} publishers`);
    await publishAll(scope, clip, streams);
    await sleep(options.warmUp * 1_000);
    const checks = streams.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
    const linesBefore = {
      loop: (await readDelays(files.loop)).length,
      memory: (await readMemory(files.memory)).length,
    };
    const [memory] = await Promise.all([
      sampleMemory(pids, options.window),
      readPlaylists(checks, options.window),
    ]);
    const delaysMs = (await readDelays(files.loop, linesBefore.loop)).flat();
    const usages = await readMemory(files.memory, linesBefore.memory);
    const messages = (await Promise.all(checks.map((check) => check.finish(SEGMENT_SECONDS)))).flat();
    for (const reason of new Set(messages)) options.progress(reason);
    return formatResults(options, { delaysMs, memory, usages, missingSegments: messages.length });
  },
};
