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

/** What many low-latency viewers of one stream cost the live process, and how long they wait for a part. */

const crowds = [1, 100, 1_000];
const settleMs = 3_000;
const fewReloads = 10_000;

/** Who answers the viewers. */
interface Server {
  readonly name: string;
  /** Of a master playlist. */
  readonly url: string;
  readonly pid: number;
}

interface Measured {
  /** A second, of the live process. */
  readonly asked: number;
  readonly held: readonly number[];
  readonly failures: number;
  /** Of the server, for one reload. */
  readonly cpuMicroseconds: number;
}

const requestsIn = async (file: string): Promise<number[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);

async function measure(
  { url, pid }: Server,
  viewers: number,
  file: string,
  seconds: number,
): Promise<Measured> {
  const crowd = Array.from({ length: viewers }, () => new LowLatencyViewer(url));
  await sleep(settleMs);
  for (const viewer of crowd) viewer.held.length = 0;
  const [before, cpu] = [(await requestsIn(file)).length, cpuSeconds([pid])];
  await sleep(seconds * 1_000);
  const used = cpuSeconds([pid]) - cpu;
  const held = crowd.flatMap((viewer) => viewer.held);
  const asked = (await requestsIn(file)).slice(before);
  for (const viewer of crowd) viewer.stop();
  return {
    asked: asked.reduce((sum, count) => sum + count, 0) / asked.length,
    held,
    failures: crowd.filter(({ failed }) => failed).length,
    cpuMicroseconds: (used * 1e6) / held.length,
  };
}

/** Beside it, in the same run: the least that a server in Node can do with the same bytes at the same moments. */
async function startBare(scope: Scope, mediaPlaylist: string): Promise<Server> {
  const [port = 0] = await freePorts(1);
  const program = join(import.meta.dirname, 'lib/bare-fan-out.mjs');
  const started = startProcess(process.execPath, [program, mediaPlaylist, String(port)], { scope });
  const url = `http://127.0.0.1:${port}/master.m3u8`;
  await untilHealthy(started, url, 10_000);
  return { name: 'bare node:http', url, pid: started.pid };
}

function row({ name }: Server, viewers: number, measured: Measured, bare?: Measured) {
  const { asked, held, failures, cpuMicroseconds } = measured;
  const times = [0.5, 0.99, 1].map((share) => digits(percentile(held, share), 0));
  const toBare = bare ? ratio(cpuMicroseconds, bare.cpuMicroseconds) : '';
  // What a process does besides would be most of it.
  const cpu = held.length < fewReloads ? ['', ''] : [digits(cpuMicroseconds, 0), toBare];
  return [name, viewers, digits(asked, 1), held.length, ...times, ...cpu, failures];
}

async function compare(scope: Scope, ours: Server, media: string, file: string, options: BenchOptions) {
  const rows = [];
  for (const viewers of crowds) {
    options.progress(`${viewers} viewers`);
    const bare = await within(scope, async (inner) => {
      const server = await startBare(inner, media);
      return { server, measured: await measure(server, viewers, file, options.window) };
    });
    const measured = await measure(ours, viewers, file, options.window);
    rows.push(row(ours, viewers, measured, bare.measured), row(bare.server, viewers, bare.measured));
  }
  return rows;
}

export const lowLatencyViewers: Bench = {
  title: 'Many low-latency viewers of one stream',
  explains:
    'Viewers reload the low-latency playlist of one stream over one connection each. Every reload waits for ' +
    'the next 500 ms part and is timed from the request to the last byte. "Requests a second to live" are ' +
    'all HTTP requests that reach the live process, counted inside it. Goals: they do not grow with the ' +
    'viewers, and p99 of a reload is at most one part plus 100 ms. The viewers are plain sockets in one ' +
    'process with a minimal parser; with a full HTTP client they waited for each other longer than for the ' +
    'server. "Bare node:http" follows the stream as one viewer and sends the same bytes to the same viewers, ' +
    'and does nothing else: the lower bound for a server in Node.',
  defaults: { runs: 1, window: 20, warmUp: 5 },
  async run(scope, directory, options) {
    const file = join(directory, 'requests.txt');
    const probe = pathToFileURL(join(import.meta.dirname, 'lib/request-probe.mjs')).href;
    const clip = await makeClip(directory);
    const service = await startHeadwater(scope, directory, {
      NODE_OPTIONS: `--import ${probe}`,
      BENCH_REQUESTS_FILE: file,
    });
    const [channel] = await service.openChannels(1);
    if (!channel) throw new Error('no channel');
    await publishAll(scope, clip, [channel]);
    await sleep(options.warmUp * 1_000);
    const { playlistUrl: url } = channel;
    const ours = { name: 'Headwater', url, pid: service.pidOf('origin') };
    const media = new URL('source/index.m3u8', url).href;
    const rows = await compare(scope, ours, media, file, options);
    return markdownTable(
      [
        ...[
          'server',
          'viewers',
          'requests a second to live',
          'reloads',
          'p50 (ms)',
          'p99 (ms)',
          'longest (ms)',
        ],
        ...['CPU of the server a reload (µs)', '÷ bare', 'failed'],
      ],
      rows,
    );
  },
};
