/** Maximum number of acknowledgements whose confirmation is pending. */
const MAX_PENDING = 64;
/** Initial round-trip time, ms. It is too short for long paths, so some packets are requested twice at the start. */
const INITIAL_MS = 20;
const INITIAL_VARIANCE_MS = 10;

/** Measures the round-trip time (draft-sharabayko-srt-01 §4.10) from confirmed acknowledgements. */
export class RoundTrip {
  readonly #sentAtMs = new Map<number, number>();
  #lastNumber = 0;
  #roundTripMs: number | null = null;
  #varianceMs = INITIAL_VARIANCE_MS;

  get roundTripMs(): number {
    return this.#roundTripMs ?? INITIAL_MS;
  }

  /** Mean deviation of the round-trip time, ms. */
  get varianceMs(): number {
    return this.#varianceMs;
  }

  /** Upper limit of the usual round-trip time, ms. */
  get boundMs(): number {
    return this.roundTripMs + 4 * this.#varianceMs;
  }

  /**
   * Records that an acknowledgement is sent.
   * @returns its number, which its confirmation repeats
   */
  recordSent(monotonicMs: number): number {
    this.#lastNumber = (this.#lastNumber + 1) >>> 0;
    this.#sentAtMs.set(this.#lastNumber, monotonicMs);
    for (const oldest of this.#sentAtMs.keys()) {
      if (this.#sentAtMs.size <= MAX_PENDING) break;
      this.#sentAtMs.delete(oldest);
    }
    return this.#lastNumber;
  }

  /** Records the confirmation of an acknowledgement. Confirmations of unknown numbers are ignored. */
  recordConfirmation(acknowledgementNumber: number, monotonicMs: number): void {
    const sentAtMs = this.#sentAtMs.get(acknowledgementNumber);
    if (sentAtMs === undefined) return;
    for (const sentNumber of this.#sentAtMs.keys()) {
      this.#sentAtMs.delete(sentNumber);
      if (sentNumber === acknowledgementNumber) break;
    }
    const roundTripMs = monotonicMs - sentAtMs;
    if (this.#roundTripMs === null) {
      this.#roundTripMs = roundTripMs;
      this.#varianceMs = roundTripMs / 2;
      return;
    }
    this.#varianceMs = (3 * this.#varianceMs + Math.abs(roundTripMs - this.#roundTripMs)) / 4;
    this.#roundTripMs = (7 * this.#roundTripMs + roundTripMs) / 8;
  }
}
