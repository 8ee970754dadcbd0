import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { findFreePorts, waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** CPU time that an origin spends on the reports of players (CMCD), while it also serves live streams. */

const REPORTS_PER_SECOND = 2_000;
const LIVE_STREAMS = 10;
const TICKS_PER_SECOND = 20;
/** Each network (IP prefix) may send 1,200 requests a minute. */
const NETWORKS = 1_000;
/** Each view reports every 20 s. */
const VIEWS = REPORTS_PER_SECOND * 20;

/** A server that receives reports. */
interface ReportServer {
  readonly baseUrl: string;
  /** Returns the URL path of the report with this number. */
  readonly pathOf: (report: number) => string;
  readonly pid: number;
}

/**
 * Sends reports at a fixed rate for some seconds.
 * @returns the number of accepted reports, the elapsed seconds and the CPU seconds of the server
 */
async function sendReports({ baseUrl, pathOf, pid }: ReportServer, seconds: number) {
  const pool = new Pool(baseUrl, { connections: 64 });
  const cpuBefore = cpuSeconds([pid]);
  const startedAt = performance.now();
  const reportsPerTick = REPORTS_PER_SECOND / TICKS_PER_SECOND;
  const pending = new Set<Promise<void>>();
  let acceptedCount = 0;
  for (let tick = 0; tick < seconds * TICKS_PER_SECOND; tick += 1) {
    for (let index = 0; index < reportsPerTick; index += 1) {
      const report = tick * reportsPerTick + index;
      const pendingPost = post(pool, pathOf(report), report).then((status) => {
        acceptedCount += Number(status === 204);
        pending.delete(pendingPost);
      });
      pending.add(pendingPost);
    }
    await sleep(Math.max(0, startedAt + ((tick + 1) * 1_000) / TICKS_PER_SECOND - performance.now()));
  }
  await Promise.all(pending);
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return { acceptedCount, elapsedSeconds, cpuSeconds: cpuSeconds([pid]) - cpuBefore };
}

/** Sends a report, and returns the status of the response. */
async function post(pool: Pool, path: string, report: number): Promise<number> {
  const view = report % VIEWS;
  const sequence = Math.floor(report / VIEWS) + 1;
  const measures = 'br=(2000),com.headwater-height="720",e=t,lb=(2000),ltc=2400,mtp=(9000)';
  const { statusCode, body } = await pool.request({
    path,
    method: 'POST',
    headers: {
      'content-type': 'text/plain',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36',
      'x-forwarded-for': `10.${view % 4}.${Math.floor(view / 4) % (NETWORKS / 4)}.1`,
    },
    body: `${measures},sid="view-${view}",sn=${sequence},sta=p,ts=${Date.now()},v=2`,
  });
  await body.dump();
  return statusCode;
}

async function startBareServer(scope: Scope): Promise<ReportServer> {
  const [port = 0] = await findFreePorts(1);
  const script = join(import.meta.dirname, 'lib/bare-post.mjs');
  const server = startProcess(process.execPath, [script, String(port)], { scope });
  const baseUrl = `http://127.0.0.1:${port}`;
  const checkResponse = () =>
    fetch(baseUrl, { method: 'POST' }).then(
      () => true,
      () => undefined,
    );
  await waitFor('the bare server', checkResponse, { timeoutMs: 10_000, everyMs: 100 });
  return { baseUrl, pathOf: () => '/', pid: server.pid };
}

async function run(scope: Scope, directory: string, { runs, window, progress }: BenchOptions) {
  const service = await startHeadwater(scope, directory, { TRUSTED_PROXIES: '127.0.0.0/8' });
  const streams = await service.openStreams(LIVE_STREAMS);
  await publishAll(scope, await makeClip(directory), streams);
  const ids = streams.map(({ playlistUrl }) => playlistUrl.split('/').at(-2) ?? '');
  const pathOf = (report: number) => `/cmcd/${ids[report % LIVE_STREAMS] ?? ''}`;
  const serviceTarget = { baseUrl: service.cdnUrl, pathOf, pid: service.pidOf('origin') };
  const bareServer = await startBareServer(scope);
  // CPU seconds per 1,000 reports, and fraction of accepted reports, of each run.
  const results = { service: [] as number[], bare: [] as number[], accepted: [] as number[] };
  for (let runIndex = 0; runIndex < runs; runIndex += 1) {
    progress(`run ${runIndex + 1} of ${runs}`);
    const cpuBefore = cpuSeconds([serviceTarget.pid]);
    await sleep(window * 1_000);
    const idleCpuPerSecond = (cpuSeconds([serviceTarget.pid]) - cpuBefore) / window;
    const serviceResult = await sendReports(serviceTarget, window);
    const bareResult = await sendReports(bareServer, window);
    const cpuPer1000 = (cpu: number, reportCount: number) => (cpu / reportCount) * 1_000;
    results.service.push(
      cpuPer1000(
        serviceResult.cpuSeconds - idleCpuPerSecond * serviceResult.elapsedSeconds,
        serviceResult.acceptedCount,
      ),
    );
    results.bare.push(cpuPer1000(bareResult.cpuSeconds, bareResult.acceptedCount));
    results.accepted.push(serviceResult.acceptedCount / (window * REPORTS_PER_SECOND));
  }
  const [cost, bareCost] = [median(results.service), median(results.bare)];
  return [
    markdownTable(
      ['reports', 'Headwater (CPU-s per 1,000)', 'bare server (CPU-s per 1,000)', 'ratio', 'accepted'],
      [
        [
          `${REPORTS_PER_SECOND} a second beside ${LIVE_STREAMS} live streams`,
          formatNumber(cost, 3),
          formatNumber(bareCost, 3),
          formatRatio(cost, bareCost),
          `${formatNumber(median(results.accepted) * 100, 1)} %`,
        ],
      ],
    ),
    `A viewer reports three times a minute: ${formatNumber(cost * 3 * 60, 1)} CPU-ms of the origin for an hour of watching.`,
  ].join('\n\n');
}

export const audience: Bench = {
  title: 'Audience',
  explanation:
    `Players report ${VIEWS} views of ${LIVE_STREAMS} live streams, one view in each request, at a fixed rate. The result is the ` +
    'CPU time of the origin beyond what it takes without reports. A bare server reads the same requests and answers 204.',
  defaults: { runs: 3, window: 20, warmUp: 0 },
  run,
};
