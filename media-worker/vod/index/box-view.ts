import { MovieError } from './byte-source';

/** The content of a box in memory. Every read is checked against the end of the box. */
export class BoxView {
  readonly type: string;
  readonly data: Buffer;

  constructor(type: string, data: Buffer) {
    this.type = type;
    this.data = data;
  }

  get length(): number {
    return this.data.length;
  }

  u8(offset: number): number {
    return this.#checkedData(offset, 1).readUInt8(offset);
  }

  u16(offset: number): number {
    return this.#checkedData(offset, 2).readUInt16BE(offset);
  }

  u24(offset: number): number {
    return this.#checkedData(offset, 3).readUIntBE(offset, 3);
  }

  u32(offset: number): number {
    return this.#checkedData(offset, 4).readUInt32BE(offset);
  }

  i32(offset: number): number {
    return this.#checkedData(offset, 4).readInt32BE(offset);
  }

  /** @throws MovieError for values above 2^53 - 1 */
  u64(offset: number): number {
    return this.#safeNumber(this.#checkedData(offset, 8).readBigUInt64BE(offset));
  }

  i64(offset: number): number {
    return this.#safeNumber(this.#checkedData(offset, 8).readBigInt64BE(offset));
  }

  text(offset: number, length: number): string {
    return this.#checkedData(offset, length).toString('latin1', offset, offset + length);
  }

  /** The child boxes, which start after `skippedBytes` of content. Data after the last whole box is padding. */
  *children(skippedBytes = 0): Generator<BoxView> {
    for (let offset = skippedBytes; offset + 8 <= this.length;) {
      const size32 = this.u32(offset);
      const headerBytes = size32 === 1 ? 16 : 8;
      const size =
        size32 === 0
          ? this.length - offset
          : size32 === 1 && offset + 16 <= this.length
            ? this.u64(offset + 8)
            : size32;
      if (size < headerBytes || offset + size > this.length) return;
      yield new BoxView(this.text(offset + 4, 4), this.data.subarray(offset + headerBytes, offset + size));
      offset += size;
    }
  }

  findChild(type: string): BoxView | undefined {
    for (const box of this.children()) if (box.type === type) return box;
    return undefined;
  }

  /**
   * The first box at the end of a path.
   * @throws MovieError if there is none
   */
  descendant(type: string, ...deeperTypes: readonly string[]): BoxView {
    const childBox = this.findChild(type);
    if (!childBox) throw new MovieError(`its box ${type} is missing`);
    const [next, ...typesBelowNext] = deeperTypes;
    return next === undefined ? childBox : childBox.descendant(next, ...typesBelowNext);
  }

  /**
   * The number of entries at an offset, checked against the bytes after it.
   * @throws MovieError
   */
  count(offset: number, entryBytes: number): number {
    const count = this.u32(offset);
    if (count * entryBytes > this.length - offset - 4)
      throw new MovieError(`its box ${this.type} claims ${count} entries and is too short for them`);
    return count;
  }

  #checkedData(offset: number, length: number): Buffer {
    if (offset < 0 || offset + length > this.length)
      throw new MovieError(`its box ${this.type} is truncated`);
    return this.data;
  }

  #safeNumber(value: bigint): number {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new MovieError(`its box ${this.type} has an implausible number`);
    return number;
  }
}
