import { SingleFlight } from '@/lib/core/single-flight';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { within } from '@/lib/infra/within';
import { type HlsPath, type PlaylistQuery, playlistQueryText } from '@/media-worker/kit/http/hls-request';
import type { NodeFinder } from './find-node';
import type { EndedStreams } from './ended-streams';
import type { LiveProxy, UpstreamAnswer } from './live-proxy';
import { UpstreamError } from './upstream-error';

/** `nothing`: the content does not exist. `away`: its existence cannot be determined now. `late`: no response in time. */
export type LiveAnswer = UpstreamAnswer | 'nothing' | 'away' | 'late';

export interface LiveSourceOptions {
  readonly nodes: Pick<NodeFinder, 'find' | 'doubt'>;
  readonly proxy: LiveProxy;
  /** How long a request waits for an unreachable node. */
  readonly holdMs?: number;
  /** How long the streams of a lost node count as returning: their encoders have to reconnect. */
  readonly returnMs?: number;
}

const retryMs = 200;
const briefWaitMs = 1_500;
/**
 * How long a player with an older playlist waits. hls.js considers a playlist that does not advance expired after 15 s, and
 * then stops unless it received it three times.
 */
const repeatMs = 500;
const maxHolds = 2_000;
const maxLost = 20_000;
/** Older playlists are useless to a player. */
const lastKnownMs = 30_000;
const lastKnownBytes = 16 * 1024 * 1024;

/**
 * The last media playlist, for players that already loaded one: a player that loads the master playlist must not start with
 * old segments.
 */
interface LastKnown {
  readonly answer: UpstreamAnswer;
  readonly askedAt: number;
}

/**
 * Fetches live content from the node that has it. While a live process restarts, viewers get cached content, wait for a
 * moment, or get the last media playlist again, but never a response that says the stream is over.
 */
export class LiveSource {
  readonly #options: Required<LiveSourceOptions>;
  readonly #lostNodes: LRUCache<string, true>;
  readonly #holds = new SingleFlight<LiveAnswer>();
  readonly #lastKnown = new LRUCache<string, LastKnown>({
    maxSize: lastKnownBytes,
    ttl: lastKnownMs,
    sizeCalculation: ({ answer }) => answer.body.length + 512,
  });

  constructor({ nodes, proxy, holdMs = 3_000, returnMs = 30_000 }: LiveSourceOptions) {
    this.#options = { nodes, proxy, holdMs, returnMs };
    this.#lostNodes = new LRUCache({ max: maxLost, ttl: returnMs });
  }

  async get(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const last = this.#lastOf(hls, query);
    const answer = this.#once(hls, query);
    const first = last ? await soon(answer) : await answer;
    if (first !== 'away' && first !== 'late') return first;
    const holding = first === 'away' ? this.#hold(hls, query) : first;
    const heldAnswer = await (last ? within(repeatMs, Promise.resolve(holding), () => first) : holding);
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
    const last = this.#lastKnown.get(variantOf(hls, query));
    return last && !this.endedStreams.endedSince(hls.playbackId, last.askedAt) ? last.answer : undefined;
  }

  async #once(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const { nodes, proxy } = this.#options;
    const { playbackId, kind } = hls;
    const text = kind === 'playlist' ? playlistQueryText(query) : '';
    const askedAt = this.endedStreams.now();
    const node = await nodes.find(playbackId).catch(() => undefined);
    if (!node) {
      const away = node === undefined || this.#lostNodes.has(playbackId);
      return away ? (proxy.cached(hls, text) ?? 'away') : 'nothing';
    }
    try {
      const answer = await proxy.get(node, hls, text);
      if (answer.status !== 200) nodes.doubt(playbackId);
      // The encoder has not reconnected or not sent a segment yet. Only playlists keep their names across processes.
      if (answer.status === 404)
        return kind === 'playlist' && this.#lostNodes.has(playbackId) ? 'away' : 'nothing';
      if (answer.status === 200 && kind === 'playlist') {
        if (this.endedStreams.endedSince(playbackId, askedAt)) return 'nothing';
        this.#lostNodes.delete(playbackId);
        if (hls.rendition !== null) this.#lastKnown.set(variantOf(hls, query), { answer, askedAt });
      }
      return answer;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      nodes.doubt(playbackId);
      if (error.kind === 'unreachable' || error.kind === 'timeout') this.#lostNodes.set(playbackId, true);
      return error.kind === 'timeout' ? 'late' : 'away';
    }
  }

  /** Retries for a moment, once for all identical requests. */
  #hold(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const key = `${hls.playbackId}/${hls.rendition ?? ''}/${hls.file}${playlistQueryText(query)}`;
    if (!this.#holds.running(key) && this.#holds.size >= maxHolds) return Promise.resolve('away');
    return this.#holds.run(key, () => this.#retry(hls, query));
  }

  async #retry(hls: HlsPath, query: PlaylistQuery): Promise<LiveAnswer> {
    const until = performance.now() + this.#options.holdMs;
    let answer: LiveAnswer = 'away';
    while (answer === 'away' && performance.now() < until) {
      await delay(retryMs);
      answer = await this.#once(hls, query);
    }
    return answer;
  }
}

/** If an older playlist exists, requests wait only briefly for a node that does not respond. */
const soon = (answer: Promise<LiveAnswer>): Promise<LiveAnswer> =>
  within(briefWaitMs, answer, () => 'late' as const);

/** Key of playlists with the same content, whichever part their requests waited for. */
function variantOf({ playbackId, rendition }: HlsPath, query: PlaylistQuery): string {
  const { lowLatency, early = false } = query;
  return `${playbackId}/${rendition ?? ''}?${String(lowLatency)}&${String(early)}`;
}
