import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/infra/clock';
import { networkOfIp } from '@/lib/infra/egress/ip-address';

interface ViewsPerAddressOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Number of viewers of one stream or asset at one address that count immediately. */
  readonly burst?: number;
  /** Interval after which one more viewer of that address counts, ms. */
  readonly allowanceIntervalMs?: number;
  /** A player that requests playlists for this long counts, even if its address has many viewers, ms. */
  readonly stayMs?: number;
  /** Maximum number of viewers and addresses that are remembered. */
  readonly max?: number;
}

/** Time without a request after which a viewer has left, ms. */
const ABSENCE_TIMEOUT_MS = 20_000;
/** Time within which a returning viewer continues the same view, ms. */
const VIEW_TIMEOUT_MS = 1_800_000;

/**
 * Limits the views that one address adds to a stream or asset, because tokens and user agents can be forged. A
 * household does not reach the limit. Behind the shared address of a school, viewers of a live stream count once
 * they have stayed, and viewers of an asset count one by one. Nothing is stored on disk; in memory, addresses are
 * salted hashes.
 */
export class ViewsPerAddress {
  readonly #options: Required<ViewsPerAddressOptions>;
  readonly #salt = randomBytes(32);
  /** Viewers who count, by playback id and viewer. */
  readonly #countedViewers: LRUCache<string, true>;
  /** Arrival times of viewers who do not count yet. */
  readonly #waiting: LRUCache<string, number>;
  /** Number of further viewers that count immediately, with the time at which it was calculated. */
  readonly #allowances: LRUCache<string, { readonly views: number; readonly calculatedAt: number }>;

  constructor({
    burst = 10,
    allowanceIntervalMs = 60_000,
    stayMs = 30_000,
    max = 100_000,
    ...options
  }: ViewsPerAddressOptions) {
    this.#options = { burst, allowanceIntervalMs, stayMs, max, ...options };
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => options.clock.monotonic() + 1 };
    const exactTtl = { ttlResolution: 0, perf };
    this.#countedViewers = new LRUCache({ max, ttl: VIEW_TIMEOUT_MS, updateAgeOnGet: true, ...exactTtl });
    this.#waiting = new LRUCache({ max, ttl: ABSENCE_TIMEOUT_MS, updateAgeOnGet: true, ...exactTtl });
    this.#allowances = new LRUCache({ max, ttl: burst * allowanceIntervalMs, ...exactTtl });
  }

  /**
   * Records a request of a viewer.
   * @param viewer a token, or a hash of address and user agent
   * @returns whether the viewer counts as a view now; a later request may count
   */
  counts(request: IncomingMessage, playbackId: string, viewer: string): boolean {
    const key = `${playbackId} ${viewer}`;
    if (this.#countedViewers.get(key)) return true;
    const isCounted = this.#takeAllowance(playbackId, request) || this.#hasStayed(key);
    if (isCounted) this.#countedViewers.set(key, true);
    return isCounted;
  }

  #takeAllowance(playbackId: string, request: IncomingMessage): boolean {
    const { clock, addressOf, burst, allowanceIntervalMs } = this.#options;
    const network = createHash('sha256')
      .update(this.#salt)
      .update(networkOfIp(addressOf(request)));
    const key = `${playbackId} ${network.digest('base64url')}`;
    const now = clock.monotonic();
    const { views, calculatedAt } = this.#allowances.get(key) ?? { views: burst, calculatedAt: now };
    const viewsLeft = Math.min(burst, views + (now - calculatedAt) / allowanceIntervalMs);
    this.#allowances.set(key, { views: viewsLeft < 1 ? viewsLeft : viewsLeft - 1, calculatedAt: now });
    return viewsLeft >= 1;
  }

  #hasStayed(key: string): boolean {
    const now = this.#options.clock.monotonic();
    const arrivedAt = this.#waiting.get(key);
    if (arrivedAt === undefined) this.#waiting.set(key, now);
    return arrivedAt !== undefined && now - arrivedAt >= this.#options.stayMs;
  }
}
