import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, percentile, formatRatio, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck, readPlaylist } from './lib/hls-reader';
import { runHttpLoad } from './lib/http-load';
import { publishAll, readPlaylists } from './lib/live-load';
import { cpuSeconds } from './lib/process-tree';
import { runInScope, type Scope } from './lib/scope';

/** Several processes of a role: event loop delay of live processes with many publishers, and throughput of segments. */

const processCounts = [1, 2] as const;
const SEGMENT_SECONDS = 2;
const delaysSchema = z.array(z.number());

interface Measurement {
  readonly processes: number;
  /** Delays of the event loops of the live processes, in milliseconds. */
  readonly delaysMs: readonly number[];
  readonly cpuPerStreamMinute: number;
  readonly missingSegments: number;
  readonly segmentsPerSecond: number;
  /** 99th percentile of the latency of segments, in milliseconds. */
  readonly latencyP99: number;
}

async function measure(
  scope: Scope,
  directory: string,
  { clip, processes, options }: { clip: string; processes: number; options: BenchOptions },
): Promise<Measurement> {
  const delaysFile = join(directory, `event-loop-${processes}.jsonl`);
  const probe = pathToFileURL(join(import.meta.dirname, 'lib/event-loop-probe.mjs')).href;
  const service = await startHeadwater(scope, directory, {
    NODE_OPTIONS: `--import ${probe}`,
    BENCH_EVENT_LOOP_FILE: delaysFile,
    LIVE_PROCESSES: String(processes),
    ORIGIN_PROCESSES: String(processes),
    WEB_PROCESSES: '1',
  });
  const publishers = Math.max(...options.publishers);
  const streams = await service.openStreams(publishers);
  await publishAll(scope, clip, streams);
  await sleep(options.warmUp * 1_000);
  const pids = service.measuredProcesses[0]?.pids ?? [];
  const readLines = async () => (await readFile(delaysFile, 'utf8')).trim().split('\n');
  const [linesBefore, cpuBefore, startedAt] = [
    (await readLines()).length,
    cpuSeconds(pids),
    performance.now(),
  ];
  const checks = streams.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
  await readPlaylists(checks, options.window);
  const streamMinutes = ((performance.now() - startedAt) / 60_000) * publishers;
  const cpuPerStreamMinute = (cpuSeconds(pids) - cpuBefore) / streamMinutes;
  const delaysMs = (await readLines())
    .slice(linesBefore)
    .flatMap((line) => delaysSchema.parse(JSON.parse(line)));
  const missingSegments = (await Promise.all(checks.map((check) => check.finish(SEGMENT_SECONDS)))).flat()
    .length;

  // The newest segment stays in the window for the whole load.
  const segment = (await readPlaylist(streams[0]?.playlistUrl ?? ''))?.segments.at(-1);
  if (!segment) throw new Error('no segment to load');
  const load = await runHttpLoad({ url: segment.url, headers: {} }, LOAD_SECONDS);
  const { requestsPerSecond: segmentsPerSecond, latencyP99 } = load;
  return { processes, delaysMs, cpuPerStreamMinute, missingSegments, segmentsPerSecond, latencyP99 };
}

/** Seconds of load on one segment. The load ends before the segment leaves the playlist. */
const LOAD_SECONDS = 8;

function formatResults(results: readonly Measurement[]): string {
  const [firstResult] = results;
  const rows: Row[] = results.map((result) => [
    result.processes,
    formatNumber(percentile(result.delaysMs, 0.99), 1),
    firstResult ? formatRatio(percentile(result.delaysMs, 0.99), percentile(firstResult.delaysMs, 0.99)) : '',
    formatNumber(result.cpuPerStreamMinute, 3),
    firstResult ? formatRatio(result.cpuPerStreamMinute, firstResult.cpuPerStreamMinute) : '',
    result.missingSegments,
    formatNumber(result.segmentsPerSecond, 0),
    firstResult ? formatRatio(result.segmentsPerSecond, firstResult.segmentsPerSecond) : '',
    formatNumber(result.latencyP99, 0),
  ]);
  return markdownTable(
    [
      'processes of each role',
      'delay of live, p99 (ms)',
      '÷ one',
      'CPU-s of live per stream-minute',
      '÷ one',
      'missing segments',
      'segments/s',
      '÷ one',
      'segment p99 (ms)',
    ],
    rows,
  );
}

export const processes: Bench = {
  title: 'Several processes of a role',
  explanation:
    'The service runs with one live and one origin process, and then with two of each. The largest number of `--publishers` ' +
    'sends the clip of "Ingest and packaging" in real time; a probe in each live process measures the delay of its event ' +
    'loop. Then 50 connections fetch one segment through the shared port as fast as they can. Publishers, ' +
    'load and service share the cores, so only a machine with more cores than processes shows a gain.',
  defaults: { runs: 1, window: 30, warmUp: 10 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const results: Measurement[] = [];
    for (const count of processCounts) {
      options.progress(`${count} of each role`);
      results.push(
        await runInScope(scope, (inner) => measure(inner, directory, { clip, processes: count, options })),
      );
    }
    return formatResults(results);
  },
};
