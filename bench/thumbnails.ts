import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, median, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { fetchBody } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { StreamUrls } from './lib/rtmp-service';
import { runInScope, type Scope } from './lib/scope';

/** CPU time of live and origin processes for requests of the latest thumbnail of every stream. */

const REQUEST_INTERVAL_MS = 5_000;
/** Pause after which the service no longer makes thumbnails for earlier requests. */
const IDLE_MS = 22_000;

/** Requests the thumbnails of all streams, and counts new thumbnails and responses without a thumbnail. */
class ThumbnailClient {
  readonly #urls: readonly string[];
  readonly #hashes = new Map<string, string>();
  newThumbnails = 0;
  missingThumbnails = 0;

  constructor(streams: readonly StreamUrls[]) {
    this.#urls = streams.map(({ playlistUrl }) => new URL('thumbnail.jpg', playlistUrl).href);
  }

  async run(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    while (performance.now() < end) {
      const nextRequestAt = Math.min(end, performance.now() + REQUEST_INTERVAL_MS);
      await Promise.all(this.#urls.map((url) => this.#fetch(url)));
      await sleep(Math.max(0, nextRequestAt - performance.now()));
    }
  }

  async #fetch(url: string): Promise<void> {
    const image = await fetchBody(url);
    if (!image?.length) this.missingThumbnails += 1;
    else {
      const hash = createHash('sha256').update(image).digest('hex');
      if (this.#hashes.get(url) !== hash) this.newThumbnails += 1;
      this.#hashes.set(url, hash);
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
  const streams = await service.openStreams(publishers);
  await publishAll(scope, clip, streams);
  await sleep(options.warmUp * 1_000);
  const measureCpu = async (during: () => Promise<unknown>): Promise<number> => {
    const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pids)];
    await during();
    return (cpuSeconds(pids) - cpuBefore) / (((performance.now() - startedAt) / 60_000) * publishers);
  };
  const client = new ThumbnailClient(streams);
  const [idleCosts, requestCosts]: [number[], number[]] = [[], []];
  for (let run = 0; run < options.runs; run += 1) {
    idleCosts.push(await measureCpu(() => sleep(options.window * 1_000)));
    // The first thumbnail of a stream costs more than later thumbnails, so it is not measured.
    await client.run(options.warmUp);
    const countBefore = client.newThumbnails;
    requestCosts.push(await measureCpu(() => client.run(options.window)));
    options.progress(
      `${publishers} publishers: ${client.newThumbnails - countBefore} new thumbnails in ${options.window} s`,
    );
    await sleep(IDLE_MS);
  }
  const [idleCost, addedCost] = [
    median(idleCosts),
    median(requestCosts.map((cost, run) => cost - (idleCosts[run] ?? 0))),
  ];
  const streamSeconds = (options.window + options.warmUp) * options.runs * publishers;
  return [
    publishers,
    formatNumber(idleCost, 3),
    formatNumber(median(requestCosts), 3),
    `${formatNumber((addedCost / idleCost) * 100, 1)} %`,
    client.newThumbnails > 0 ? formatNumber(streamSeconds / client.newThumbnails, 1) : 'none',
    client.missingThumbnails,
  ];
}

export const thumbnails: Bench = {
  title: 'Thumbnails',
  explanation:
    'The publishers of "Ingest and packaging" send their clip. Windows without thumbnail requests alternate with windows in ' +
    'which the thumbnail of every stream is fetched every 5 s. The CPU time is that of the live and the origin process with ' +
    'all their children (the decoders), and the values are medians. Goal: fetching all thumbnails adds at most 10 %.',
  defaults: { runs: 3, window: 60, warmUp: 10 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const rows: Row[] = [];
    for (const publishers of options.publishers)
      rows.push(await runInScope(scope, (inner) => measure(inner, directory, clip, publishers, options)));
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
