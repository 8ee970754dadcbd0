/** Media that falls behind by more than this was interrupted. */
const GAP_MS = 1_000;
/** A larger step forward means another timeline. */
const STEP_MS = 5_000;

/**
 * Places the packets of a stream on one timeline that keeps pace with the clock. The program of a session shortens gaps, and
 * a restarted live process begins another timeline, but WebRTC players expect neither.
 */
export class ViewerTimeline {
  #shift = 0;
  /** Largest lead of the timeline over the clock, measured when nothing delayed the media. */
  #lead: number | null = null;
  #last = -Infinity;

  /**
   * Places the next packet.
   * @param ms decode time of the packet
   * @param now monotonic milliseconds
   * @returns the offset to add to the timestamps of the packet
   */
  placePacket(ms: number, now: number): number {
    const lead = ms + this.#shift - now;
    const isGap = this.#lead !== null && lead < this.#lead - GAP_MS;
    const isStep = this.#lead !== null && ms + this.#shift > this.#last + STEP_MS;
    if (isGap || isStep) this.#realign(ms, now);
    const placedMs = ms + this.#shift;
    this.#last = Math.max(this.#last, placedMs);
    this.#lead = Math.max(this.#lead ?? -Infinity, placedMs - now);
    return this.#shift;
  }

  /**
   * Places packets that arrived in one burst after joining a feed. The newest packet is current.
   * @param ms decode time of the newest packet
   * @param now monotonic milliseconds
   * @returns the offset to add to the timestamps of all packets of the burst
   */
  placeBurst(ms: number, now: number): number {
    if (this.#lead !== null) this.#realign(ms, now);
    this.#last = Math.max(this.#last, ms + this.#shift);
    this.#lead = Math.max(this.#lead ?? -Infinity, ms + this.#shift - now);
    return this.#shift;
  }

  #realign(ms: number, now: number): void {
    this.#shift = Math.max(this.#last + 1, now + (this.#lead ?? 0)) - ms;
  }
}
