import { buildBareNext } from './lib/bare-next';
import type { Bench } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { createStreams } from './lib/create-streams';
import { loadHttp, type Load, type Throughput } from './lib/http-load';

/** Throughput of API routes (authentication, query, serialization, validation) relative to a bare Next route. */

const pageSize = 20;
const manyRows = 10_000;

interface Contestant {
  readonly endpoint: string;
  readonly goal: string;
  readonly headwater: Load;
  readonly bare: Load;
  readonly rounds: { readonly headwater: Throughput; readonly bare: Throughput }[];
}

/** One row per endpoint, with medians over the rounds. */
function report(contestants: readonly Contestant[]): string {
  return markdownTable(
    [
      'endpoint',
      'share of a bare route',
      'goal',
      'requests/s',
      'bare',
      'p50 (ms)',
      'p99 (ms)',
      'bare p99 (ms)',
    ],
    contestants.map(({ endpoint, goal, rounds }) => {
      const mid = (side: 'headwater' | 'bare', pick: (throughput: Throughput) => number) =>
        median(rounds.map((round) => pick(round[side])));
      const [headwater, bare] = (['headwater', 'bare'] as const).map((side) =>
        mid(side, (throughput) => throughput.requestsPerSecond),
      );
      return [
        endpoint,
        ratio(headwater ?? 0, bare ?? 0),
        goal,
        digits(headwater ?? 0, 0),
        digits(bare ?? 0, 0),
        digits(
          mid('headwater', (throughput) => throughput.latencyP50),
          0,
        ),
        digits(
          mid('headwater', (throughput) => throughput.latencyP99),
          0,
        ),
        digits(
          mid('bare', (throughput) => throughput.latencyP99),
          0,
        ),
      ];
    }),
  );
}

export const endpoints: Bench = {
  title: 'The busiest endpoints',
  explains:
    '50 connections send requests with a Bearer key, in turns to Headwater and to a bare route of the same Next ' +
    'version that returns the same JSON. Each server has one process and is warmed up before. At last, one connection ' +
    `requests a page of ${pageSize} of ${manyRows.toLocaleString('en')} streams. Goal: p95 below 50 ms.`,
  defaults: { runs: 3, window: 5, warmUp: 4 },
  async run(scope, directory, options) {
    const headwater = await startHeadwater(scope, directory);
    await createStreams(headwater.createStream, pageSize);
    const headers = { authorization: `Bearer ${await headwater.createKey('endpoints')}` };
    const get = async (path: string) => (await fetch(`${headwater.baseUrl}${path}`, { headers })).text();
    const list = `/api/stream?limit=${pageSize}`;
    const [first] = JSON.parse(await get(list)) as { id: string }[];
    if (!first) throw new Error('no stream was created');
    const startBare = await buildBareNext(scope);
    const measuredEndpoints: [endpoint: string, path: string, goal: string][] = [
      ['`GET /api/stream/{id}`', `/api/stream/${first.id}`, '≥ 0.6'],
      [`\`GET /api/stream\`, ${pageSize} rows`, list, '≥ 0.5'],
      ['`GET /api/session`', '/api/session', ''],
      ['`GET /api/asset`', '/api/asset', ''],
      ['`GET /api/user/me`', '/api/user/me', ''],
    ];
    const contestants: Contestant[] = [];
    for (const [endpoint, path, goal] of measuredEndpoints) {
      const bare = { url: await startBare(await get(path)), headers };
      const contestant = {
        endpoint,
        goal,
        headwater: { url: headwater.baseUrl + path, headers },
        bare,
        rounds: [],
      };
      contestants.push(contestant);
    }
    for (const { headwater, bare } of contestants) {
      await loadHttp(headwater, options.warmUp);
      await loadHttp(bare, options.warmUp);
    }
    for (let round = 0; round < options.runs; round += 1) {
      for (const { endpoint, headwater, bare, rounds } of contestants) {
        rounds.push({
          headwater: await loadHttp(headwater, options.window),
          bare: await loadHttp(bare, options.window),
        });
        options.progress(`round ${round + 1}: ${endpoint}`);
      }
    }
    options.progress(`creating ${manyRows} streams`);
    await createStreams(headwater.createStream, manyRows - pageSize);
    const url = headwater.baseUrl + list;
    const page = await loadHttp({ url, headers }, options.window, 1);
    const latency = `p50 ${digits(page.latencyP50, 0)} ms, p97.5 ${digits(page.latencyP97, 0)} ms, p99 ${digits(page.latencyP99, 0)} ms`;
    return `${report(contestants)}\n\n${pageSize} of ${manyRows.toLocaleString('en')} streams: ${latency}.`;
  },
};
