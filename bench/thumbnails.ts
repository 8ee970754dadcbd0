import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, median, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { fetchBody } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { Channel } from './lib/rtmp-service';
import { within, type Scope } from './lib/scope';

/** CPU cost of requesting the latest thumbnail of every stream. */

const requestEveryMs = 5_000;
/** Thumbnails are made for about this time after the last request. */
const idleMs = 22_000;

/** Requests the thumbnails of all streams and counts new ones. */
class ThumbnailClient {
  readonly #urls: readonly string[];
  readonly #known = new Map<string, string>();
  fresh = 0;
  missing = 0;

  constructor(channels: readonly Channel[]) {
    this.#urls = channels.map(({ playlistUrl }) => new URL('thumbnail.jpg', playlistUrl).href);
  }

  async run(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    while (performance.now() < end) {
      const next = Math.min(end, performance.now() + requestEveryMs);
      await Promise.all(this.#urls.map((url) => this.#fetch(url)));
      await sleep(Math.max(0, next - performance.now()));
    }
  }

  async #fetch(url: string): Promise<void> {
    const image = await fetchBody(url);
    if (!image?.length) this.missing += 1;
    else {
      const hash = createHash('sha256').update(image).digest('hex');
      if (this.#known.get(url) !== hash) this.fresh += 1;
      this.#known.set(url, hash);
    }
  }
}

async function measure(
  scope: Scope,
  directory: string,
  clip: string,
  publishers: number,
  options: BenchOptions,
): Promise<Row> {
  const service = await startHeadwater(scope, directory);
  const pids = [service.pidOf('live'), service.pidOf('origin')];
  const channels = await service.openChannels(publishers);
  await publishAll(scope, clip, channels);
  await sleep(options.warmUp * 1_000);
  const cost = async (during: () => Promise<unknown>): Promise<number> => {
    const [from, cpuBefore] = [performance.now(), cpuSeconds(pids)];
    await during();
    return (cpuSeconds(pids) - cpuBefore) / (((performance.now() - from) / 60_000) * publishers);
  };
  const client = new ThumbnailClient(channels);
  const [idle, withRequests]: [number[], number[]] = [[], []];
  for (let run = 0; run < options.runs; run += 1) {
    idle.push(await cost(() => sleep(options.window * 1_000)));
    // The first thumbnail of a stream costs more than later ones, so it is not measured.
    await client.run(options.warmUp);
    const freshBefore = client.fresh;
    withRequests.push(await cost(() => client.run(options.window)));
    options.progress(
      `${publishers} publishers: ${client.fresh - freshBefore} new thumbnails in ${options.window} s`,
    );
    await sleep(idleMs);
  }
  const [without, addedCost] = [
    median(idle),
    median(withRequests.map((each, run) => each - (idle[run] ?? 0))),
  ];
  const streamSeconds = (options.window + options.warmUp) * options.runs * publishers;
  return [
    publishers,
    digits(without, 3),
    digits(median(withRequests), 3),
    `${digits((addedCost / without) * 100, 1)} %`,
    client.fresh > 0 ? digits(streamSeconds / client.fresh, 1) : 'none',
    client.missing,
  ];
}

export const thumbnails: Bench = {
  title: 'Thumbnails',
  explains:
    'The publishers of "Ingest and packaging" send their clip. Windows without thumbnail requests alternate with windows in ' +
    'which the thumbnail of every stream is fetched every 5 s. The CPU time is that of the live and the origin process with ' +
    'all their children (the decoders), and the values are medians. Goal: fetching all thumbnails adds at most 10 %.',
  defaults: { runs: 3, window: 60, warmUp: 10 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const rows: Row[] = [];
    for (const publishers of options.publishers)
      rows.push(await within(scope, (inner) => measure(inner, directory, clip, publishers, options)));
    return markdownTable(
      [
        'publishers',
        'CPU-s per stream-minute without requests',
        'with requests',
        'added',
        'seconds between new thumbnails',
        'responses without a thumbnail',
      ],
      rows,
    );
  },
};
