import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './lib/bench';
import { makeClip, publisherArguments } from './lib/clip';
import { formatNumber, markdownTable, median, percentile, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { readFirstPart, readPlaylist } from './lib/hls-reader';
import { fetchBody, waitFor } from './lib/network';
import { startNginxRtmp } from './lib/nginx-rtmp';
import { startPublishTap } from './lib/publish-tap';
import type { StreamUrls, StartService } from './lib/rtmp-service';
import { runInScope, type Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** Time from the start of a publish until a viewer can fetch a playlist and its first segment. */

const POLL_MS = 20;
const BETWEEN_RUNS_MS = 500;

/** Times of one publish. */
interface Startup {
  /** Seconds until the first segment was fetched, from the start of the publisher and from its first media at the relay. */
  readonly fromSpawn: number;
  readonly fromMedia: number;
  /** Seconds until the first part was fetched. Undefined if the server has no parts. */
  readonly partFromSpawn: number | undefined;
  readonly partFromMedia: number | undefined;
}

/** Measures one publish to a new stream. */
async function measure(scope: Scope, clip: string, stream: StreamUrls, hasParts: boolean): Promise<Startup> {
  const tap = await startPublishTap(scope, stream.publishUrl);
  const publisher = startProcess('ffmpeg', publisherArguments(clip, tap.url), { scope, graceMs: 2_000 });
  const waitUntilFetched = (label: string, findUrl: () => Promise<string | undefined>): Promise<number> =>
    waitFor(
      label,
      async () => {
        if (!publisher.isRunning()) throw new Error(`the publisher ended: ${publisher.output()}`);
        const url = await findUrl();
        return url && (await fetchBody(url))?.length ? performance.now() : undefined;
      },
      { timeoutMs: 15_000, everyMs: POLL_MS },
    );
  const partFetchedAt = hasParts
    ? await waitUntilFetched('a part', () => readFirstPart(stream.playlistUrl))
    : undefined;
  const playableAt = await waitUntilFetched(
    'a playlist with a segment',
    async () => (await readPlaylist(stream.playlistUrl))?.segments[0]?.url,
  );
  const firstMediaAt = tap.firstMediaAt();
  if (firstMediaAt === undefined)
    throw new Error('a segment came before any media: the publisher bypasses the relay');
  return {
    fromSpawn: (playableAt - publisher.startedAt) / 1000,
    fromMedia: (playableAt - firstMediaAt) / 1000,
    partFromSpawn: partFetchedAt && (partFetchedAt - publisher.startedAt) / 1000,
    partFromMedia: partFetchedAt && (partFetchedAt - firstMediaAt) / 1000,
  };
}

/** Formats the times of the first part as `median / p95` in seconds. */
function formatPartTimes(startups: readonly Startup[], field: 'partFromMedia' | 'partFromSpawn'): string {
  const times = startups.flatMap((startup) => startup[field] ?? []);
  return times.length > 0
    ? `${formatNumber(median(times), 2)} / ${formatNumber(percentile(times, 0.95), 2)}`
    : 'no parts';
}

function formatResults(results: ReadonlyMap<string, readonly Startup[]>): string {
  const p95 = (startups: readonly Startup[], field: 'fromMedia' | 'fromSpawn') =>
    percentile(
      startups.map((startup) => startup[field]),
      0.95,
    );
  const nginxStartups = results.get('nginx-rtmp') ?? [];
  const rows = [...results].map(([name, startups]) => [
    name,
    formatRatio(p95(startups, 'fromMedia'), p95(nginxStartups, 'fromMedia')),
    formatNumber(median(startups.map(({ fromMedia }) => fromMedia)), 2),
    formatNumber(p95(startups, 'fromMedia'), 2),
    formatNumber(median(startups.map(({ fromSpawn }) => fromSpawn)), 2),
    formatNumber(p95(startups, 'fromSpawn'), 2),
    formatNumber(median(startups.map(({ fromSpawn, fromMedia }) => fromSpawn - fromMedia)), 2),
    formatPartTimes(startups, 'partFromMedia'),
    formatPartTimes(startups, 'partFromSpawn'),
    startups.length,
  ]);
  return markdownTable(
    [
      'server',
      'p95 ÷ nginx-rtmp',
      'from first media: median (s)',
      'p95 (s)',
      'from spawn: median (s)',
      'p95 (s)',
      'start of the publisher (s)',
      'first part from first media: median / p95 (s)',
      'from spawn: median / p95 (s)',
      'runs',
    ],
    rows,
  );
}

export const publishToPlayable: Bench = {
  title: 'Publish to playable',
  explanation:
    'A publisher starts on a stream that was never live (720p30, 2 s GOP). The playlist is requested every ' +
    '20 ms until it lists a segment and that segment has been fetched over HTTP. The servers take turns. "First ' +
    'media" is when the first keyframe passes a relay in front of the server. Goals: p95 from first media at ' +
    'most GOP + 0.5 s = 2.5 s, and to the first part that a player can start with (also fetched) at most 1.0 ' +
    's.',
  defaults: { runs: 10, window: 1, warmUp: 1 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const starters: Readonly<Record<string, StartService>> = {
      headwater: startHeadwater,
      nginx: startNginxRtmp,
    };
    const services: {
      name: string;
      hasParts: boolean;
      streams: readonly StreamUrls[];
      startups: Startup[];
    }[] = [];
    for (const [key, start] of Object.entries(starters)) {
      if (!options.servers.includes(key)) continue;
      const service = await start(scope, directory);
      services.push({
        name: service.name,
        hasParts: key === 'headwater',
        streams: await service.openStreams(options.runs),
        startups: [],
      });
    }
    for (let run = 0; run < options.runs; run += 1) {
      for (const { name, hasParts, streams, startups } of services) {
        const stream = streams[run];
        if (!stream) throw new Error(`${name} has no stream for run ${run}`);
        const startup = await runInScope(scope, (inner) => measure(inner, clip, stream, hasParts));
        options.progress(`${name} ${run + 1}/${options.runs}: ${formatNumber(startup.fromMedia, 2)} s`);
        startups.push(startup);
        await sleep(BETWEEN_RUNS_MS);
      }
    }
    return formatResults(new Map(services.map(({ name, startups }) => [name, startups])));
  },
};
