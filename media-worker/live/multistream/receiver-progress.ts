/** The state of a connection at one moment, in bytes; unknown values are null. */
export interface ConnectionSample {
  /** Bytes handed to the operating system. */
  readonly handedOverBytes: number;
  /** Bytes that the operating system has not taken yet. */
  readonly waitingBytes: number;
  /** Bytes handed over that the other machine has not acknowledged (TCP). */
  readonly unacknowledgedBytes: number | null;
  /** Bytes that the receiving program has acknowledged, modulo 2^32 (RTMP). */
  readonly acknowledgedBytes: number | null;
}

/**
 * Measures for how long a receiver has accepted nothing although data is available. Buffers on the path hold seconds to
 * minutes of a stream whose receiver is gone, so only acknowledged bytes count.
 */
export class ReceiverProgress {
  #acceptedBytes = -1;
  #acceptedAtMs: number;
  #acknowledged: number | null = null;
  #acknowledgedAtMs = 0;
  /** Bytes handed over at the last acknowledgement. */
  #handedOverAtAck = 0;
  /**
   * Maximum bytes between two acknowledgements so far. This is the effective window of the receiver, which may
   * differ from the window that it announced.
   */
  #maxUnacknowledged = 0;

  /** @param now returns monotonic milliseconds */
  constructor(readonly now: () => number) {
    this.#acceptedAtMs = now();
  }

  /**
   * Adds a sample.
   * @returns milliseconds without progress; 0 when no data is available
   */
  addSample(sample: ConnectionSample): number {
    const now = this.now();
    return Math.max(this.#connectionStalledMs(sample, now), this.#programStalledMs(sample, now));
  }

  #connectionStalledMs(
    { handedOverBytes, waitingBytes: waiting, unacknowledgedBytes: unacknowledged }: ConnectionSample,
    now: number,
  ): number {
    const acceptedBytes = handedOverBytes - (unacknowledged ?? 0);
    const isOutstanding = waiting > 0 || (unacknowledged ?? 0) > 0;
    if (acceptedBytes > this.#acceptedBytes || !isOutstanding) {
      this.#acceptedBytes = Math.max(acceptedBytes, this.#acceptedBytes);
      this.#acceptedAtMs = now;
    }
    return now - this.#acceptedAtMs;
  }

  /**
   * A receiver that sends acknowledgements is late when twice the largest number of bytes between two of its
   * acknowledgements is in flight.
   */
  #programStalledMs(
    { handedOverBytes, acknowledgedBytes: acknowledged }: ConnectionSample,
    now: number,
  ): number {
    if (acknowledged === null) return 0;
    if (acknowledged !== this.#acknowledged) {
      this.#maxUnacknowledged = Math.max(this.#maxUnacknowledged, handedOverBytes - this.#handedOverAtAck);
      this.#acknowledged = acknowledged;
      this.#handedOverAtAck = handedOverBytes;
      this.#acknowledgedAtMs = now;
    }
    const isOverdue = handedOverBytes - this.#handedOverAtAck > 2 * this.#maxUnacknowledged;
    return isOverdue ? now - this.#acknowledgedAtMs : 0;
  }
}
