import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { createNodeAgent, requestNode } from '@/lib/infra/node-http';
import type { NodeTlsFiles } from '@/lib/infra/tls/node-tls-settings';
import { systemClock } from '@/lib/infra/clock';
import { endingHeader, type HlsPath, isPart, mediaSecondsHeader } from '@/media-worker/kit/http/hls-request';
import { EndedStreams } from './ended-streams';
import { BlockingRequests } from './blocking-requests';
import { UpstreamError } from './upstream-error';

export interface UpstreamAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** Duration of the media, seconds. */
  readonly seconds?: number;
  /** Whether the stream is about to end: no cache may store the response then. */
  readonly ending?: boolean;
}

/** Headers that authenticate a request to a node, for its URL and a path with its query. */
type SignRead = (receiver: string, path: string) => Readonly<Record<string, string>>;

/** `isBlocking`: the node answers when the content exists (low-latency HLS), or when it times out. */
type FetchUpstream = (url: string, options?: { readonly isBlocking?: boolean }) => Promise<UpstreamAnswer>;

/** A larger response is rejected as `too_large`. */
const MAX_RESPONSE_BYTES = 96 * 1024 * 1024;

interface UpstreamOptions {
  /** TLS between nodes. */
  readonly internalTls?: NodeTlsFiles | undefined;
  /** Timeout of the whole answer, including the wait for a connection. */
  readonly timeoutMs?: number;
  /** Timeout of the whole answer of a blocking request. */
  readonly blockingTimeoutMs?: number;
}

/**
 * Creates a client that requests content from live nodes over keep-alive connections.
 * @param sign called for each request, because a signature is valid for a minute
 */
export function createUpstream(
  sign: SignRead,
  { internalTls, timeoutMs = 5_000, blockingTimeoutMs = 45_000 }: UpstreamOptions = {},
): {
  fetch: FetchUpstream;
  close(): void;
} {
  const agentWith = (maxSockets: number) =>
    createNodeAgent(internalTls, { keepAlive: true, maxSockets, maxFreeSockets: 32, scheduling: 'lifo' });
  // Blocking requests have their own connections, so that they do not delay others: 1,000, the default of `BlockingRequests`.
  const [agent, blockingAgent] = [agentWith(500), agentWith(1_000)];
  const fetch: FetchUpstream = (url, { isBlocking = false } = {}) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(isBlocking ? blockingTimeoutMs : timeoutMs);
      const fail = () => reject(new UpstreamError(signal.aborted ? 'timeout' : 'unreachable'));
      const { origin, pathname, search } = new URL(url);
      const headers = sign(origin, pathname + search);
      const options = { agent: isBlocking ? blockingAgent : agent, signal, headers };
      const request = requestNode(internalTls, url, options);
      request.once('response', (response) => {
        const seconds = Number(response.headers[mediaSecondsHeader] ?? 0);
        const status = response.statusCode ?? 502;
        const ending = response.headers[endingHeader] !== undefined;
        readResponseBody(response).then((body) => resolve({ status, body, seconds, ending }), reject);
        response.on('error', fail);
        response.on('aborted', fail);
      });
      request.on('error', fail);
      request.end();
    });
  const close = () => {
    agent.destroy();
    blockingAgent.destroy();
  };
  return { fetch, close };
}

/** Reads the whole body. Rejects with UpstreamError if it is too large; the caller handles broken connections. */
export function readResponseBody(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_RESPONSE_BYTES) chunks.push(chunk);
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
  /** Maximum bytes in the cache. */
  readonly maxBytes?: number;
  /** Maximum number of blocking requests to live nodes. */
  readonly maxBlocked?: number;
  readonly maxBlockedPerStream?: number;
  readonly endedStreams?: EndedStreams;
}

/**
 * How long a response is cached. Segments never change; a playlist changes with every part, a thumbnail every five
 * seconds.
 */
