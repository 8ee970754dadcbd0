/** Smallest window: one read of the socket has at most 64 KiB, so that it causes at most one acknowledgement. */
const MIN_WINDOW_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 2_500_000;

/**
 * Counts received bytes and decides when an acknowledgement is due (RTMP 5.4.3). Encoders stop sending without
 * acknowledgements.
 */
export class Acknowledgements {
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #windowBytes = MAX_WINDOW_BYTES;

  /** Sets the window size that the client requested, in bytes, within limits. */
  setWindow(bytes: number): void {
    this.#windowBytes = Math.min(Math.max(bytes, MIN_WINDOW_BYTES), MAX_WINDOW_BYTES);
  }

  /**
   * Adds received bytes.
   * @returns the sequence number to acknowledge (modulo 2^32), or null if none is due
   */
  addReceived(bytes: number): number | null {
    this.#receivedBytes += bytes;
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#windowBytes) return null;
    this.#acknowledgedBytes = this.#receivedBytes;
    return this.#receivedBytes % 2 ** 32;
  }
}
