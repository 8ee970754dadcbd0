import type { VideoPacket } from './media-packet';

/** Tolerance for times that are rounded to milliseconds. */
const ROUNDING_TOLERANCE_MS = 2;

/**
 * Detects whether the display order of frames differs from their decode order (B-frames), by their varying composition times.
 * If a whole GOP has no reordered frames, the encoder counts as one without B-frames.
 */
export class Reordering {
  #constantOffsetMs: number | null = null;
  #isReordered = false;
  #isGopReordered = false;
  #gopFrameCount = 0;

  /**
   * Adds a packet. Every video packet must be added, in order.
   * @returns whether frames are reordered
   */
  observe({ role, key, dts, pts }: Pick<VideoPacket, 'role' | 'key' | 'dts' | 'pts'>): boolean {
    if (role === 'config') {
      this.#constantOffsetMs = null;
      return this.#isReordered;
    }
    if (key) {
      if (this.#gopFrameCount > 1) this.#isReordered = this.#isGopReordered;
      this.#isGopReordered = false;
      this.#gopFrameCount = 0;
    }
    this.#gopFrameCount += 1;
    const offsetMs = pts - dts;
    this.#constantOffsetMs ??= offsetMs;
    if (Math.abs(offsetMs - this.#constantOffsetMs) > ROUNDING_TOLERANCE_MS)
      this.#isReordered = this.#isGopReordered = true;
    return this.#isReordered;
  }
}
