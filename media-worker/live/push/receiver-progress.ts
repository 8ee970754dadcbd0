/** What is known of a connection at one moment. Bytes; null: not known. */
export interface ConnectionSample {
  /** Handed to the operating system. */
  readonly handedOver: number;
  /** Not yet handed to it, because it takes no more. */
  readonly waiting: number;
  /** Of what was handed over: not yet acknowledged by the other machine (TCP). */
  readonly unacknowledged: number | null;
  /** Said to be received by the program at the other end, modulo 2^32 (RTMP). */
  readonly acknowledged: number | null;
}

/**
 * For how long a receiver has taken nothing of what is there for it. Buffers on the way take seconds to minutes of a stream
 * whose receiver is gone: so what counts is what it acknowledged.
 */
export class ReceiverProgress {
  #acceptedBytes = -1;
  #takenAt: number;
  #acknowledged: number | null = null;
  #acknowledgedAt = 0;
  /** At the last acknowledgement. */
  #handedOver = 0;
  /** Most bytes between two acknowledgements so far: the receiver's window, whatever it announced. */
  #window = 0;

  /** @param now monotonic milliseconds */
  constructor(readonly now: () => number) {
    this.#takenAt = now();
  }

  /** Adds what is known now. @returns milliseconds without progress; 0 when nothing is there to be taken */
  look(sample: ConnectionSample): number {
    const at = this.now();
    return Math.max(this.#byConnection(sample, at), this.#byProgram(sample, at));
  }

  #byConnection({ handedOver, waiting, unacknowledged }: ConnectionSample, at: number): number {
    const acceptedBytes = handedOver - (unacknowledged ?? 0);
    const isOutstanding = waiting > 0 || (unacknowledged ?? 0) > 0;
    if (acceptedBytes > this.#acceptedBytes || !isOutstanding) {
      this.#acceptedBytes = Math.max(acceptedBytes, this.#acceptedBytes);
      this.#takenAt = at;
    }
    return at - this.#takenAt;
  }

  /** A receiver that acknowledges is late once twice its usual number of bytes is on the way. */
  #byProgram({ handedOver, acknowledged }: ConnectionSample, at: number): number {
    if (acknowledged === null) return 0;
    if (acknowledged !== this.#acknowledged) {
      this.#window = Math.max(this.#window, handedOver - this.#handedOver);
      this.#acknowledged = acknowledged;
      this.#handedOver = handedOver;
      this.#acknowledgedAt = at;
    }
    const isOverdue = handedOver - this.#handedOver > 2 * this.#window;
    return isOverdue ? at - this.#acknowledgedAt : 0;
  }
}
