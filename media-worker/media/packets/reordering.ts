import type { VideoPacket } from './media-packet';

/** Tolerance for times that are rounded to milliseconds. */
const ROUNDED_MS = 2;

/**
 * Detects whether frames are shown in another order than they are decoded, by their varying composition times. It
 * must get each packet in order. If a whole GOP has no reordered frames, the encoder counts as one without B-frames.
 */
export class Reordering {
  #offsetMs: number | null = null;
  #isReordered = false;
  #isGopReordered = false;
  #frames = 0;

  observe({ role, key, dts, pts }: Pick<VideoPacket, 'role' | 'key' | 'dts' | 'pts'>): boolean {
    if (role === 'config') {
      this.#offsetMs = null;
      return this.#isReordered;
    }
    if (key) {
      if (this.#frames > 1) this.#isReordered = this.#isGopReordered;
      this.#isGopReordered = false;
      this.#frames = 0;
    }
    this.#frames += 1;
    const offsetMs = pts - dts;
    this.#offsetMs ??= offsetMs;
    if (Math.abs(offsetMs - this.#offsetMs) > ROUNDED_MS) this.#isReordered = this.#isGopReordered = true;
    return this.#isReordered;
  }
}
