import { createTimestampUnwrapper } from '@/media-worker/media/packets/timestamp-unwrapper';

/** The shortest delay of this long, and of the span before it, counts: clocks drift apart, and jitter only delays. */
const SPAN_MS = 5_000;

/** Compares the clock of a sender with ours, by packets that arrive at once. Times in milliseconds. */
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

  /** When a packet arrived for the first time. @returns when it was sent, by the sender's clock */
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

  /** The time of a packet that was sent again: it says nothing of the delay. */
  sentAt(timestamp: number): number {
    return this.#unwrap(timestamp) / 1_000;
  }

  /** When what was sent then should have arrived. */
  expectedAt(sentMs: number): number {
    return sentMs + Math.min(this.#beforeMs, this.#offsetMs);
  }
}
