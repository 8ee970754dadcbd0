import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import { clientNetwork } from '@/lib/infra/egress/ip-address';

interface ViewsPerAddressOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Viewers of one stream or asset at one address that count immediately. */
  readonly burst?: number;
  /** Interval after which one more viewer of that address counts, ms. */
  readonly anotherMs?: number;
  /** A player that requests playlists for this long counts, even if its address has many viewers, ms. */
  readonly stayMs?: number;
  readonly max?: number;
}

/** Time without a request after which a viewer has left, ms. */
const presentMs = 20_000;
/** Time within which a returning viewer continues the same view, ms. */
const rememberedMs = 1_800_000;

/**
 * Limits the views that one address adds to a stream or asset, because tokens and user agents can be forged. A
 * household never reaches the limit. Behind the shared address of a school, viewers of a live stream count once
 * they have stayed, viewers of an asset one by one. Nothing is stored; addresses are salted hashes.
 */
export class ViewsPerAddress {
  readonly #options: Required<ViewsPerAddressOptions>;
  readonly #salt = randomBytes(32);
  readonly #viewCounts: LRUCache<string, true>;
  /** Arrival times of viewers who do not count yet. */
  readonly #waiting: LRUCache<string, number>;
  /** Number of further viewers that count immediately, and the time of that number. */
  readonly #left: LRUCache<string, { readonly views: number; readonly at: number }>;

  constructor({
    burst = 10,
    anotherMs = 60_000,
    stayMs = 30_000,
    max = 100_000,
    ...options
  }: ViewsPerAddressOptions) {
    this.#options = { burst, anotherMs, stayMs, max, ...options };
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => options.clock.monotonic() + 1 };
    const exact = { ttlResolution: 0, perf };
    this.#viewCounts = new LRUCache({ max, ttl: rememberedMs, updateAgeOnGet: true, ...exact });
    this.#waiting = new LRUCache({ max, ttl: presentMs, updateAgeOnGet: true, ...exact });
    this.#left = new LRUCache({ max, ttl: burst * anotherMs, ...exact });
  }

  /**
   * Whether this viewer counts now; it may count later.
   * @param viewer a token, or a hash of address and user agent
   */
  counts(request: IncomingMessage, playbackId: string, viewer: string): boolean {
    const key = `${playbackId} ${viewer}`;
    if (this.#viewCounts.get(key)) return true;
    const counts = this.#takeOne(playbackId, request) || this.#hasStayed(key);
    if (counts) this.#viewCounts.set(key, true);
    return counts;
  }

  #takeOne(playbackId: string, request: IncomingMessage): boolean {
    const { clock, addressOf, burst, anotherMs } = this.#options;
    const network = createHash('sha256')
      .update(this.#salt)
      .update(clientNetwork(addressOf(request)));
    const key = `${playbackId} ${network.digest('base64url')}`;
    const now = clock.monotonic();
    const { views, at } = this.#left.get(key) ?? { views: burst, at: now };
    const viewsLeft = Math.min(burst, views + (now - at) / anotherMs);
    this.#left.set(key, { views: viewsLeft < 1 ? viewsLeft : viewsLeft - 1, at: now });
    return viewsLeft >= 1;
  }

  #hasStayed(key: string): boolean {
    const now = this.#options.clock.monotonic();
    const since = this.#waiting.get(key);
    if (since === undefined) this.#waiting.set(key, now);
    return since !== undefined && now - since >= this.#options.stayMs;
  }
}
