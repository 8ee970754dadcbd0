import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Bench } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, percentile } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { LowLatencyViewer } from './lib/low-latency-viewer';

/** What many low-latency viewers of one stream cost the live process, and how long they wait for a part. */

const crowds = [1, 100, 1_000];

const requestsIn = async (file: string): Promise<number[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);

interface Measured {
  readonly viewers: number;
  readonly asked: number;
  readonly held: readonly number[];
  readonly failures: number;
}

async function measure(url: string, viewers: number, file: string, seconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const crowd = Array.from({ length: viewers }, () => new LowLatencyViewer(url, agent));
  const following = Promise.all(crowd.map((viewer) => viewer.follow()));
  await sleep(3_000);
  for (const viewer of crowd) viewer.held.length = 0;
  const before = (await requestsIn(file)).length;
  await sleep(seconds * 1_000);
  const asked = (await requestsIn(file)).slice(before);
  for (const viewer of crowd) viewer.stop();
  await following;
  agent.destroy();
  return {
    viewers,
    asked: asked.reduce((sum, count) => sum + count, 0) / asked.length,
    held: crowd.flatMap((viewer) => viewer.held),
    failures: crowd.reduce((sum, viewer) => sum + viewer.failures, 0),
  };
}

export const lowLatencyViewers: Bench = {
  title: 'Many low-latency viewers of one stream',
  explains:
    'Viewers reload the low-latency playlist of one stream over a connection each, every reload waiting for the next ' +
    'part of 500 ms. Asked of the live process: all HTTP requests that reach it, counted inside it. The goals: they do not ' +
    'grow with the viewers, and p99 of a reload is at most a part and 100 ms.',
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
    const url = new URL('source/index.m3u8', channel.playlistUrl).href;
    const rows = [];
    for (const viewers of crowds) {
      options.progress(`${viewers} viewers`);
      const { asked, held, failures } = await measure(url, viewers, file, options.window);
      const times = [0.5, 0.99, 1].map((share) => digits(percentile(held, share), 0));
      rows.push([viewers, digits(asked, 1), held.length, ...times, failures]);
    }
    return markdownTable(
      ['viewers', 'requests a second to live', 'reloads', 'p50 (ms)', 'p99 (ms)', 'longest (ms)', 'failed'],
      rows,
    );
  },
};
