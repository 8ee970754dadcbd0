import { Agent, type IncomingMessage, get } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type HlsPath, mediaSecondsHeader } from '../http/hls-request';

export interface UpstreamAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** How long the media in it lasts, seconds. */
  readonly seconds?: number;
}

/** `unreachable`: no connection, or it broke. `timeout`: no whole answer in time. `too_large`: more than anything we serve. `busy`: too many are waiting. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  constructor(readonly kind: 'unreachable' | 'timeout' | 'too_large' | 'busy') {
    super(`The live node is ${kind}`);
  }
}

/** Headers that let a node in, for a path with its query. */
export type SignRead = (path: string) => Readonly<Record<string, string>>;

/** `held`: the node answers when what was asked for is there (low-latency HLS), or says that it did not come. */
type FetchUpstream = (url: string, options?: { readonly held?: boolean }) => Promise<UpstreamAnswer>;

const maxResponseBytes = 96 * 1024 * 1024;

/**
 * Requests to live nodes over kept-alive connections.
 * @param sign called for each request, because a signature holds for a minute
 * @param timeoutMs for the whole answer, waiting for a free connection included; `heldMs` for answers that are held
 */
export function createUpstream(
  sign: SignRead,
  { timeoutMs = 5_000, heldMs = 45_000 } = {},
): {
  fetch: FetchUpstream;
  close(): void;
} {
  const agentWith = (maxSockets: number) =>
    new Agent({ keepAlive: true, maxSockets, maxFreeSockets: 32, scheduling: 'lifo' });
  // Of their own, so that requests which are held back never keep others waiting.
  const [agent, heldAgent] = [agentWith(500), agentWith(1_000)];
  const fetch: FetchUpstream = (url, { held = false } = {}) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(held ? heldMs : timeoutMs);
      const fail = () => reject(new UpstreamError(signal.aborted ? 'timeout' : 'unreachable'));
      const { pathname, search } = new URL(url);
      const options = { agent: held ? heldAgent : agent, signal, headers: sign(pathname + search) };
      const request = get(url, options, (response) => {
        const seconds = Number(response.headers[mediaSecondsHeader] ?? 0);
        const status = response.statusCode ?? 502;
        collect(response).then((body) => resolve({ status, body, seconds }), reject);
        response.on('error', fail);
        response.on('aborted', fail);
      });
      request.on('error', fail);
    });
  const close = () => {
    agent.destroy();
    heldAgent.destroy();
  };
  return { fetch, close };
}

function collect(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxResponseBytes) chunks.push(chunk);
      else {
        reject(new UpstreamError('too_large'));
        response.destroy();
      }
    });
    response.on('end', () => resolve(Buffer.concat(chunks, bytes)));
  });
}

interface LiveProxyOptions {
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
