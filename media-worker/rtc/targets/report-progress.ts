/** Measures for how long a receiver has reported no new packets although some were sent; 0 for a receiver without reports. */
export class ReportProgress {
  #highestSequence: number | null = null;
  #unreportedSince: number | null = null;

  /**
   * Records that media was sent.
   * @param now monotonic milliseconds
   */
  recordSent(now: number): void {
    this.#unreportedSince ??= now;
  }

  /** @param highestSequence extended sequence number of the newest packet that arrived (RFC 3550 §6.4.1) */
  recordReport(highestSequence: number): void {
    if (highestSequence === this.#highestSequence) return;
    this.#highestSequence = highestSequence;
    this.#unreportedSince = null;
  }

  stalledMs(now: number): number {
    return this.#highestSequence === null || this.#unreportedSince === null ? 0 : now - this.#unreportedSince;
  }
}
