import { buildBareNext } from './lib/bare-next';
import type { Bench } from './lib/bench';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { createStreams } from './lib/create-streams';
import { runHttpLoad, type LoadRequest, type Throughput } from './lib/http-load';

/** Throughput of API routes (authentication, query, serialization, validation) relative to a bare Next route. */

const PAGE_SIZE = 20;
const STREAM_COUNT = 10_000;

/** An endpoint and its results. */
interface MeasuredEndpoint {
  /** Method, path and description for the table. */
  readonly endpoint: string;
  /** Goal for the ratio of its throughput to that of the bare route. */
  readonly goal: string;
  readonly headwater: LoadRequest;
  readonly bare: LoadRequest;
  readonly rounds: { readonly headwater: Throughput; readonly bare: Throughput }[];
}

/** Formats a table with a row for each endpoint, with medians of the rounds. */
function formatResults(measurements: readonly MeasuredEndpoint[]): string {
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
    measurements.map(({ endpoint, goal, rounds }) => {
      const medianOf = (side: 'headwater' | 'bare', read: (throughput: Throughput) => number) =>
        median(rounds.map((round) => read(round[side])));
      const [headwater, bare] = (['headwater', 'bare'] as const).map((side) =>
        medianOf(side, (throughput) => throughput.requestsPerSecond),
      );
      return [
        endpoint,
        formatRatio(headwater ?? 0, bare ?? 0),
        goal,
        formatNumber(headwater ?? 0, 0),
        formatNumber(bare ?? 0, 0),
        formatNumber(
          medianOf('headwater', (throughput) => throughput.latencyP50),
          0,
        ),
        formatNumber(
          medianOf('headwater', (throughput) => throughput.latencyP99),
          0,
        ),
        formatNumber(
          medianOf('bare', (throughput) => throughput.latencyP99),
          0,
        ),
      ];
    }),
  );
}

export const endpoints: Bench = {
  title: 'The busiest endpoints',
  explanation:
    '50 connections send requests with a Bearer key, in turns to Headwater and to a bare route of the same Next ' +
    'version that returns the same JSON. Each server has one process and is warmed up before. Finally, one connection ' +
    `requests a page of ${PAGE_SIZE} of ${STREAM_COUNT.toLocaleString('en')} streams. Goal: p95 below 50 ms.`,
  defaults: { runs: 3, window: 5, warmUp: 4 },
  async run(scope, directory, options) {
    const service = await startHeadwater(scope, directory);
    await createStreams(service.createStream, PAGE_SIZE);
    const headers = { authorization: `Bearer ${await service.createApiKey('endpoints')}` };
    const fetchText = async (path: string) => (await fetch(`${service.baseUrl}${path}`, { headers })).text();
    const listPath = `/api/stream?limit=${PAGE_SIZE}`;
    const [firstStream] = JSON.parse(await fetchText(listPath)) as { id: string }[];
    if (!firstStream) throw new Error('no stream was created');
    const startBare = await buildBareNext(scope);
    const measuredEndpoints: [endpoint: string, path: string, goal: string][] = [
      ['`GET /api/stream/{id}`', `/api/stream/${firstStream.id}`, '≥ 0.85'],
      [`\`GET /api/stream\`, ${PAGE_SIZE} rows`, listPath, '≥ 0.6'],
      ['`GET /api/session`', '/api/session', ''],
      ['`GET /api/asset`', '/api/asset', ''],
      ['`GET /api/user/me`', '/api/user/me', ''],
    ];
    const measurements: MeasuredEndpoint[] = [];
    for (const [endpoint, path, goal] of measuredEndpoints) {
      const bare = { url: await startBare(await fetchText(path)), headers };
      const measurement = {
        endpoint,
        goal,
        headwater: { url: service.baseUrl + path, headers },
        bare,
        rounds: [],
      };
      measurements.push(measurement);
    }
    for (const { headwater, bare } of measurements) {
      await runHttpLoad(headwater, options.warmUp);
      await runHttpLoad(bare, options.warmUp);
    }
    for (let round = 0; round < options.runs; round += 1) {
      for (const { endpoint, headwater, bare, rounds } of measurements) {
        rounds.push({
          headwater: await runHttpLoad(headwater, options.window),
          bare: await runHttpLoad(bare, options.window),
        });
        options.progress(`round ${round + 1}: ${endpoint}`);
      }
    }
    options.progress(`creating ${STREAM_COUNT} streams`);
    await createStreams(service.createStream, STREAM_COUNT - PAGE_SIZE);
    const url = service.baseUrl + listPath;
    const pageLoad = await runHttpLoad({ url, headers }, options.window, 1);
    const latency = `p50 ${formatNumber(pageLoad.latencyP50, 0)} ms, p97.5 ${formatNumber(pageLoad.latencyP97, 0)} ms, p99 ${formatNumber(pageLoad.latencyP99, 0)} ms`;
    return `${formatResults(measurements)}\n\n${PAGE_SIZE} of ${STREAM_COUNT.toLocaleString('en')} streams: ${latency}.`;
  },
};
