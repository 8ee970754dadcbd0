import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Points that a process has drawn for one key in this window. */
interface Share {
  /** Drawn and not spent yet. */
  left: number;
  /** Points left for other draws, as of the last one. */
  readonly undrawn: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

interface Spent {
  readonly exceeded: boolean;
  /** Remaining points of all processes, as of this process's last draw. */
  readonly remainingPoints: number;
  /** Milliseconds until the window ends. */
  readonly msBeforeNext: number;
}

/** Callers whose share is remembered; one that is forgotten loses what it had left of this window. */
const maxKeys = 50_000;
const parts = 10;

/**
 * A limit that all processes count together without asking the store for each point: a process draws a tenth of what
 * is left, and spends it from memory. Together they never spend more than the limit. Of the last points a draw takes one
 * at a time, so little of the limit stays unspent in other processes.
 */
export class DrawnLimiter {
  readonly #store: Pick<RateLimiterAbstract, 'consume'>;
  readonly #points: number;
  readonly #shares = new LRUCache<string, Share>({ max: maxKeys });
  readonly #draws = new SingleFlight<Share>();

  /** @param store counts draws @param points the limit, as the store has it */
  constructor(store: Pick<RateLimiterAbstract, 'consume'>, points: number) {
    this.#store = store;
    this.#points = points;
  }

  /** Spends one point, if there is one. */
  async consume(key: string): Promise<Spent> {
    for (;;) {
      const share = this.#shares.get(key);
      if (!share || share.endsAt <= Date.now() || (share.left === 0 && share.undrawn > 0)) {
        await this.#draws.run(key, () => this.#draw(key, share));
        continue;
      }
      // Without points to draw, the store is not asked until the window ends.
      const isExceeded = share.left === 0;
      if (!isExceeded) share.left -= 1;
      return {
        remainingPoints: share.left + share.undrawn,
        msBeforeNext: share.endsAt - Date.now(),
        exceeded: isExceeded,
      };
    }
  }

  /** Draws once at a time; all waiting requests spend from it. */
  #draw(key: string, last: Share | undefined): Promise<Share> {
    const undrawn = last && last.endsAt > Date.now() ? last.undrawn : this.#points;
    const drawnPoints = Math.max(1, Math.floor(undrawn / parts));
    return this.#take(key, drawnPoints);
  }

  async #take(key: string, drawnPoints: number): Promise<Share> {
    const { consumedPoints, msBeforeNext } = await this.#store
      .consume(key, drawnPoints)
      .catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
    // The store counts also what it refuses: what was left before this draw is ours.
    const grantedPoints = Math.min(drawnPoints, Math.max(0, this.#points - (consumedPoints - drawnPoints)));
    const undrawn = Math.max(0, this.#points - consumedPoints);
    const share = { left: grantedPoints, undrawn, endsAt: Date.now() + msBeforeNext };
    this.#shares.set(key, share);
    return share;
  }
}
