import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './lib/bench';
import { makeClip, publisherArguments } from './lib/clip';
import { digits, markdownTable, median, percentile, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { readFirstPart, readPlaylist } from './lib/hls-reader';
import { fetchBody, waitFor } from './lib/network';
import { nginxRtmp } from './lib/nginx-rtmp';
import { tapPublish } from './lib/publish-tap';
import type { Channel, StartService } from './lib/rtmp-service';
import { within, type Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** Time from the start of a publish until a viewer can fetch a playlist and its first segment. */

const pollMs = 20;
const betweenRunsMs = 500;

interface Startup {
  /** Seconds from the start of the publisher, and from its first media at the server. */
  readonly fromSpawn: number;
  readonly fromMedia: number;
  /** Seconds to the first part; undefined if the server has no parts. */
  readonly partFromSpawn: number | undefined;
  readonly partFromMedia: number | undefined;
}

/** Measures one publish to a new channel. */
async function measure(scope: Scope, clip: string, channel: Channel, parts: boolean): Promise<Startup> {
  const tap = await tapPublish(scope, channel.publishUrl);
  const publisher = startProcess('ffmpeg', publisherArguments(clip, tap.url), { scope, graceMs: 2_000 });
  const fetchTimed = (label: string, address: () => Promise<string | undefined>): Promise<number> =>
    waitFor(
      label,
      async () => {
        if (!publisher.running()) throw new Error(`the publisher ended: ${publisher.output()}`);
        const url = await address();
        return url && (await fetchBody(url))?.length ? performance.now() : undefined;
      },
      { timeoutMs: 15_000, everyMs: pollMs },
    );
  const partAt = parts ? await fetchTimed('a part', () => readFirstPart(channel.playlistUrl)) : undefined;
  const playableAt = await fetchTimed(
    'a playlist with a segment',
    async () => (await readPlaylist(channel.playlistUrl))?.segments[0]?.url,
  );
  const firstMediaAt = tap.firstMediaAt();
  if (firstMediaAt === undefined)
    throw new Error('a segment came before any media: the publisher bypasses the relay');
  return {
    fromSpawn: (playableAt - publisher.startedAt) / 1000,
    fromMedia: (playableAt - firstMediaAt) / 1000,
    partFromSpawn: partAt && (partAt - publisher.startedAt) / 1000,
    partFromMedia: partAt && (partAt - firstMediaAt) / 1000,
  };
}

/** `median / p95`, in seconds. */
function parts(startups: readonly Startup[], field: 'partFromMedia' | 'partFromSpawn'): string {
  const times = startups.flatMap((startup) => startup[field] ?? []);
  return times.length > 0
    ? `${digits(median(times), 2)} / ${digits(percentile(times, 0.95), 2)}`
    : 'no parts';
}

function report(results: ReadonlyMap<string, readonly Startup[]>): string {
  const p95 = (startups: readonly Startup[], field: 'fromMedia' | 'fromSpawn') =>
    percentile(
      startups.map((startup) => startup[field]),
      0.95,
    );
  const peer = results.get('nginx-rtmp') ?? [];
  const rows = [...results].map(([name, startups]) => [
    name,
    ratio(p95(startups, 'fromMedia'), p95(peer, 'fromMedia')),
    digits(median(startups.map(({ fromMedia }) => fromMedia)), 2),
    digits(p95(startups, 'fromMedia'), 2),
    digits(median(startups.map(({ fromSpawn }) => fromSpawn)), 2),
    digits(p95(startups, 'fromSpawn'), 2),
    digits(median(startups.map(({ fromSpawn, fromMedia }) => fromSpawn - fromMedia)), 2),
    parts(startups, 'partFromMedia'),
    parts(startups, 'partFromSpawn'),
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
  explains:
    'A publisher starts on a stream that was never live (720p30, 2 s GOP). The playlist is requested every ' +
    '20 ms until it lists a segment and that segment has been fetched over HTTP. The servers take turns. "First ' +
    'media" is when the first keyframe passes a relay in front of the server. Goals: p95 from first media at ' +
    'most GOP + 0.5 s = 2.5 s, and to the first part that a player can start with (also fetched) at most 1.0 ' +
    's.',
  defaults: { runs: 10, window: 1, warmUp: 1 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const starters: Readonly<Record<string, StartService>> = { headwater: startHeadwater, nginx: nginxRtmp };
    const contestants: { name: string; parts: boolean; channels: readonly Channel[]; startups: Startup[] }[] =
      [];
    for (const [key, start] of Object.entries(starters)) {
      if (!options.servers.includes(key)) continue;
      const service = await start(scope, directory);
      contestants.push({
        name: service.name,
        parts: key === 'headwater',
        channels: await service.openChannels(options.runs),
        startups: [],
      });
    }
    for (let run = 0; run < options.runs; run += 1) {
      for (const { name, parts: low, channels, startups } of contestants) {
        const channel = channels[run];
        if (!channel) throw new Error(`${name} has no channel for run ${run}`);
        const startup = await within(scope, (inner) => measure(inner, clip, channel, low));
        options.progress(`${name} ${run + 1}/${options.runs}: ${digits(startup.fromMedia, 2)} s`);
        startups.push(startup);
        await sleep(betweenRunsMs);
      }
    }
    return report(new Map(contestants.map(({ name, startups }) => [name, startups])));
  },
};
