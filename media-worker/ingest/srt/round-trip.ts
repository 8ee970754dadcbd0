/** Maximum number of acknowledgements whose confirmation is pending. */
const MAX_PENDING = 64;
/** Initial value, ms. On long paths it is too short, and some packets are then requested twice. */
const FIRST_MS = 20;
const FIRST_VARIANCE_MS = 10;

/** Measures the round-trip time (draft-sharabayko-srt-01 §4.10) from confirmed acknowledgements. */
export class RoundTrip {
  readonly #sentAt = new Map<number, number>();
  #number = 0;
  #ms: number | null = null;
  #varianceMs = FIRST_VARIANCE_MS;

  get ms(): number {
    return this.#ms ?? FIRST_MS;
  }

  get varianceMs(): number {
    return this.#varianceMs;
  }

  /** Upper limit of the usual round-trip time, ms. */
  get boundMs(): number {
    return this.ms + 4 * this.#varianceMs;
  }

  /** Number of an acknowledgement sent at `now`. */
  next(now: number): number {
    this.#number = (this.#number + 1) >>> 0;
    this.#sentAt.set(this.#number, now);
    for (const oldest of this.#sentAt.keys()) {
      if (this.#sentAt.size <= MAX_PENDING) break;
      this.#sentAt.delete(oldest);
    }
    return this.#number;
  }

  /** Records the confirmation of an acknowledgement. */
  acknowledge(number: number, now: number): void {
    const sentAt = this.#sentAt.get(number);
    if (sentAt === undefined) return;
    for (const sentNumber of this.#sentAt.keys()) {
      this.#sentAt.delete(sentNumber);
      if (sentNumber === number) break;
    }
    const ms = now - sentAt;
    if (this.#ms === null) {
      this.#ms = ms;
      this.#varianceMs = ms / 2;
      return;
    }
    this.#varianceMs = (3 * this.#varianceMs + Math.abs(ms - this.#ms)) / 4;
    this.#ms = (7 * this.#ms + ms) / 8;
  }
}
