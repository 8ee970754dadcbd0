/** Smallest window: a data event has at most 64 KiB, so that it causes at most one acknowledgement. */
const MIN_WINDOW_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 2_500_000;

/**
 * Counts received bytes and decides when to acknowledge them (RTMP 5.4.3); encoders stop sending without
 * acknowledgements.
 */
export class Acknowledgements {
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #window = MAX_WINDOW_BYTES;

  /** Sets the window size that the client requested, in bytes, within limits. */
  setWindow(bytes: number): void {
    this.#window = Math.min(Math.max(bytes, MIN_WINDOW_BYTES), MAX_WINDOW_BYTES);
  }

  /**
   * Adds received bytes.
   * @returns the sequence number to acknowledge (modulo 2^32), or null if none is due
   */
  addReceived(bytes: number): number | null {
    this.#receivedBytes += bytes;
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#window) return null;
    this.#acknowledgedBytes = this.#receivedBytes;
    return this.#receivedBytes % 2 ** 32;
  }
}
