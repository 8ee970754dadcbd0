/**
 * Codec data that is invalid or not supported: a decoder configuration, a parameter set or a slice header. The message names
 * the field, because it is part of the health report of a stream.
 */
export class CodecDataError extends Error {
  override readonly name = 'CodecDataError';
}

/** Reads big-endian bit fields. A read after the end throws `CodecDataError` instead of returning zeros. */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #subject: string;
  #position = 0;

  /** @param subject the structure that errors name, such as "SPS" */
  constructor(bytes: Uint8Array, subject: string) {
    this.#bytes = bytes;
    this.#subject = subject;
  }

  /** Number of bits after the position. */
  get bitsLeft(): number {
    return this.#bytes.length * 8 - this.#position;
  }

  /** A reader at the same position, which advances on its own. */
  fork(): BitReader {
    const reader = new BitReader(this.#bytes, this.#subject);
    reader.#position = this.#position;
    return reader;
  }

  /** The next `count` bits (at most 32) as an unsigned number. */
  bits(count: number): number {
    if (count > this.bitsLeft) throw new CodecDataError(`${this.#subject} is truncated`);
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.#position >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1);
      this.#position++;
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  skip(count: number): void {
    if (count > this.bitsLeft) throw new CodecDataError(`${this.#subject} is truncated`);
    this.#position += count;
  }

  /** Advances to the next byte, unless the position is at the start of a byte. */
  alignToByte(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  /** Unsigned Exp-Golomb code, H.264 §9.1. */
  ue(): number {
    let zeros = 0;
    while (!this.flag()) {
      if (++zeros > 31) throw new CodecDataError(`${this.#subject} holds a code longer than 32 bits`);
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Signed Exp-Golomb code, H.264 §9.1.1. */
  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : 0 - code / 2; // 0, never -0
  }
}
