import { createTimestampUnwrapper } from '@/media-worker/media/packets/timestamp-unwrapper';

/**
 * The offset of the clocks is the smallest one within the last two periods of this length: clocks drift, so old values are
 * dropped, and jitter only adds delay.
 */
const SPAN_MS = 5_000;

/**
 * Relates the clock of a sender to the monotonic clock of this process by the arrival of packets. Times in milliseconds.
 */
export class TimeBase {
  readonly #unwrap = createTimestampUnwrapper();
  #spanStartedAtMs: number;
  #previousOffsetMs = Infinity;
  #offsetMs: number;

  /**
   * @param timestampUs timestamp of the first packet: microseconds modulo 2^32
   * @param monotonicMs its arrival
   */
  constructor(timestampUs: number, monotonicMs: number) {
    this.#spanStartedAtMs = monotonicMs;
    this.#offsetMs = monotonicMs - this.#unwrap(timestampUs) / 1_000;
  }

  /**
   * Records the first arrival of a packet.
   * @returns its send time by the sender's clock
   */
  recordArrival(timestampUs: number, monotonicMs: number): number {
    const sentAtMs = this.senderClockMs(timestampUs);
    if (monotonicMs - this.#spanStartedAtMs >= SPAN_MS) {
      this.#spanStartedAtMs = monotonicMs;
      this.#previousOffsetMs = this.#offsetMs;
      this.#offsetMs = Infinity;
    }
    this.#offsetMs = Math.min(this.#offsetMs, monotonicMs - sentAtMs);
    return sentAtMs;
  }

  /** The send time of a packet by the sender's clock. Retransmitted packets do not count for the delay. */
  senderClockMs(timestampUs: number): number {
    return this.#unwrap(timestampUs) / 1_000;
  }

  /** Expected arrival, monotonic ms, of a packet that was sent at `sentAtMs` by the sender's clock. */
  expectedArrivalMs(sentAtMs: number): number {
    return sentAtMs + Math.min(this.#previousOffsetMs, this.#offsetMs);
  }
}
