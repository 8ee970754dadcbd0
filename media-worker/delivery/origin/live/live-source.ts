import { SingleFlight } from '@/lib/core/single-flight';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { within } from '@/lib/infra/within';
import { type HlsPath, type PlaylistQuery, formatPlaylistQuery } from '@/media-worker/kit/http/hls-request';
import type { NodeFinder } from './find-node';
import type { EndedStreams } from './ended-streams';
import type { LiveProxy, UpstreamAnswer } from './live-proxy';
import { UpstreamError } from './upstream-error';

/**
 * `not_found`: the content does not exist. `unavailable`: its existence cannot be determined now. `timeout`: no
 * response in time.
 */
export type LiveAnswer = UpstreamAnswer | 'not_found' | 'unavailable' | 'timeout';

export interface LiveSourceOptions {
  readonly nodes: Pick<NodeFinder, 'find' | 'markStale'>;
  readonly proxy: LiveProxy;
  /** How long a request waits for an unreachable node. */
  readonly maxWaitMs?: number;
  /** How long the streams of a lost node count as unavailable, not as ended: their encoders have to reconnect. */
  readonly reconnectTimeoutMs?: number;
}

const RETRY_INTERVAL_MS = 200;
/** How long a request waits for a node that does not respond, if the last playlist can be sent instead. */
const BRIEF_WAIT_MS = 1_500;
/**
 * How long a player that already has a playlist waits before it gets the last one again. hls.js considers a playlist
 * that does not advance expired after 15 s, and then stops unless it received that playlist three times.
 */
const LAST_PLAYLIST_DELAY_MS = 500;
/** Maximum number of requests that are retried at the same time. */
const MAX_RETRIES = 2_000;
const MAX_LOST_STREAMS = 20_000;
/** How long a playlist is kept: older ones are useless to a player. */
const LAST_PLAYLIST_MAX_AGE_MS = 30_000;
/** Estimated memory of an entry besides its body, bytes. */
const ENTRY_OVERHEAD_BYTES = 512;
const LAST_PLAYLISTS_MAX_BYTES = 16 * 1024 * 1024;

/**
 * The last media playlist of a stream, for players that are already playing it. A master playlist is not kept,
 * because a player that loads it must not start with old segments.
 */
interface LastPlaylist {
  readonly answer: UpstreamAnswer;
  readonly requestedAt: number;
}

/**
 * Fetches live content from the node that has it. While a live process restarts, viewers get cached content, wait for a
 * moment, or get the last media playlist again, but never a response that says the stream is over.
 */
