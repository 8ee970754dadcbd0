import { createTimestampUnwrapper } from '@/media-worker/media/packets/timestamp-unwrapper';

/**
 * The base is the shortest delay of the last two spans of this length, because clocks drift apart and jitter only
 * adds delay.
 */
const SPAN_MS = 5_000;

/**
 * Relates the clock of a sender to the local clock, by packets that are delivered immediately. Times in
 * milliseconds.
 */
export class TimeBase {
  readonly #unwrap = createTimestampUnwrapper();
  #since: number;
  #beforeMs = Infinity;
  #offsetMs: number;

  /** @param timestamp of a packet that arrived at `now`: microseconds modulo 2^32 */
  constructor(timestamp: number, now: number) {
    this.#since = now;
    this.#offsetMs = now - this.#unwrap(timestamp) / 1_000;
  }

  /** Records the first arrival of a packet. @returns its send time by the sender's clock */
  recordArrival(timestamp: number, now: number): number {
    const sentMs = this.sentAt(timestamp);
    if (now - this.#since >= SPAN_MS) {
      this.#since = now;
      this.#beforeMs = this.#offsetMs;
      this.#offsetMs = Infinity;
    }
    this.#offsetMs = Math.min(this.#offsetMs, now - sentMs);
    return sentMs;
  }

  /** The send time of a retransmitted packet, which is no measure of the delay. */
  sentAt(timestamp: number): number {
    return this.#unwrap(timestamp) / 1_000;
  }

  /** Expected arrival of a packet sent at this time. */
  expectedAt(sentMs: number): number {
    return sentMs + Math.min(this.#beforeMs, this.#offsetMs);
  }
}
