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
  /** Number of frames. */
  readonly frames: number;
  /** The difference with the smallest absolute value. */
  readonly ms: number;
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
    const ms =
      this.#nextMs === null ? stampMs : this.#nextMs + this.#correction(stampMs - this.#nextMs, elapsedMs);
    this.#nextMs = ms + this.#frameMs;
    this.#lastMs = Math.max(Math.round(ms), this.#lastMs + 1);
    return this.#lastMs;
  }

  /** How much the time by the sample count changes. @param ms difference of the timestamp from it */
  #correction(ms: number, elapsedMs: number): number {
    const isGap = ms > this.#followedMs && elapsedMs >= ms;
    if (isGap || Math.abs(ms) > this.#maxJitterMs) {
      this.#deviation = null;
      return ms;
    }
    if (Math.abs(ms) <= this.#followedMs) {
      this.#deviation = null;
      return ms * FOLLOWED_SHARE;
    }
    const { frames, ms: minMs } = this.#extendDeviation(ms);
    const confirmationMs = ms > 0 ? GAP_CONFIRMATION_MS : BACKWARD_CONFIRMATION_MS;
    if (frames * this.#frameMs < confirmationMs) return 0;
    this.#deviation = null;
    return minMs;
  }

  #extendDeviation(ms: number): Deviation {
    const before = this.#deviation;
    const isContinued = before !== null && before.ms > 0 === ms > 0;
    this.#deviation = isContinued
      ? { frames: before.frames + 1, ms: Math.abs(ms) < Math.abs(before.ms) ? ms : before.ms }
      : { frames: 1, ms };
    return this.#deviation;
  }
}
