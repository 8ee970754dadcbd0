/** Media that falls behind by more than this was interrupted. */
const GAP_MS = 1_000;
/** A larger step forward means another timeline. */
const STEP_MS = 5_000;

/**
 * Places the packets of a stream on one timeline that keeps pace with the clock. The program of a session shortens gaps, and
 * a restarted live process begins another timeline, but WebRTC players expect neither.
 */
export class ViewerTimeline {
  /** Offset that is added to the timestamps of the stream. */
  #shiftMs = 0;
  /** Largest lead of the timeline over the clock, measured when nothing delayed the media. */
  #leadMs: number | null = null;
  /** Largest timestamp so far. */
  #lastMs = -Infinity;

  /**
   * Places the next packet.
   * @param ms decode time of the packet
   * @param now monotonic milliseconds
   * @returns the offset to add to the timestamps of the packet
   */
  placePacket(ms: number, now: number): number {
    const lead = ms + this.#shiftMs - now;
    const isGap = this.#leadMs !== null && lead < this.#leadMs - GAP_MS;
    const isStep = this.#leadMs !== null && ms + this.#shiftMs > this.#lastMs + STEP_MS;
    if (isGap || isStep) this.#realign(ms, now);
    const placedMs = ms + this.#shiftMs;
    this.#lastMs = Math.max(this.#lastMs, placedMs);
    this.#leadMs = Math.max(this.#leadMs ?? -Infinity, placedMs - now);
    return this.#shiftMs;
  }

  /**
   * Places packets that arrived in one burst after joining a feed. The newest packet is current.
   * @param ms decode time of the newest packet
   * @param now monotonic milliseconds
   * @returns the offset to add to the timestamps of all packets of the burst
   */
  placeBurst(ms: number, now: number): number {
    if (this.#leadMs !== null) this.#realign(ms, now);
    this.#lastMs = Math.max(this.#lastMs, ms + this.#shiftMs);
    this.#leadMs = Math.max(this.#leadMs ?? -Infinity, ms + this.#shiftMs - now);
    return this.#shiftMs;
  }

  #realign(ms: number, now: number): void {
    this.#shiftMs = Math.max(this.#lastMs + 1, now + (this.#leadMs ?? 0)) - ms;
  }
}
