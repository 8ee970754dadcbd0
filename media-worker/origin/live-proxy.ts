import { LRUCache } from 'lru-cache';
import type { HlsPath } from '../hls-path';
import { UpstreamError, type FetchUpstream, type UpstreamAnswer } from './upstream';

export interface LiveProxyOptions {
  readonly fetch: FetchUpstream;
  /** Bytes kept at most. */
  readonly maxBytes?: number;
  /** Requests that live nodes hold back until what they ask for is there, in all and of one stream. */
  readonly maxHeld?: number;
  readonly maxHeldPerStream?: number;
}

/**
 * How long a response is cached. Segments never change; a playlist does with every part, and a
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
 * Sits between viewers and live nodes: identical requests become one, and responses are cached.
 * A live node therefore sees the same load whether one person watches or ten thousand.
 */
export class LiveProxy {
  readonly #fetch: FetchUpstream;
  readonly #cache: LRUCache<string, UpstreamAnswer>;
  readonly #running = new Map<string, Promise<UpstreamAnswer>>();
  readonly #maxHeld: number;
  readonly #maxHeldPerStream: number;
  readonly #heldByStream = new Map<string, number>();
  #held = 0;

  constructor({
    fetch,
    maxBytes = 256 * 1024 * 1024,
    maxHeld = 1_000,
    maxHeldPerStream = 200,
  }: LiveProxyOptions) {
    this.#fetch = fetch;
    this.#maxHeld = maxHeld;
    this.#maxHeldPerStream = maxHeldPerStream;
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
  get(nodeUrl: string, hls: HlsPath, query: string): Promise<UpstreamAnswer> {
    const path = pathOf(hls, query);
    const kept = this.#cache.get(path);
    if (kept) return Promise.resolve(kept);
    const url = `${nodeUrl}/${path}`;
    const running = this.#running.get(url);
    if (running) return running;
    const held = query.includes('_HLS_msn') || isPart(hls.file);
    const request = (
      held ? this.#holding(hls.playbackId, () => this.#fetch(url, { held })) : this.#fetch(url)
    )
      .then((answer) => {
        if (answer.status === 200) this.#cache.set(path, answer, { ttl: ttlMs[hls.kind] });
        return answer;
      })
      .finally(() => this.#running.delete(url));
    this.#running.set(url, request);
    return request;
  }

  /** What is kept of it, for the time in which no node can be asked. Its address says what it is, on whichever node. */
  kept(hls: HlsPath, query: string): UpstreamAnswer | undefined {
    return this.#cache.get(pathOf(hls, query));
  }

  async #holding(playbackId: string, fetch: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    const ofStream = this.#heldByStream.get(playbackId) ?? 0;
    if (this.#held >= this.#maxHeld || ofStream >= this.#maxHeldPerStream) throw new UpstreamError('busy');
    this.#count(playbackId, 1);
    try {
      return await fetch();
    } finally {
      this.#count(playbackId, -1);
    }
  }

  #count(playbackId: string, change: 1 | -1): void {
    this.#held += change;
    const ofStream = (this.#heldByStream.get(playbackId) ?? 0) + change;
    if (ofStream > 0) this.#heldByStream.set(playbackId, ofStream);
    else this.#heldByStream.delete(playbackId);
  }
}

function pathOf({ playbackId, rendition, file }: HlsPath, query: string): string {
  return [playbackId, ...(rendition ? [rendition] : []), file].join('/') + query;
}

/** The part that comes next is waited for; segments and init segments are there or not. */
function isPart(file: string): boolean {
  return /^\d+\.\d+\.m4s$/.test(file);
}
