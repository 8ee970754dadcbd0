import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, percentile } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck } from './lib/hls-reader';
import { publishAll, watch } from './lib/live-load';
import { memoryMegabytes } from './lib/process-tree';

/** Many publishers for minutes: missing segments, event loop delay and memory growth. */

const segmentSeconds = 2;
const publishers = 30;
const memoryEverySeconds = 10;

const lateness = z.array(z.number());
const memoryUsage = z.object({
  rss: z.number(),
  heapUsed: z.number(),
  heapTotal: z.number(),
  arrayBuffers: z.number(),
});

/** Delays in milliseconds that the event loop probe wrote, one array per second, starting at line `from`. */
async function readLoop(file: string, from = 0): Promise<number[][]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.slice(from).map((line) => lateness.parse(JSON.parse(line)));
}

type Usage = z.infer<typeof memoryUsage>;

/** Parts of the memory of the live process. */
const kinds: readonly (readonly [string, (usage: Usage) => number])[] = [
  ['heap used', ({ heapUsed }) => heapUsed],
  ['heap reserved but unused', ({ heapTotal, heapUsed }) => heapTotal - heapUsed],
  ['array buffers, mostly media', ({ arrayBuffers }) => arrayBuffers],
  ['everything else', ({ rss, heapTotal, arrayBuffers }) => rss - heapTotal - arrayBuffers],
];

/** Samples that the memory probe wrote, starting at line `from`. */
async function readMemory(file: string, from = 0): Promise<Usage[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.slice(from).map((line) => memoryUsage.parse(JSON.parse(line)));
}

/**
 * Linear regression of values sampled every `everySeconds`.
 * @returns the slope per minute
 */
function growthPerMinute(values: readonly number[], everySeconds: number): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const products = values.map((value, index) => (index - middle) * (value - mean));
  const squares = values.map((_, index) => (index - middle) ** 2);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
  return ((sum(products) / sum(squares)) * 60) / everySeconds;
}

async function sampleMemory(pids: readonly number[], seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const samples: number[] = [];
  while (performance.now() < end) {
    samples.push(memoryMegabytes(pids));
    await sleep(memoryEverySeconds * 1_000);
  }
  return samples;
}

interface Measurement {
  readonly late: readonly number[];
  /** Memory in MB. */
  readonly memory: readonly number[];
  readonly usages: readonly Usage[];
  readonly missing: number;
}

const firstAndLast = (values: readonly number[]): string =>
  `${digits(values[0] ?? 0, 0)}, ${digits(values.at(-1) ?? 0, 0)}`;

function report(options: BenchOptions, { late, memory, usages, missing }: Measurement): string {
  const half = memory.slice(Math.floor(memory.length / 2));
  return markdownTable(
    ['measure', 'goal', 'result'],
    [
      ['publishers, seconds', `${publishers}, 300`, `${publishers}, ${options.window}`],
      ['missing or late segments', 0, missing],
      ['event loop delay of live, p99 (ms)', '< 50', digits(percentile(late, 0.99), 1)],
      ['event loop delay of live, worst (ms)', '', digits(percentile(late, 1), 1)],
      ['memory of live at the start and end (MB)', '', firstAndLast(memory)],
      ...kinds.map(([name, of]) => [
        `${name} (MB)`,
        '',
        firstAndLast(usages.map((usage) => of(usage) / 1024 ** 2)),
      ]),
      ['memory growth (MB per minute)', 'about 0', digits(growthPerMinute(memory, memoryEverySeconds), 1)],
      [
        'memory growth in the second half (MB per minute)',
        'about 0',
        digits(growthPerMinute(half, memoryEverySeconds), 1),
      ],
    ],
  );
}

export const thirtyStreams: Bench = {
  title: 'Thirty streams at once',
  explains:
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
    const channels = await service.openChannels(publishers);
    options.progress(`${publishers} publishers`);
    await publishAll(scope, clip, channels);
    await sleep(options.warmUp * 1_000);
    const checks = channels.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
    const readingBefore = {
      loop: (await readLoop(files.loop)).length,
      memory: (await readMemory(files.memory)).length,
    };
    const [memory] = await Promise.all([sampleMemory(pids, options.window), watch(checks, options.window)]);
    const late = (await readLoop(files.loop, readingBefore.loop)).flat();
    const usages = await readMemory(files.memory, readingBefore.memory);
    const missing = (await Promise.all(checks.map((check) => check.finish(segmentSeconds)))).flat();
    for (const reason of new Set(missing)) options.progress(reason);
    return report(options, { late, memory, usages, missing: missing.length });
  },
};
