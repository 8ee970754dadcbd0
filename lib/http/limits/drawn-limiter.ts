import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Points that a process has drawn for one key in the current window. */
interface Share {
  /** Points drawn and not spent yet. */
  remaining: number;
  /** Points left for other draws, at the last draw. */
  readonly undrawn: number;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

interface SpendResult {
  readonly exceeded: boolean;
  /** Remaining points of all processes, at the last draw of this process. */
  readonly remainingPoints: number;
  /** Milliseconds until the window ends. */
  readonly msBeforeNext: number;
}

/** Maximum number of callers with a stored share; an evicted share loses its rest of the window. */
const maxKeys = 50_000;
const drawsPerWindow = 10;

/**
 * A limit shared by all processes without a store call per point: a process draws a tenth of the remaining points, and
 * spends them from memory. All processes together never spend more than the limit. The last points are drawn one at a time,
 * so few points stay unspent in other processes.
 */
export class DrawnLimiter {
  readonly #store: Pick<RateLimiterAbstract, 'consume'>;
  readonly #points: number;
  readonly #shares = new LRUCache<string, Share>({ max: maxKeys });
  readonly #draws = new SingleFlight<Share>();

  /** @param store counts draws @param points the limit, equal to that of the store */
  constructor(store: Pick<RateLimiterAbstract, 'consume'>, points: number) {
    this.#store = store;
    this.#points = points;
  }

  /** Spends one point if one is left. */
  async consume(key: string): Promise<SpendResult> {
    for (;;) {
      const share = this.#shares.get(key);
      if (!share || share.endsAt <= Date.now() || (share.remaining === 0 && share.undrawn > 0)) {
        await this.#draws.run(key, () => this.#draw(key, share));
        continue;
      }
      // Without points to draw, the store is not called until the window ends.
      const isExceeded = share.remaining === 0;
      if (!isExceeded) share.remaining -= 1;
      return {
        remainingPoints: share.remaining + share.undrawn,
        msBeforeNext: share.endsAt - Date.now(),
        exceeded: isExceeded,
      };
    }
  }

  /** Runs one draw at a time; all waiting requests spend from it. */
  #draw(key: string, last: Share | undefined): Promise<Share> {
    const undrawn = last && last.endsAt > Date.now() ? last.undrawn : this.#points;
    const drawnPoints = Math.max(1, Math.floor(undrawn / drawsPerWindow));
    return this.#take(key, drawnPoints);
  }

  async #take(key: string, drawnPoints: number): Promise<Share> {
    const { consumedPoints, msBeforeNext } = await this.#store
      .consume(key, drawnPoints)
      .catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
    // The store also counts refused points, so only the points left before this draw are granted.
    const grantedPoints = Math.min(drawnPoints, Math.max(0, this.#points - (consumedPoints - drawnPoints)));
    const undrawn = Math.max(0, this.#points - consumedPoints);
    const share = { remaining: grantedPoints, undrawn, endsAt: Date.now() + msBeforeNext };
    this.#shares.set(key, share);
    return share;
  }
}
