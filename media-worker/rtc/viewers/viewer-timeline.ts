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
   * @param nowMs monotonic milliseconds
   * @returns the offset to add to the timestamps of the packet
   */
  placePacket(dtsMs: number, nowMs: number): number {
    const leadMs = dtsMs + this.#shiftMs - nowMs;
    const isGap = this.#leadMs !== null && leadMs < this.#leadMs - GAP_MS;
    const isStep = this.#leadMs !== null && dtsMs + this.#shiftMs > this.#lastMs + STEP_MS;
    if (isGap || isStep) this.#realign(dtsMs, nowMs);
    const placedMs = dtsMs + this.#shiftMs;
    this.#lastMs = Math.max(this.#lastMs, placedMs);
    this.#leadMs = Math.max(this.#leadMs ?? -Infinity, placedMs - nowMs);
    return this.#shiftMs;
  }

  /**
   * Places packets that arrived in one burst after joining a feed. The newest packet is current.
   * @param dtsMs decode time of the newest packet
   * @param nowMs monotonic milliseconds
   * @returns the offset to add to the timestamps of all packets of the burst
   */
  placeBurst(dtsMs: number, nowMs: number): number {
    if (this.#leadMs !== null) this.#realign(dtsMs, nowMs);
    this.#lastMs = Math.max(this.#lastMs, dtsMs + this.#shiftMs);
    this.#leadMs = Math.max(this.#leadMs ?? -Infinity, dtsMs + this.#shiftMs - nowMs);
    return this.#shiftMs;
  }

  #realign(dtsMs: number, nowMs: number): void {
    this.#shiftMs = Math.max(this.#lastMs + 1, nowMs + (this.#leadMs ?? 0)) - dtsMs;
  }
}