export class LiveSource {
  readonly #options: Required<LiveSourceOptions>;
  /** Streams whose node is lost: their encoders may reconnect, so they have not ended. */
  readonly #lostStreams: LRUCache<string, true>;
  readonly #retries = new SingleFlight<LiveAnswer>();
  readonly #lastPlaylists = new LRUCache<string, LastPlaylist>({
    maxSize: LAST_PLAYLISTS_MAX_BYTES,
    ttl: LAST_PLAYLIST_MAX_AGE_MS,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_OVERHEAD_BYTES,
  });

  constructor({ nodes, proxy, maxWaitMs = 3_000, reconnectTimeoutMs = 30_000 }: LiveSourceOptions) {
    this.#options = { nodes, proxy, maxWaitMs, reconnectTimeoutMs };
    this.#lostStreams = new LRUCache({ max: MAX_LOST_STREAMS, ttl: reconnectTimeoutMs });
  }

  /** Returns the content, or the reason why there is none. */
  async get(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const lastPlaylist = this.#lastOf(hls, query);
    const pendingAnswer = this.#request(hls, query);
    const firstAnswer = lastPlaylist ? await withBriefWait(pendingAnswer) : await pendingAnswer;
    if (firstAnswer !== 'unavailable' && firstAnswer !== 'timeout') return firstAnswer;
    const retriedAnswer = firstAnswer === 'unavailable' ? this.#retryOnce(hls, query) : firstAnswer;
    const heldAnswer = await (lastPlaylist
      ? within(LAST_PLAYLIST_DELAY_MS, Promise.resolve(retriedAnswer), () => firstAnswer)
      : retriedAnswer);
    // The stream may have ended meanwhile.
    return typeof heldAnswer === 'string' ? (this.#lastOf(hls, query) ?? heldAnswer) : heldAnswer;
  }

  /** Ended streams, as live nodes announce them. */
  get endedStreams(): EndedStreams {
    return this.#options.proxy.endedStreams;
  }

  #lastOf(hls: HlsPath, query: PlaylistQuery): UpstreamAnswer | undefined {
    // A client that waits for a part would repeat its request immediately.
    if (hls.kind !== 'playlist' || hls.rendition === null || query.msn !== null) return undefined;
    const last = this.#lastPlaylists.get(playlistKeyOf(hls, query));
    return last && !this.endedStreams.endedSince(hls.playbackId, last.requestedAt) ? last.answer : undefined;
  }

  async #request(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const { nodes, proxy } = this.#options;
    const { playbackId, kind } = hls;
    const queryText = kind === 'playlist' ? formatPlaylistQuery(query) : '';
    const requestedAt = this.endedStreams.now();
    const nodeUrl = await nodes.find(playbackId).catch(() => undefined);
    if (!nodeUrl) {
      const isUnavailable = nodeUrl === undefined || this.#lostStreams.has(playbackId);
      return isUnavailable ? (proxy.findCached(hls, queryText) ?? 'unavailable') : 'not_found';
    }
    try {
      const answer = await proxy.get(nodeUrl, hls, queryText);
      if (answer.status !== 200) nodes.markStale(playbackId);
      // The encoder has not reconnected or not sent a segment yet. Only playlists keep their names across processes.
      if (answer.status === 404)
        return kind === 'playlist' && this.#lostStreams.has(playbackId) ? 'unavailable' : 'not_found';
      if (answer.status === 200 && kind === 'playlist') {
        if (this.endedStreams.endedSince(playbackId, requestedAt)) return 'not_found';
        this.#lostStreams.delete(playbackId);
        if (hls.rendition !== null)
          this.#lastPlaylists.set(playlistKeyOf(hls, query), { answer, requestedAt });
      }
      return answer;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      nodes.markStale(playbackId);
      if (error.kind === 'unreachable' || error.kind === 'timeout') this.#lostStreams.set(playbackId, true);
      return error.kind === 'timeout' ? 'timeout' : 'unavailable';
    }
  }

  /** Retries until the node answers or the timeout ends; identical requests are coalesced. */
  #retryOnce(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const key = `${hls.playbackId}/${hls.rendition ?? ''}/${hls.file}${formatPlaylistQuery(query)}`;
    if (!this.#retries.find(key) && this.#retries.size >= MAX_RETRIES) return Promise.resolve('unavailable');
    return this.#retries.run(key, () => this.#retry(hls, query));
  }

  async #retry(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const deadline = performance.now() + this.#options.maxWaitMs;
    let answer: LiveAnswer = 'unavailable';
    while (answer === 'unavailable' && performance.now() < deadline) {
      await delay(RETRY_INTERVAL_MS);
      answer = await this.#request(hls, query);
    }
    return answer;
  }
}

/** Limits the wait for a node that does not respond, if the last playlist can be sent instead. */
const withBriefWait = (answer: Promise<LiveAnswer>): Promise<LiveAnswer> =>
  within(BRIEF_WAIT_MS, answer, () => 'timeout' as const);

/** Key of playlists with the same content, whichever part their requests waited for. */
function playlistKeyOf({ playbackId, rendition }: HlsPath, query: PlaylistQuery): string {
  const { lowLatency, early = false } = query;
  return `${playbackId}/${rendition ?? ''}?${String(lowLatency)}&${String(early)}`;
}