const cacheTtlMs: Readonly<Record<HlsPath['kind'], number>> = {
  playlist: 250,
  init: 300_000,
  media: 60_000,
  thumbnail: 1_000,
};
/** Estimated memory of an entry besides its body, bytes. */
const ENTRY_OVERHEAD_BYTES = 512;
/** Kinds that remain useful after the end of the stream: viewers still play listed segments. */
const replayableKinds: ReadonlySet<HlsPath['kind']> = new Set(['init', 'media']);

interface ProxyEntry<T> {
  readonly answer: T;
  /** Time of the request by the clock of EndedStreams. */
  readonly requestedAt: number;
}

/**
 * Cache between viewers and live nodes. Identical requests are merged and responses cached, so a live node sees the same load
 * for one viewer and for ten thousand.
 */
export class LiveProxy {
  readonly endedStreams: EndedStreams;
  readonly #fetch: FetchUpstream;
  readonly #cache: LRUCache<string, ProxyEntry<UpstreamAnswer>>;
  readonly #requests = new Map<string, ProxyEntry<Promise<UpstreamAnswer>>>();
  readonly #blockingRequests: BlockingRequests;

  constructor({ fetch, maxBytes = 256 * 1024 * 1024, endedStreams, ...limits }: LiveProxyOptions) {
    this.endedStreams = endedStreams ?? new EndedStreams(systemClock);
    this.#fetch = fetch;
    this.#blockingRequests = new BlockingRequests(limits);
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      // A larger entry would evict too many others.
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: ({ answer }) => answer.body.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  /**
   * Returns the cached response, or requests it from the node.
   * @param nodeUrl URL of the stream's node
   * @param query a playlist query in the form of `formatPlaylistQuery`: viewers who wait for the same part share a request
   * @throws UpstreamError if the node does not answer, or too many requests wait
   */
  get(nodeUrl: string, hls: HlsPath, query: string): Promise<UpstreamAnswer> {
    const path = cachePathOf(hls, query);
    const cachedAnswer = this.findCached(hls, query);
    if (cachedAnswer) return Promise.resolve(cachedAnswer);
    const url = `${nodeUrl}/${path}`;
    const pendingRequest = this.#requests.get(url);
    if (pendingRequest && this.#isValid(hls, pendingRequest)) return pendingRequest.answer;
    const entry = { answer: this.#requestFromNode(url, hls, query), requestedAt: this.endedStreams.now() };
    this.#requests.set(url, entry);
    const onSettled = () => {
      if (this.#requests.get(url) === entry) this.#requests.delete(url);
    };
    entry.answer
      .then((answer) => {
        if (answer.status === 200) this.#cache.set(path, { ...entry, answer }, { ttl: cacheTtlMs[hls.kind] });
      })
      .then(onSettled, onSettled);
    return entry.answer;
  }

  /**
   * The cached answer; undefined if there is none, or the stream has ended since. The path identifies the content on
   * every node.
   */
  findCached(hls: HlsPath, query: string): UpstreamAnswer | undefined {
    const entry = this.#cache.get(cachePathOf(hls, query));
    return entry && this.#isValid(hls, entry) ? entry.answer : undefined;
  }

  #requestFromNode(url: string, { playbackId, file }: HlsPath, query: string): Promise<UpstreamAnswer> {
    const isBlocking = query.includes('_HLS_msn') || isPart(file);
    return isBlocking
      ? this.#blockingRequests.run(playbackId, () => this.#fetch(url, { isBlocking }))
      : this.#fetch(url);
  }

  /** Whether the stream has not ended since the request was sent. */
  #isValid({ kind, playbackId }: HlsPath, { requestedAt }: ProxyEntry<unknown>): boolean {
    return replayableKinds.has(kind) || !this.endedStreams.endedSince(playbackId, requestedAt);
  }
}

function cachePathOf({ playbackId, rendition, file }: HlsPath, query: string): string {
  return [playbackId, ...(rendition ? [rendition] : []), file].join('/') + query;
}
