import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, percentile, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { LowLatencyViewer } from './lib/low-latency-viewer';
import { freePorts } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import { within, type Scope } from './lib/scope';
import { startProcess, untilHealthy } from './lib/start-process';

/** CPU cost of many low-latency viewers of one stream, and the latency of their playlist reloads. */

const viewerCounts = [1, 100, 1_000];
const settleMs = 3_000;
/** With fewer reloads, other work of the process dominates its CPU time. */
const minReloadsForCpu = 10_000;

/** The server and the playlists that viewers load. */
export interface Server {
  readonly name: string;
  /** URL of a master playlist, for each viewer. */
  readonly urlOf: (viewer: number) => string;
  readonly pid: number;
}

export interface Measurement {
  /** Requests per second to the live process. */
  readonly requestRate: number;
  readonly reloadMs: readonly number[];
  readonly failures: number;
  /** CPU time of the server per reload. */
  readonly cpuMicroseconds: number;
}

const requestsIn = async (file: string): Promise<number[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);

/**
 * Measures a number of viewers.
 * @param file in which the live process counts its requests
 */
export async function measure(
  { urlOf, pid }: Server,
  viewers: number,
  file: string,
  seconds: number,
): Promise<Measurement> {
  const clients = Array.from({ length: viewers }, (_, viewer) => new LowLatencyViewer(urlOf(viewer)));
  await sleep(settleMs);
  for (const client of clients) client.reloadMs.length = 0;
  const [requestsBefore, cpu] = [(await requestsIn(file)).length, cpuSeconds([pid])];
  await sleep(seconds * 1_000);
  const cpuSecondsUsed = cpuSeconds([pid]) - cpu;
  const reloadMs = clients.flatMap((client) => client.reloadMs);
  const requests = (await requestsIn(file)).slice(requestsBefore);
  for (const client of clients) client.stop();
  return {
    requestRate: requests.reduce((sum, count) => sum + count, 0) / requests.length,
    reloadMs,
    failures: clients.filter(({ failed }) => failed).length,
    cpuMicroseconds: (cpuSecondsUsed * 1e6) / reloadMs.length,
  };
}

/** Starts the minimal Node server for comparison. */
async function startBare(scope: Scope, mediaPlaylist: string): Promise<Server> {
  const [port = 0] = await freePorts(1);
  const program = join(import.meta.dirname, 'lib/bare-fan-out.mjs');
  const bareServer = startProcess(process.execPath, [program, mediaPlaylist, String(port)], { scope });
  const url = `http://127.0.0.1:${port}/master.m3u8`;
  await untilHealthy(bareServer, url, 10_000);
  return { name: 'bare node:http', urlOf: () => url, pid: bareServer.pid };
}

function row({ name }: Server, viewers: number, measurement: Measurement, bare?: Measurement) {
  const { requestRate, reloadMs, failures, cpuMicroseconds } = measurement;
  const times = [0.5, 0.99, 1].map((share) => digits(percentile(reloadMs, share), 0));
  const toBare = bare ? ratio(cpuMicroseconds, bare.cpuMicroseconds) : '';
  const cpu = reloadMs.length < minReloadsForCpu ? ['', ''] : [digits(cpuMicroseconds, 0), toBare];
  return [name, viewers, digits(requestRate, 1), reloadMs.length, ...times, ...cpu, failures];
}

async function compare(scope: Scope, headwater: Server, media: string, file: string, options: BenchOptions) {
  const rows = [];
  for (const viewers of viewerCounts) {
    options.progress(`${viewers} viewers`);
    const bare = await within(scope, async (inner) => {
      const server = await startBare(inner, media);
      return { server, measured: await measure(server, viewers, file, options.window) };
    });
    const measurement = await measure(headwater, viewers, file, options.window);
    rows.push(row(headwater, viewers, measurement, bare.measured), row(bare.server, viewers, bare.measured));
  }
  return rows;
}

/** The service, whose live process counts its requests in a file. */
export async function startCounted(scope: Scope, directory: string) {
  const file = join(directory, 'requests.txt');
  const probe = pathToFileURL(join(import.meta.dirname, 'lib/request-probe.mjs')).href;
  const service = await startHeadwater(scope, directory, {
    NODE_OPTIONS: `--import ${probe}`,
    BENCH_REQUESTS_FILE: file,
  });
  return { service, file };
}

export const lowLatencyViewers: Bench = {
  title: 'Many low-latency viewers of one stream',
  explains:
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
    const { service, file } = await startCounted(scope, directory);
    const [channel] = await service.openChannels(1);
    if (!channel) throw new Error('no channel');
    await publishAll(scope, clip, [channel]);
    await sleep(options.warmUp * 1_000);
    const { playlistUrl: url } = channel;
    const headwater = { name: 'Headwater', urlOf: () => url, pid: service.pidOf('origin') };
    const media = new URL('source/index.m3u8', url).href;
    const rows = await compare(scope, headwater, media, file, options);
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
