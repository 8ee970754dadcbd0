import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, percentile, ratio, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck, readPlaylist } from './lib/hls-reader';
import { loadHttp } from './lib/http-load';
import { publishAll, watch } from './lib/live-load';
import { cpuSeconds } from './lib/process-tree';
import { within, type Scope } from './lib/scope';

/**
 * Several processes of a role: event loop delay of live with many publishers, and segment throughput of the origins.
 */

const counts = [1, 2] as const;
const segmentSeconds = 2;
const lateness = z.array(z.number());

interface Measurement {
  readonly processes: number;
  /** Delays of the event loops of live, in milliseconds. */
  readonly late: readonly number[];
  readonly cpuPerStreamMinute: number;
  readonly missing: number;
  readonly segmentsPerSecond: number;
  /** Milliseconds. */
  readonly latencyP99: number;
}

async function measure(
  scope: Scope,
  directory: string,
  { clip, processes, options }: { clip: string; processes: number; options: BenchOptions },
): Promise<Measurement> {
  const loop = join(directory, `event-loop-${processes}.jsonl`);
  const probe = pathToFileURL(join(import.meta.dirname, 'lib/event-loop-probe.mjs')).href;
  const service = await startHeadwater(scope, directory, {
    NODE_OPTIONS: `--import ${probe}`,
    BENCH_EVENT_LOOP_FILE: loop,
    LIVE_PROCESSES: String(processes),
    ORIGIN_PROCESSES: String(processes),
    WEB_PROCESSES: '1',
  });
  const publishers = Math.max(...options.publishers);
  const channels = await service.openChannels(publishers);
  await publishAll(scope, clip, channels);
  await sleep(options.warmUp * 1_000);
  const pids = service.measuredProcesses[0]?.pids ?? [];
  const readLoop = async () => (await readFile(loop, 'utf8')).trim().split('\n');
  const [loopBefore, cpuBefore, startedAt] = [(await readLoop()).length, cpuSeconds(pids), performance.now()];
  const checks = channels.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
  await watch(checks, options.window);
  const streamMinutes = ((performance.now() - startedAt) / 60_000) * publishers;
  const cpuPerStreamMinute = (cpuSeconds(pids) - cpuBefore) / streamMinutes;
  const late = (await readLoop()).slice(loopBefore).flatMap((line) => lateness.parse(JSON.parse(line)));
  const missing = (await Promise.all(checks.map((check) => check.finish(segmentSeconds)))).flat().length;

  // The newest segment stays in the window for the whole load.
  const segment = (await readPlaylist(channels[0]?.playlistUrl ?? ''))?.segments.at(-1);
  if (!segment) throw new Error('no segment to load');
  const load = await loadHttp({ url: segment.url, headers: {} }, loadSeconds);
  const { requestsPerSecond: segmentsPerSecond, latencyP99 } = load;
  return { processes, late, cpuPerStreamMinute, missing, segmentsPerSecond, latencyP99 };
}

/** Shorter than the time for which a segment stays in a playlist. */
const loadSeconds = 8;

function report(results: readonly Measurement[]): string {
  const [firstResult] = results;
  const rows: Row[] = results.map((result) => [
    result.processes,
    digits(percentile(result.late, 0.99), 1),
    firstResult ? ratio(percentile(result.late, 0.99), percentile(firstResult.late, 0.99)) : '',
    digits(result.cpuPerStreamMinute, 3),
    firstResult ? ratio(result.cpuPerStreamMinute, firstResult.cpuPerStreamMinute) : '',
    result.missing,
    digits(result.segmentsPerSecond, 0),
    firstResult ? ratio(result.segmentsPerSecond, firstResult.segmentsPerSecond) : '',
    digits(result.latencyP99, 0),
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
  explains:
    'The service runs with one live and one origin process, and then with two of each. The largest number of `--publishers` ' +
    'sends the clip of "Ingest and packaging" in real time; a probe in each live process measures the delay of its event ' +
    'loop. Then 50 connections fetch one segment through the shared port as fast as they can. Publishers, ' +
    'load and service share the cores, so only a machine with more cores than processes shows a gain.',
  defaults: { runs: 1, window: 30, warmUp: 10 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const results: Measurement[] = [];
    for (const count of counts) {
      options.progress(`${count} of each role`);
      results.push(
        await within(scope, (inner) => measure(inner, directory, { clip, processes: count, options })),
      );
    }
    return report(results);
  },
};
