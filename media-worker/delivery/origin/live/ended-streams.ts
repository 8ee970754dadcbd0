import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import { endedStreamsPath, readEndedStreams, type EndedStreamsResponse } from '@/lib/domain/nodes';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';

/** How long an end is remembered: longer than a request to a live node takes. */
const END_MAX_AGE_MS = 60_000;
const MAX_STREAMS = 50_000;
/** `s-maxage` of a live playlist, plus the time to reach the cache. */
const CACHED_PLAYLIST_MS = 1_100;

/**
 * Stores when streams ended. Live nodes announce the end before `stream.idle` is written, so that later requests do
 * not get answers from before the end.
 */
export class EndedStreams {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #endedAt: LRUCache<string, number>;
  /** When a cache in front of this origin last got a cacheable playlist of each stream. */
  readonly #cachedAt: LRUCache<string, number>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    const perf = { now: () => clock.monotonic() };
    this.#endedAt = new LRUCache({ max: MAX_STREAMS, ttl: END_MAX_AGE_MS, ttlResolution: 0, perf });
    this.#cachedAt = new LRUCache({ max: MAX_STREAMS, ttl: CACHED_PLAYLIST_MS, ttlResolution: 0, perf });
  }

  /** The current time on the clock of `endedSince`, monotonic milliseconds. */
  now(): number {
    return this.#clock.monotonic();
  }

  /**
   * Whether the stream ended at or after a time.
   * @param sinceMs a time from `now`
   */
  endedSince(playbackId: string, sinceMs: number): boolean {
    const endedAt = this.#endedAt.get(playbackId);
    return endedAt !== undefined && endedAt >= sinceMs;
  }

  /** Records that a cacheable playlist was sent to a cache. */
  recordCacheable(playbackId: string): void {
    this.#cachedAt.set(playbackId, this.#clock.monotonic());
  }

  /**
   * Records the end of a stream.
   * @returns milliseconds for which caches may still serve a playlist
   */
  recordEnd(playbackId: string): number {
    const cachedAt = this.#cachedAt.get(playbackId);
    this.#endedAt.set(playbackId, this.#clock.monotonic());
    return cachedAt === undefined ? 0 : Math.max(0, cachedAt + CACHED_PLAYLIST_MS - this.#clock.monotonic());
  }

  /** Handles announcements of live nodes. */
  get writes(): InternalWrites {
    return {
      [endedStreamsPath]: (body) => {
        const playbackIds = readEndedStreams(body);
        if (!playbackIds) return Promise.resolve(errorAnswer(400, 'Not a list of playback ids.'));
        const keptMs = Math.max(0, ...playbackIds.map((playbackId) => this.recordEnd(playbackId)));
        return Promise.resolve(jsonAnswer(200, { keptMs } satisfies EndedStreamsResponse));
      },
    };
  }
}
