import type { VideoPacket } from './media-packet';

/** Times in milliseconds are rounded. */
const ROUNDED_MS = 2;

/**
 * Whether pictures are shown in another order than they are decoded: then each is shown another time after its decoding. Call it
 * with each packet in order. Encoders that leave B-frames out are believed after a group of pictures.
 */
export class Reordering {
  #offsetMs: number | null = null;
  #isReordered = false;
  #isGroupReordered = false;
  #frames = 0;

  look({ role, key, dts, pts }: Pick<VideoPacket, 'role' | 'key' | 'dts' | 'pts'>): boolean {
    if (role === 'config') {
      this.#offsetMs = null;
      return this.#isReordered;
    }
    if (key) {
      if (this.#frames > 1) this.#isReordered = this.#isGroupReordered;
      this.#isGroupReordered = false;
      this.#frames = 0;
    }
    this.#frames += 1;
    const offsetMs = pts - dts;
    this.#offsetMs ??= offsetMs;
    if (Math.abs(offsetMs - this.#offsetMs) > ROUNDED_MS) this.#isReordered = this.#isGroupReordered = true;
    return this.#isReordered;
  }
}
