import { createTimestampUnwrapper } from '@/media-worker/media/packets/timestamp-unwrapper';

/**
 * The base is the shortest delay within the last two spans of this length, because clocks drift and jitter only
 * adds delay.
 */
const SPAN_MS = 5_000;

/**
 * Relates the clock of a sender to the local clock, by packets that are delivered immediately. Times in
 * milliseconds.
 */
export class TimeBase {
  readonly #unwrap = createTimestampUnwrapper();
  #spanStartedAt: number;
  #previousOffsetMs = Infinity;
  #offsetMs: number;

  /** @param timestamp of a packet that arrived at `now`: microseconds modulo 2^32 */
  constructor(timestamp: number, now: number) {
    this.#spanStartedAt = now;
    this.#offsetMs = now - this.#unwrap(timestamp) / 1_000;
  }

  /**
   * Records the first arrival of a packet.
   * @returns its send time by the sender's clock
   */
  recordArrival(timestamp: number, now: number): number {
    const sentMs = this.sentAt(timestamp);
    if (now - this.#spanStartedAt >= SPAN_MS) {
      this.#spanStartedAt = now;
      this.#previousOffsetMs = this.#offsetMs;
      this.#offsetMs = Infinity;
    }
    this.#offsetMs = Math.min(this.#offsetMs, now - sentMs);
    return sentMs;
  }

  /** The send time of a packet by the sender's clock. Retransmitted packets do not count for the delay. */
  sentAt(timestamp: number): number {
    return this.#unwrap(timestamp) / 1_000;
  }

  /** Expected arrival of a packet sent at this time. */
  expectedAt(sentMs: number): number {
    return sentMs + Math.min(this.#previousOffsetMs, this.#offsetMs);
  }
}
