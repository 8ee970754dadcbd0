/** Media that is further behind than this was away for a while. */
const GAP_MS = 1_000;
/** A larger step forward belongs to another timeline. */
const STEP_MS = 5_000;

/**
 * Places the packets of a stream on one line of time that keeps pace with the clock. The program of a session makes gaps
 * short, and a live process that starts again begins another timeline: players of WebRTC expect neither.
 */
export class ViewerTimeline {
  #shift = 0;
  /** How far the line is ahead of the clock at most: then nothing delays the media. */
  #lead: number | null = null;
  #last = 0;

  /**
   * @param ms decode time of a packet @param now monotonic milliseconds
   * @returns what to add to its times
   */
  shiftOf(ms: number, now: number): number {
    const lead = ms + this.#shift - now;
    const isGap = this.#lead !== null && lead < this.#lead - GAP_MS;
    const isStep = this.#lead !== null && ms + this.#shift > this.#last + STEP_MS;
    if (this.#lead !== null && (isGap || isStep)) {
      this.#shift = Math.max(this.#last + 1, now + this.#lead) - ms;
    }
    const placed = ms + this.#shift;
    this.#last = Math.max(this.#last, placed);
    this.#lead = Math.max(this.#lead ?? -Infinity, placed - now);
    return this.#shift;
  }
}
