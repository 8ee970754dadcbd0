/** Maximum number of acknowledgements whose confirmation is pending. */
const MAX_PENDING = 64;
/** Initial round-trip time, ms. It is too short for long paths, so some packets are requested twice at the start. */
const INITIAL_MS = 20;
const INITIAL_VARIANCE_MS = 10;

/** Measures the round-trip time (draft-sharabayko-srt-01 §4.10) from confirmed acknowledgements. */
export class RoundTrip {
  readonly #sentAt = new Map<number, number>();
  #lastNumber = 0;
  #ms: number | null = null;
  #varianceMs = INITIAL_VARIANCE_MS;

  get ms(): number {
    return this.#ms ?? INITIAL_MS;
  }

  get varianceMs(): number {
    return this.#varianceMs;
  }

  /** Upper limit of the usual round-trip time, ms. */
  get boundMs(): number {
    return this.ms + 4 * this.#varianceMs;
  }

  /**
   * Records that an acknowledgement is sent at `now`.
   * @returns its number
   */
  recordSent(now: number): number {
    this.#lastNumber = (this.#lastNumber + 1) >>> 0;
    this.#sentAt.set(this.#lastNumber, now);
    for (const oldest of this.#sentAt.keys()) {
      if (this.#sentAt.size <= MAX_PENDING) break;
      this.#sentAt.delete(oldest);
    }
    return this.#lastNumber;
  }

  /** Records the confirmation of an acknowledgement. */
  recordConfirmation(number: number, now: number): void {
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
