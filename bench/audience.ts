import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { freePorts, waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** CPU cost of player reports on an origin that also serves live streams. */

const reportsPerSecond = 2_000;
const liveStreams = 10;
const ticksPerSecond = 20;
/** Each network (IP prefix) may send 1,200 requests a minute. */
const networks = 1_000;
/** Each view reports every 20 s. */
const views = reportsPerSecond * 20;

interface Target {
  readonly base: string;
  readonly pathOf: (report: number) => string;
  readonly pid: number;
}

/**
 * Sends reports at a fixed rate for some seconds.
 * @returns the number of accepted reports and the CPU seconds of the server
 */
async function send({ base, pathOf, pid }: Target, seconds: number) {
  const pool = new Pool(base, { connections: 64 });
  const cpuBefore = cpuSeconds([pid]);
  const startedAt = performance.now();
  const perTick = reportsPerSecond / ticksPerSecond;
  const pending = new Set<Promise<void>>();
  let acceptedCount = 0;
  for (let tick = 0; tick < seconds * ticksPerSecond; tick += 1) {
    for (let index = 0; index < perTick; index += 1) {
      const report = tick * perTick + index;
      const pendingPost = post(pool, pathOf(report), report).then((status) => {
        acceptedCount += Number(status === 204);
        pending.delete(pendingPost);
      });
      pending.add(pendingPost);
    }
    await sleep(Math.max(0, startedAt + ((tick + 1) * 1_000) / ticksPerSecond - performance.now()));
  }
  await Promise.all(pending);
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return { taken: acceptedCount, elapsed: elapsedSeconds, cpu: cpuSeconds([pid]) - cpuBefore };
}

async function post(pool: Pool, path: string, report: number): Promise<number> {
  const view = report % views;
  const sequence = Math.floor(report / views) + 1;
  const measures = 'br=(2000),com.headwater-height="720",e=t,lb=(2000),ltc=2400,mtp=(9000)';
  const { statusCode, body } = await pool.request({
    path,
    method: 'POST',
    headers: {
      'content-type': 'text/plain',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36',
      'x-forwarded-for': `10.${view % 4}.${Math.floor(view / 4) % (networks / 4)}.1`,
    },
    body: `${measures},sid="view-${view}",sn=${sequence},sta=p,ts=${Date.now()},v=2`,
  });
  await body.dump();
  return statusCode;
}

async function startBare(scope: Scope): Promise<Target> {
  const [port = 0] = await freePorts(1);
  const script = join(import.meta.dirname, 'lib/bare-post.mjs');
  const server = startProcess(process.execPath, [script, String(port)], { scope });
  const base = `http://127.0.0.1:${port}`;
  const answer = () =>
    fetch(base, { method: 'POST' }).then(
      () => true,
      () => undefined,
    );
  await waitFor('the bare server', answer, { timeoutMs: 10_000, everyMs: 100 });
  return { base, pathOf: () => '/', pid: server.pid };
}

async function run(scope: Scope, directory: string, { runs, window, progress }: BenchOptions) {
  const service = await startHeadwater(scope, directory, { TRUSTED_PROXIES: '127.0.0.0/8' });
  const channels = await service.openChannels(liveStreams);
  await publishAll(scope, await makeClip(directory), channels);
  const ids = channels.map(({ playlistUrl }) => playlistUrl.split('/').at(-2) ?? '');
  const pathOf = (report: number) => `/cmcd/${ids[report % liveStreams] ?? ''}`;
  const serviceTarget = { base: service.cdnUrl, pathOf, pid: service.pidOf('origin') };
  const bare = await startBare(scope);
  const results = { ours: [] as number[], bare: [] as number[], taken: [] as number[] };
  for (let number = 0; number < runs; number += 1) {
    progress(`run ${number + 1} of ${runs}`);
    const before = cpuSeconds([serviceTarget.pid]);
    await sleep(window * 1_000);
    const idle = (cpuSeconds([serviceTarget.pid]) - before) / window;
    const serviceResult = await send(serviceTarget, window);
    const bareResult = await send(bare, window);
    const per1000 = (cpu: number, acceptedCount: number) => (cpu / acceptedCount) * 1_000;
    results.ours.push(per1000(serviceResult.cpu - idle * serviceResult.elapsed, serviceResult.taken));
    results.bare.push(per1000(bareResult.cpu, bareResult.taken));
    results.taken.push(serviceResult.taken / (window * reportsPerSecond));
  }
  const [cost, bareCost] = [median(results.ours), median(results.bare)];
  return [
    markdownTable(
      ['reports', 'Headwater (CPU-s per 1,000)', 'bare server (CPU-s per 1,000)', 'ratio', 'taken'],
      [
        [
          `${reportsPerSecond} a second beside ${liveStreams} live streams`,
          digits(cost, 3),
          digits(bareCost, 3),
          ratio(cost, bareCost),
          `${digits(median(results.taken) * 100, 1)} %`,
        ],
      ],
    ),
    `A viewer reports three times a minute: ${digits(cost * 3 * 60, 1)} CPU-ms of the origin for an hour of watching.`,
  ].join('\n\n');
}

export const audience: Bench = {
  title: 'Audience',
  explains:
    `Players report ${views} views of ${liveStreams} live streams, one view in each request, at a fixed rate. The result is the ` +
    'processor time of the origin beyond what it takes without reports. A bare server reads the same requests and answers 204.',
  defaults: { runs: 3, window: 20, warmUp: 0 },
  run,
};
