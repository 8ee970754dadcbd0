/** Media that falls behind the clock by more than this was interrupted. */
const GAP_MS = 1_000;
/** A larger step forward of the timestamps means that the stream began another timeline. */
const STEP_MS = 5_000;

/**
 * Places the packets of a stream on one timeline that keeps pace with the clock. The program of a session shortens gaps, and
 * a restarted live process begins another timeline, but WebRTC players expect neither.
 */
export class ViewerTimeline {
  /** Offset that is added to the timestamps of the stream, ms. */
  #shiftMs = 0;
  /** Largest lead of the timeline over the clock, measured when nothing delayed the media. */
  #leadMs: number | null = null;
  /** Largest timestamp so far. */
  #lastMs = -Infinity;

  /**
   * Places the next packet.
   * @param dtsMs decode time of the packet
   * @param monotonicMs monotonic milliseconds
   * @returns the offset to add to the timestamps of the packet
   */
  placePacket(dtsMs: number, monotonicMs: number): number {
    const leadMs = dtsMs + this.#shiftMs - monotonicMs;
    const isGap = this.#leadMs !== null && leadMs < this.#leadMs - GAP_MS;
    const isStep = this.#leadMs !== null && dtsMs + this.#shiftMs > this.#lastMs + STEP_MS;
    if (isGap || isStep) this.#realign(dtsMs, monotonicMs);
    const placedMs = dtsMs + this.#shiftMs;
    this.#lastMs = Math.max(this.#lastMs, placedMs);
    this.#leadMs = Math.max(this.#leadMs ?? -Infinity, placedMs - monotonicMs);
    return this.#shiftMs;
  }

  /**
   * Places packets that arrived in one burst after joining a feed. The newest packet is current.
   * @param dtsMs decode time of the newest packet
   * @param monotonicMs monotonic milliseconds
   * @returns the offset to add to the timestamps of all packets of the burst
   */
  placeBurst(dtsMs: number, monotonicMs: number): number {
    if (this.#leadMs !== null) this.#realign(dtsMs, monotonicMs);
    this.#lastMs = Math.max(this.#lastMs, dtsMs + this.#shiftMs);
    this.#leadMs = Math.max(this.#leadMs ?? -Infinity, dtsMs + this.#shiftMs - monotonicMs);
    return this.#shiftMs;
  }

  #realign(dtsMs: number, monotonicMs: number): void {
    this.#shiftMs = Math.max(this.#lastMs + 1, monotonicMs + (this.#leadMs ?? 0)) - dtsMs;
  }
}
