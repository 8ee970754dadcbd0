import { startBareNext } from './lib/bare-next';
import type { Bench } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { loadHttp, type Load, type Throughput } from './lib/http-load';

/** What the API does beyond Next itself (key, tenant, query, serialising, checking), as a share of a bare route. */

const rows = 20;

interface Contestant {
  readonly name: string;
  readonly load: Load;
  readonly rounds: Throughput[];
}

function report(contestants: readonly Contestant[]): string {
  const rate = ({ rounds }: Contestant) => median(rounds.map(({ requestsPerSecond }) => requestsPerSecond));
  const bare = contestants.at(-1);
  return markdownTable(
    ['route', 'share of the bare route', 'requests/s, median round', 'p50 (ms)', 'p99 (ms)', 'rounds'],
    contestants.map((contestant) => [
      contestant.name,
      bare ? ratio(rate(contestant), rate(bare)) : '',
      digits(rate(contestant), 0),
      digits(median(contestant.rounds.map(({ latencyP50 }) => latencyP50)), 0),
      digits(median(contestant.rounds.map(({ latencyP99 }) => latencyP99)), 0),
      contestant.rounds.length,
    ]),
  );
}

export const listStreams: Bench = {
  title: 'Listing streams',
  explains:
    `\`GET /api/stream\` with a Bearer key and ${rows} rows, beside a bare route of the same Next version that answers ` +
    `the same JSON. 50 connections; one server process each, both up all ` +
    'the time, rounds take turns after a warm-up round. The goal: a share of at least 0.5.',
  defaults: { runs: 5, window: 6, warmUp: 5 },
  async run(scope, directory, options) {
    const headwater = await startHeadwater(scope, directory);
    for (let row = 0; row < rows; row += 1) await headwater.createStream(`stream ${row}`);
    const headers = { authorization: `Bearer ${await headwater.createKey('listing')}` };
    const url = `${headwater.baseUrl}/api/stream?limit=${rows}`;
    const answer = await (await fetch(url, { headers })).text();
    const listed: unknown = JSON.parse(answer);
    if (!Array.isArray(listed) || listed.length !== rows) throw new Error(`not ${rows} rows: ${answer}`);
    const bareUrl = await startBareNext(scope, directory, answer);
    const contestants: Contestant[] = [
      { name: 'Headwater', load: { url, headers }, rounds: [] },
      { name: 'bare Next', load: { url: bareUrl, headers }, rounds: [] },
    ];
    for (const { load } of contestants) await loadHttp(load, options.warmUp);
    for (let round = 0; round < options.runs; round += 1) {
      for (const { name, load, rounds } of contestants) {
        const measured = await loadHttp(load, options.window);
        options.progress(`${name}: ${digits(measured.requestsPerSecond, 0)} requests/s`);
        rounds.push(measured);
      }
    }
    return report(contestants);
  },
};
