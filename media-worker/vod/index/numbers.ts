/** Writes numbers of up to 53 bits in groups of seven bits, the lowest first. */
export class NumberWriter {
  #data = Buffer.allocUnsafe(1_024);
  #length = 0;

  writeNumber(value: number): this {
    this.#ensureCapacity(8);
    let remaining = value;
    while (remaining >= 128) {
      this.#data[this.#length++] = (remaining % 128) + 128;
      remaining = Math.floor(remaining / 128);
    }
    this.#data[this.#length++] = remaining;
    return this;
  }

  /** Writes a signed number as twice its absolute value, minus one if it is negative, so that numbers near zero stay short. */
  writeSignedNumber(value: number): this {
    return this.writeNumber(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes bytes after their number. */
  writeBytes(value: Buffer): this {
    this.writeNumber(value.length);
    this.#ensureCapacity(value.length);
    this.#length += value.copy(this.#data, this.#length);
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#data.subarray(0, this.#length));
  }

  #ensureCapacity(count: number): void {
    if (this.#length + count <= this.#data.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#data.length * 2, this.#length + count));
    this.#data.copy(larger, 0, 0, this.#length);
    this.#data = larger;
  }
}

/**
 * Reads numbers written by `NumberWriter`.
 * @throws RangeError after the end, or for more than 53 bits
 */
export class NumberReader {
  readonly #data: Buffer;
  #offset = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  /** Number of unread bytes. */
  get bytesLeft(): number {
    return this.#data.length - this.#offset;
  }

  readNumber(): number {
    let value = 0;
    for (let unit = 1; unit <= Number.MAX_SAFE_INTEGER; unit *= 128) {
      const byte = this.#data.readUInt8(this.#offset++);
      value += (byte % 128) * unit;
      if (byte < 128) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw new RangeError('A number is too large');
  }

  readSignedNumber(): number {
    const value = this.readNumber();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  readBytes(): Buffer {
    const length = this.readNumber();
    if (length > this.bytesLeft) throw new RangeError('Bytes are truncated');
    this.#offset += length;
    return this.#data.subarray(this.#offset - length, this.#offset);
  }
}
