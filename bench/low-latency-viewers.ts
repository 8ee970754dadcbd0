import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, percentile, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { LowLatencyViewer } from './lib/low-latency-viewer';
import { findFreePorts } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import { runInScope, type Scope } from './lib/scope';
import { startProcess, waitUntilHealthy } from './lib/start-process';

/** CPU cost of many low-latency viewers of one stream, and the latency of their playlist reloads. */

const viewerCounts = [1, 100, 1_000];
/** Time after which the first requests of the viewers have ended; then the measurement begins. */
const SETTLE_MS = 3_000;
/** Minimum number of reloads for a row with CPU times. With fewer reloads, other work dominates the CPU time of the process. */
const MIN_RELOADS_FOR_CPU = 10_000;

/** A server and the playlists that viewers load from it. */
export interface MeasuredServer {
  readonly name: string;
  /** Returns the URL of the master playlist of a viewer. */
  readonly urlOf: (viewer: number) => string;
  readonly pid: number;
}

export interface Measurement {
  /** Requests per second to the live process. */
  readonly requestRate: number;
  readonly reloadMs: readonly number[];
  readonly failures: number;
  /** CPU time of the server per reload, in microseconds. */
  readonly cpuMicroseconds: number;
}

const readRequestCounts = async (requestCountFile: string): Promise<number[]> =>
  (await readFile(requestCountFile, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);

/**
 * Measures a number of concurrent viewers.
 * @param requestCountFile file in which the live process counts its requests
 */
export async function measureViewers(
  { urlOf, pid }: MeasuredServer,
  viewerCount: number,
  requestCountFile: string,
  seconds: number,
): Promise<Measurement> {
  const clients = Array.from({ length: viewerCount }, (_, viewer) => new LowLatencyViewer(urlOf(viewer)));
  await sleep(SETTLE_MS);
  for (const client of clients) client.reloadMs.length = 0;
  const [requestsBefore, cpuBefore] = [(await readRequestCounts(requestCountFile)).length, cpuSeconds([pid])];
  await sleep(seconds * 1_000);
  const cpuSecondsUsed = cpuSeconds([pid]) - cpuBefore;
  const reloadMs = clients.flatMap((client) => client.reloadMs);
  const requests = (await readRequestCounts(requestCountFile)).slice(requestsBefore);
  for (const client of clients) client.stop();
  return {
    requestRate: requests.reduce((sum, count) => sum + count, 0) / requests.length,
    reloadMs,
    failures: clients.filter(({ failed }) => failed).length,
    cpuMicroseconds: (cpuSecondsUsed * 1e6) / reloadMs.length,
  };
}

/** Starts the minimal Node server for comparison. */
async function startBareServer(scope: Scope, mediaPlaylist: string): Promise<MeasuredServer> {
  const [port = 0] = await findFreePorts(1);
  const program = join(import.meta.dirname, 'lib/bare-fan-out.mjs');
  const bareServer = startProcess(process.execPath, [program, mediaPlaylist, String(port)], { scope });
  const url = `http://127.0.0.1:${port}/master.m3u8`;
  await waitUntilHealthy(bareServer, url, 10_000);
  return { name: 'bare node:http', urlOf: () => url, pid: bareServer.pid };
}

function formatRow(
  { name }: MeasuredServer,
  viewerCount: number,
  measurement: Measurement,
  bare?: Measurement,
) {
  const { requestRate, reloadMs, failures, cpuMicroseconds } = measurement;
  const reloadCells = [0.5, 0.99, 1].map((fraction) => formatNumber(percentile(reloadMs, fraction), 0));
  const ratioToBare = bare ? formatRatio(cpuMicroseconds, bare.cpuMicroseconds) : '';
  const cpu =
    reloadMs.length < MIN_RELOADS_FOR_CPU ? ['', ''] : [formatNumber(cpuMicroseconds, 0), ratioToBare];
  return [name, viewerCount, formatNumber(requestRate, 1), reloadMs.length, ...reloadCells, ...cpu, failures];
}

async function measureAllCounts(
  scope: Scope,
  headwater: MeasuredServer,
  mediaPlaylistUrl: string,
  requestCountFile: string,
  options: BenchOptions,
) {
  const rows = [];
  for (const viewerCount of viewerCounts) {
    options.progress(`${viewerCount} viewers`);
    const bare = await runInScope(scope, async (inner) => {
      const server = await startBareServer(inner, mediaPlaylistUrl);
      return {
        server,
        measured: await measureViewers(server, viewerCount, requestCountFile, options.window),
      };
    });
    const measurement = await measureViewers(headwater, viewerCount, requestCountFile, options.window);
    rows.push(
      formatRow(headwater, viewerCount, measurement, bare.measured),
      formatRow(bare.server, viewerCount, bare.measured),
    );
  }
  return rows;
}

/** Starts a service whose live process counts its requests in a file. */
export async function startCountedService(scope: Scope, directory: string) {
  const requestCountFile = join(directory, 'requests.txt');
  const probe = pathToFileURL(join(import.meta.dirname, 'lib/request-probe.mjs')).href;
  const service = await startHeadwater(scope, directory, {
    NODE_OPTIONS: `--import ${probe}`,
    BENCH_REQUESTS_FILE: requestCountFile,
  });
  return { service, file: requestCountFile };
}

export const lowLatencyViewers: Bench = {
  title: 'Many low-latency viewers of one stream',
  explanation:
    'Viewers reload the low-latency playlist of one stream over one connection each. Every reload waits for ' +
    'the next 500 ms part and is timed from the request to the last byte. "Requests per second to live" are ' +
    'all HTTP requests that reach the live process, counted inside it. Goals: these requests do not grow with the ' +
    'viewers, and p99 of a reload is at most one part plus 100 ms. The viewers are plain sockets in one ' +
    'process with a minimal parser; with a full HTTP client they waited for each other longer than for the ' +
    'server. "Bare node:http" follows the stream as one viewer and sends the same bytes to the same viewers, ' +
    'and does nothing else: it is the lower bound for a server in Node.',
  defaults: { runs: 1, window: 20, warmUp: 5 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const { service, file: requestCountFile } = await startCountedService(scope, directory);
    const [stream] = await service.openStreams(1);
    if (!stream) throw new Error('no stream');
    await publishAll(scope, clip, [stream]);
    await sleep(options.warmUp * 1_000);
    const { playlistUrl: url } = stream;
    const headwater = { name: 'Headwater', urlOf: () => url, pid: service.pidOf('origin') };
    const mediaPlaylistUrl = new URL('source/index.m3u8', url).href;
    const rows = await measureAllCounts(scope, headwater, mediaPlaylistUrl, requestCountFile, options);
    return markdownTable(
      [
        ...[
          'server',
          'viewers',
          'requests per second to live',
          'reloads',
          'p50 (ms)',
          'p99 (ms)',
          'longest (ms)',
        ],
        ...['CPU of the server per reload (µs)', '÷ bare', 'failed'],
      ],
      rows,
    );
  },
};
