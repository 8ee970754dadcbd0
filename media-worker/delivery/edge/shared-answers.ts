import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import { BlockingRequests } from '@/media-worker/delivery/origin/live/blocking-requests';
import { cachePolicyOf, isUsable, type CachedAnswer } from './cached-answer';
import type { Upstream } from './upstream';

interface SharedAnswersOptions {
  readonly upstream: Pick<Upstream, 'fetch'>;
  /** Maximum bytes in the cache. */
  readonly maxBytes?: number;
}

interface SharedRequest {
  readonly target: string;
  /** Request headers, which are equal for all requests with this target. */
  readonly headers: Readonly<Record<string, string>>;
  /** The stream for which the origin may block the request; null: it never blocks. */
  readonly heldFor: string | null;
}

/** Estimated memory of an entry besides its body, bytes: headers, policy and key. */
const ENTRY_OVERHEAD_BYTES = 2_048;

/**
 * Cache for small and live answers. Identical requests are merged, and an answer is cached for as long as its headers allow.
 */
export class SharedAnswers {
  readonly #upstream: SharedAnswersOptions['upstream'];
  readonly #cachedAnswers: LRUCache<string, CachedAnswer>;
  readonly #requests = new SingleFlight<CachedAnswer>();
  readonly #blockingRequests = new BlockingRequests();

  constructor({ upstream, maxBytes = 256 * 1024 * 1024 }: SharedAnswersOptions) {
    this.#upstream = upstream;
    this.#cachedAnswers = new LRUCache({
      maxSize: maxBytes,
      // A larger entry would evict too many others.
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: ({ body }) => body.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** The fresh cached answer; null if there is none. */
  findFresh(key: string): CachedAnswer | null {
    const cachedAnswer = this.#cachedAnswers.get(key);
    return cachedAnswer && !cachedAnswer.policy.stale() ? cachedAnswer : null;
  }

  /**
   * Returns the cached answer or fetches it. If the upstream fails, a stale answer is returned if its headers allow
   * it.
   * @param key key of equal requests
   * @throws UpstreamError if the upstream fails and no stale answer may be used
   */
  async get(key: string, request: SharedRequest): Promise<CachedAnswer> {
    const freshAnswer = this.findFresh(key);
    if (freshAnswer) return freshAnswer;
    try {
      const answer = await this.#requests.run(key, () => this.#fetch(key, request));
      return answer.status < 500 ? answer : (this.#findStale(key) ?? answer);
    } catch (error) {
      const staleAnswer = this.#findStale(key);
      if (staleAnswer) return staleAnswer;
      throw error;
    }
  }

  /** Caches an answer if its headers allow a shared cache to store it. */
  cacheIfUsable(key: string, answer: CachedAnswer): void {
    if (isUsable(answer.policy, answer.status)) this.#cachedAnswers.set(key, answer);
  }

  #findStale(key: string): CachedAnswer | null {
    const cachedAnswer = this.#cachedAnswers.get(key);
    return cachedAnswer && isUsable(cachedAnswer.policy, cachedAnswer.status) ? cachedAnswer : null;
  }

  async #fetch(key: string, { target, headers, heldFor }: SharedRequest): Promise<CachedAnswer> {
    const isBlocking = heldFor !== null;
    const fetch = () => this.#upstream.fetch(target, { headers, isBlocking });
    const response = await (isBlocking ? this.#blockingRequests.run(heldFor, fetch) : fetch());
    const answer = { ...response, policy: cachePolicyOf(target, response.status, response.headers) };
    this.cacheIfUsable(key, answer);
    return answer;
  }
}
