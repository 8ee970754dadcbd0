const SLAB_BYTES = 128 * 1024;

/**
 * Keeps the payloads of one publish next to each other in memory. A buffer of its own for each of a thousand packets a
 * second makes V8 collect the whole heap every second; a slab is let go when the last payload in it is.
 */
export class PayloadSlab {
  #slab = Buffer.alloc(0);
  #used = 0;

  /** Room for `length` bytes, handed out once. It holds whatever was in memory before: fill all of it. */
  take(length: number): Buffer {
    // Half a slab at most is left unused.
    if (length > SLAB_BYTES / 2) return Buffer.allocUnsafeSlow(length);
    if (this.#used + length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const room = this.#slab.subarray(this.#used, this.#used + length);
    this.#used += length;
    return room;
  }

  /** Copies `view`, which may look into a reused buffer. */
  keep(view: Buffer): Buffer {
    const kept = this.take(view.length);
    view.copy(kept);
    return kept;
  }
}
