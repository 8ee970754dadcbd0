/** Writes bit fields, so that tests can build unusual configurations. */
export class BitWriter {
  readonly #bits: number[] = [];

  bits(value: number, count: number): this {
    for (let i = count - 1; i >= 0; i--) this.#bits.push(Math.floor(value / 2 ** i) % 2);
    return this;
  }

  /** Unsigned Exp-Golomb code. */
  ue(value: number): this {
    const length = Math.floor(Math.log2(value + 1));
    return this.bits(0, length).bits(value + 1, length + 1);
  }

  /** Signed Exp-Golomb code. */
  se(value: number): this {
    return this.ue(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** The bits written so far, padded with zeros. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach(
      (bitValue, index) => (bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bitValue << (7 - (index & 7)))),
    );
    return bytes;
  }
}
