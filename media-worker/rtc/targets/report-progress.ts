/** Detects a receiver whose RTCP reports show no new packets although media was sent. */
export class ReportProgress {
  #highestSequence: number | null = null;
  #unreportedSinceMs: number | null = null;

  /**
   * Records that media was sent.
   * @param monotonicMs monotonic milliseconds
   */
  recordSent(monotonicMs: number): void {
    this.#unreportedSinceMs ??= monotonicMs;
  }

  /**
   * Records a receiver report.
   * @param highestSequence extended sequence number of the newest packet that arrived (RFC 3550 §6.4.1)
   */
  recordReport(highestSequence: number): void {
    if (highestSequence === this.#highestSequence) return;
    this.#highestSequence = highestSequence;
    this.#unreportedSinceMs = null;
  }

  /** Time since the first media that no report has shown as received; 0 for a receiver without reports. */
  stalledMs(monotonicMs: number): number {
    return this.#highestSequence === null || this.#unreportedSinceMs === null
      ? 0
      : monotonicMs - this.#unreportedSinceMs;
  }
}
