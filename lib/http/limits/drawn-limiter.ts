import { SingleFlight } from '@/lib/core/single-flight';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Points that a process has drawn for one key in the current window. */
interface DrawnPoints {
  /** Points that the process has drawn and not spent. */
  unspentPoints: number;
  /** Points of the limit that no process had drawn, at the last draw of this process. */
  readonly undrawnPoints: number;
  /** End of the window, in Unix milliseconds. */
  readonly endsAt: number;
}

interface SpendResult {
  readonly exceeded: boolean;
  /** Points that this process can still spend: its own, and those that no process had drawn at its last draw. */
  readonly remainingPoints: number;
  /** Milliseconds until the window ends. */
  readonly msBeforeNext: number;
}

/** Maximum number of keys with drawn points. The unspent points of an evicted key can't be used in this window. */
const MAX_KEYS = 50_000;
/** A draw takes one part in this many of the points that are left. */
const DRAW_DIVISOR = 10;

/**
 * A limit that all processes share without a store call per point: a process draws a tenth of the points that are left, and
 * spends them from memory. The last points are drawn one by one, so few points stay unspent in other processes. All
 * processes together spend at most the limit per window, as long as they use the same store.
 */
export class DrawnLimiter {
  readonly #store: Pick<RateLimiterAbstract, 'consume'>;
  readonly #points: number;
  readonly #drawnPoints = new LRUCache<string, DrawnPoints>({ max: MAX_KEYS });
  readonly #draws = new SingleFlight<DrawnPoints>();

  /**
   * @param store counts the drawn points of all processes
   * @param points the limit per window, equal to that of the store
   */
  constructor(store: Pick<RateLimiterAbstract, 'consume'>, points: number) {
    this.#store = store;
    this.#points = points;
  }

  /** Spends one point, if the limit is not exceeded. */
  async consume(key: string): Promise<SpendResult> {
    for (;;) {
      const drawn = this.#drawnPoints.get(key);
      if (!drawn || drawn.endsAt <= Date.now() || (drawn.unspentPoints === 0 && drawn.undrawnPoints > 0)) {
        await this.#draws.run(key, () => this.#draw(key, drawn));
        continue;
      }
      // If the limit is exceeded, the store is not called until the window ends.
      const isExceeded = drawn.unspentPoints === 0;
      if (!isExceeded) drawn.unspentPoints -= 1;
      return {
        remainingPoints: drawn.unspentPoints + drawn.undrawnPoints,
        msBeforeNext: drawn.endsAt - Date.now(),
        exceeded: isExceeded,
      };
    }
  }

  /** Draws a tenth of the points that are left, at least one. `consume` runs one draw per key at a time. */
  #draw(key: string, previous: DrawnPoints | undefined): Promise<DrawnPoints> {
    const undrawn = previous && previous.endsAt > Date.now() ? previous.undrawnPoints : this.#points;
    const drawnPoints = Math.max(1, Math.floor(undrawn / DRAW_DIVISOR));
    return this.#consumeFromStore(key, drawnPoints);
  }

  async #consumeFromStore(key: string, drawnPoints: number): Promise<DrawnPoints> {
    const { consumedPoints, msBeforeNext } = await this.#store
      .consume(key, drawnPoints)
      .catch((rejection: unknown) => {
        if (rejection instanceof RateLimiterRes) return rejection;
        throw rejection;
      });
    // The store also counts rejected points, so only the points left before this draw are granted.
    const grantedPoints = Math.min(drawnPoints, Math.max(0, this.#points - (consumedPoints - drawnPoints)));
    const undrawnPoints = Math.max(0, this.#points - consumedPoints);
    const drawn = { unspentPoints: grantedPoints, undrawnPoints, endsAt: Date.now() + msBeforeNext };
    this.#drawnPoints.set(key, drawn);
    return drawn;
  }
}
