import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import { BlockingRequests } from '@/media-worker/delivery/origin/live/blocking-requests';
import { cachePolicyOf, isUsable, type CachedAnswer } from './cached-answer';
import type { Upstream } from './upstream';

interface SharedAnswersOptions {
  readonly upstream: Pick<Upstream, 'fetch'>;
  /** Bytes kept at most. */
  readonly maxBytes?: number;
}

interface SharedRequest {
  readonly target: string;
  /** The same for all who ask for the target. */
  readonly headers: Readonly<Record<string, string>>;
  /** The stream that the origin may hold it back for. */
  readonly heldFor: string | null;
}

/** Counted besides the body: headers, policy and key. */
const entryOverhead = 2_048;

/** Small and live answers: identical requests become one, and an answer is kept as long as it says. */
export class SharedAnswers {
  readonly #upstream: SharedAnswersOptions['upstream'];
  readonly #cachedAnswers: LRUCache<string, CachedAnswer>;
  readonly #running = new SingleFlight<CachedAnswer>();
  readonly #blockingAnswers = new BlockingRequests();

  constructor({ upstream, maxBytes = 256 * 1024 * 1024 }: SharedAnswersOptions) {
    this.#upstream = upstream;
    this.#cachedAnswers = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 4),
      sizeCalculation: ({ body }) => body.length + entryOverhead,
    });
  }

  /** What is fresh of it. */
  fresh(key: string): CachedAnswer | null {
    const cachedAnswer = this.#cachedAnswers.get(key);
    return cachedAnswer && !cachedAnswer.policy.stale() ? cachedAnswer : null;
  }

  /**
   * Rejects with UpstreamError, unless an older answer may be used then.
   * @param key of equal requests
   */
  async get(key: string, request: SharedRequest): Promise<CachedAnswer> {
    const fresh = this.fresh(key);
    if (fresh) return fresh;
    try {
      const answer = await this.#running.run(key, () => this.#fetch(key, request));
      return answer.status < 500 ? answer : (this.#older(key) ?? answer);
    } catch (error) {
      const older = this.#older(key);
      if (older) return older;
      throw error;
    }
  }

  /** Keeps an answer that was fetched for one viewer, if it is for all. */
  offer(key: string, answer: CachedAnswer): void {
    if (isUsable(answer.policy, answer.status)) this.#cachedAnswers.set(key, answer);
  }

  #older(key: string): CachedAnswer | null {
    const cachedAnswer = this.#cachedAnswers.get(key);
    return cachedAnswer && isUsable(cachedAnswer.policy, cachedAnswer.status) ? cachedAnswer : null;
  }

  async #fetch(key: string, { target, headers, heldFor }: SharedRequest): Promise<CachedAnswer> {
    const isBlocking = heldFor !== null;
    const fetch = () => this.#upstream.fetch(target, { headers, isBlocking });
    const response = await (isBlocking ? this.#blockingAnswers.run(heldFor, fetch) : fetch());
    const answer = { ...response, policy: cachePolicyOf(target, response.status, response.headers) };
    this.offer(key, answer);
    return answer;
  }
}
