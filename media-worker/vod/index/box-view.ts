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

  i32(at: number): number {
    return this.#checkedData(at, 4).readInt32BE(at);
  }

  /** @throws MovieError for values above 2^53 - 1 */
  u64(at: number): number {
    return this.#safeNumber(this.#checkedData(at, 8).readBigUInt64BE(at));
  }

  i64(at: number): number {
    return this.#safeNumber(this.#checkedData(at, 8).readBigInt64BE(at));
  }

  text(at: number, length: number): string {
    return this.#checkedData(at, length).toString('latin1', at, at + length);
  }

  /** The child boxes, after `from` bytes of content. Data after the last whole box is padding. */
  *children(from = 0): Generator<BoxView> {
    for (let offset = from; offset + 8 <= this.length;) {
      const size32 = this.u32(offset);
      const head = size32 === 1 ? 16 : 8;
      const size =
        size32 === 0
          ? this.length - offset
          : size32 === 1 && offset + 16 <= this.length
            ? this.u64(offset + 8)
            : size32;
      if (size < head || offset + size > this.length) return;
      yield new BoxView(this.text(offset + 4, 4), this.data.subarray(offset + head, offset + size));
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
  descendant(type: string, ...below: readonly string[]): BoxView {
    const childBox = this.findChild(type);
    if (!childBox) throw new MovieError(`its box ${type} is missing`);
    const [next, ...deeperTypes] = below;
    return next === undefined ? childBox : childBox.descendant(next, ...deeperTypes);
  }

  /**
   * The number of entries at `at`, checked against the bytes after it.
   * @throws MovieError
   */
  count(at: number, entryBytes: number): number {
    const count = this.u32(at);
    if (count * entryBytes > this.length - at - 4)
      throw new MovieError(`its box ${this.type} claims ${count} entries and is too short for them`);
    return count;
  }

  #checkedData(at: number, length: number): Buffer {
    if (at < 0 || at + length > this.length) throw new MovieError(`its box ${this.type} is truncated`);
    return this.data;
  }

  #safeNumber(value: bigint): number {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new MovieError(`its box ${this.type} has an implausible number`);
    return number;
  }
}
