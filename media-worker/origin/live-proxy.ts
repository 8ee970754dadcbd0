import { LRUCache } from 'lru-cache';
import type { HlsPath } from '../hls-path';
import type { FetchUpstream, UpstreamAnswer } from './upstream';

export interface LiveProxyOptions {
  readonly fetch: FetchUpstream;
  /** Bytes kept at most. */
  readonly maxBytes?: number;
}

/**
 * How long an answer stands for everybody. Segments never change; a playlist does with every part, and a
 * picture every five seconds.
 */
const ttlMs: Readonly<Record<HlsPath['kind'], number>> = {
  playlist: 250,
  init: 300_000,
  media: 60_000,
  thumbnail: 1_000,
};
const entryOverhead = 512;

/**
 * Stands between the viewers and the live nodes: identical requests become one, and what was fetched is kept.
 * A live node therefore sees the same load whether one person watches or ten thousand.
 */
export class LiveProxy {
  readonly #fetch: FetchUpstream;
  readonly #cache: LRUCache<string, UpstreamAnswer>;
  readonly #running = new Map<string, Promise<UpstreamAnswer>>();

  constructor({ fetch, maxBytes = 256 * 1024 * 1024 }: LiveProxyOptions) {
    this.#fetch = fetch;
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: (answer) => answer.body.length + entryOverhead,
    });
  }

  /**
   * Rejects with UpstreamError.
   * @param nodeUrl address of the node that holds the stream
   * @param query of a playlist, as playlistQueryText spells it: viewers who wait for the same part wait together
   */
  get(
    nodeUrl: string,
    { playbackId, rendition, file, kind }: HlsPath,
    query: string,
  ): Promise<UpstreamAnswer> {
    const url = [nodeUrl, playbackId, ...(rendition ? [rendition] : []), file].join('/') + query;
    const kept = this.#cache.get(url);
    if (kept) return Promise.resolve(kept);
    const running = this.#running.get(url);
    if (running) return running;
    const request = this.#fetch(url, { held: query.includes('_HLS_msn') || isPart(file) })
      .then((answer) => {
        if (answer.status === 200) this.#cache.set(url, answer, { ttl: ttlMs[kind] });
        return answer;
      })
      .finally(() => this.#running.delete(url));
    this.#running.set(url, request);
    return request;
  }
}

/** The part that comes next is waited for; segments and init segments are there or not. */
function isPart(file: string): boolean {
  return /^\d+\.\d+\.m4s$/.test(file);
}
