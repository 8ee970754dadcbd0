/** Measures for how long a receiver has reported no new packets although some were sent; 0 for a receiver without reports. */
export class ReportProgress {
  #highest: number | null = null;
  #unreportedSince: number | null = null;

  /**
   * Records that media was sent.
   * @param now monotonic milliseconds
   */
  recordSent(now: number): void {
    this.#unreportedSince ??= now;
  }

  /** @param highest extended sequence number of the newest packet that arrived (RFC 3550 §6.4.1) */
  recordReport(highest: number): void {
    if (highest === this.#highest) return;
    this.#highest = highest;
    this.#unreportedSince = null;
  }

  stalledMs(now: number): number {
    return this.#highest === null || this.#unreportedSince === null ? 0 : now - this.#unreportedSince;
  }
}
