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
  #last = -Infinity;

  /**
   * @param ms decode time of a packet
   * @param now monotonic milliseconds
   * @returns what to add to its times
   */
  shiftOf(ms: number, now: number): number {
    const lead = ms + this.#shift - now;
    const isGap = this.#lead !== null && lead < this.#lead - GAP_MS;
    const isStep = this.#lead !== null && ms + this.#shift > this.#last + STEP_MS;
    if (isGap || isStep) this.#goOn(ms, now);
    const placed = ms + this.#shift;
    this.#last = Math.max(this.#last, placed);
    this.#lead = Math.max(this.#lead ?? -Infinity, placed - now);
    return this.#shift;
  }

  /**
   * Packets that came at once, up to now: the newest one is what happens now.
   * @param ms decode time of that one
   * @returns what to add to the times of all of them
   */
  rejoin(ms: number, now: number): number {
    if (this.#lead !== null) this.#goOn(ms, now);
    this.#last = Math.max(this.#last, ms + this.#shift);
    this.#lead = Math.max(this.#lead ?? -Infinity, ms + this.#shift - now);
    return this.#shift;
  }

  #goOn(ms: number, now: number): void {
    this.#shift = Math.max(this.#last + 1, now + (this.#lead ?? 0)) - ms;
  }
}
