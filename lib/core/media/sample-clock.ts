/** A timestamp is followed smoothly if it differs by at most this much from the time that the sample count gives. */
const FOLLOWED_MS = 40;
/** Share of a small difference that each frame corrects. */
const FOLLOWED_SHARE = 1 / 16;
/** A larger difference is a gap or a clock change, not jitter. */
const MAX_JITTER_MS = 300;
/** A difference that lasts for this long, ms of audio, is a gap. */
const GAP_CONFIRMATION_MS = 1_000;
/** A backward difference that lasts for this long, ms of audio, is a clock change. Following it costs frames. */
const BACKWARD_CONFIRMATION_MS = 3_000;

/** Consecutive frames whose timestamps are all later, or all earlier, than the sample count gives. */
interface Deviation {
  readonly frameCount: number;
  /** The difference with the smallest absolute value. */
  readonly minDifferenceMs: number;
}

/**
 * Times of audio frames of equal duration by their sample count. Jitter of the timestamps up to 300 ms is absorbed: it moves
 * no frame. A gap is followed at once if the arrival of the frame confirms it, and otherwise when it lasts.
 */
export class SampleClock {
  readonly #frameMs: number;
  readonly #followedMs: number;
  readonly #maxJitterMs: number;
  /** Time of the next frame by the sample count, ms; null before the first frame. */
  #nextMs: number | null = null;
  /** Returned time and arrival time of the last frame. */
  #lastMs = -Infinity;
  #arrivalMs = -Infinity;
  #deviation: Deviation | null = null;

  /** @param frameMs duration of a frame, ms */
  constructor(frameMs: number) {
    this.#frameMs = frameMs;
    this.#followedMs = Math.max(FOLLOWED_MS, frameMs);
    this.#maxJitterMs = Math.max(MAX_JITTER_MS, 3 * frameMs);
  }

  /**
   * Places the next frame.
   * @param stampMs its timestamp, ms
   * @param arrivalMs local clock at its arrival, ms
   * @returns its time in whole milliseconds, later than that of any earlier frame
   */
  place(stampMs: number, arrivalMs: number): number {
    const elapsedMs = arrivalMs - this.#arrivalMs;
    this.#arrivalMs = arrivalMs;
    const placedMs =
      this.#nextMs === null ? stampMs : this.#nextMs + this.#correction(stampMs - this.#nextMs, elapsedMs);
    this.#nextMs = placedMs + this.#frameMs;
    this.#lastMs = Math.max(Math.round(placedMs), this.#lastMs + 1);
    return this.#lastMs;
  }

  /**
   * How much the time by the sample count changes.
   * @param differenceMs difference of the timestamp from the time by the sample count
   * @param elapsedMs time since the arrival of the previous frame
   */
  #correction(differenceMs: number, elapsedMs: number): number {
    const isGap = differenceMs > this.#followedMs && elapsedMs >= differenceMs;
    if (isGap || Math.abs(differenceMs) > this.#maxJitterMs) {
      this.#deviation = null;
      return differenceMs;
    }
    if (Math.abs(differenceMs) <= this.#followedMs) {
      this.#deviation = null;
      return differenceMs * FOLLOWED_SHARE;
    }
    const { frameCount, minDifferenceMs } = this.#extendDeviation(differenceMs);
    const confirmationMs = differenceMs > 0 ? GAP_CONFIRMATION_MS : BACKWARD_CONFIRMATION_MS;
    if (frameCount * this.#frameMs < confirmationMs) return 0;
    this.#deviation = null;
    return minDifferenceMs;
  }

  #extendDeviation(differenceMs: number): Deviation {
    const previous = this.#deviation;
    const isContinued = previous !== null && previous.minDifferenceMs > 0 === differenceMs > 0;
    this.#deviation = isContinued
      ? {
          frameCount: previous.frameCount + 1,
          minDifferenceMs:
            Math.abs(differenceMs) < Math.abs(previous.minDifferenceMs)
              ? differenceMs
              : previous.minDifferenceMs,
        }
      : { frameCount: 1, minDifferenceMs: differenceMs };
    return this.#deviation;
  }
}
