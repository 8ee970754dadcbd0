import { parseFlvTag } from './flv-tag';
import type { MediaPacket } from './media-packet';
import { PayloadSlab } from './payload-slab';

const FILE_HEADER = 9 + 4;
const TAG_HEADER = 11;
const TAG_TRAILER = 4;

/** Reads the media packets of an FLV stream as its bytes come in; a tag, at most 16 MB, is kept until it is whole. */
export class FlvReader {
  readonly #onPacket: (packet: MediaPacket) => void;
  readonly #slab = new PayloadSlab();
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = FILE_HEADER;
  #begun = false;

  constructor(onPacket: (packet: MediaPacket) => void) {
    this.#onPacket = onPacket;
  }

  /** @throws FlvTagError when a tag ends inside its header */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= this.#needed) this.#readAll();
  }

  #readAll(): void {
    const bytes =
      this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    let at = 0;
    while (bytes.length - at >= (this.#needed = this.#sizeAt(bytes, at))) {
      if (this.#begun) this.#read(bytes.subarray(at, at + this.#needed));
      this.#begun = true;
      at += this.#needed;
    }
    const rest = bytes.subarray(at);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
  }

  /** Bytes that the next step takes, as far as is known. */
  #sizeAt(bytes: Buffer, at: number): number {
    if (!this.#begun) return FILE_HEADER;
    return TAG_HEADER + TAG_TRAILER + (bytes.length - at >= 4 ? bytes.readUIntBE(at + 1, 3) : 0);
  }

  #read(tag: Buffer): void {
    const type = tag.readUInt8(0);
    if (type !== 8 && type !== 9) return;
    const dts = tag.readUIntBE(4, 3) + tag.readUInt8(7) * 2 ** 24;
    const body = this.#slab.keep(tag.subarray(TAG_HEADER, tag.length - TAG_TRAILER));
    const packet = parseFlvTag(type, dts, body);
    if (packet) this.#onPacket(packet);
  }
}
