import { parseFlvTag } from './flv-tag';
import { parseLayerTag } from './layer-tag';
import type { MediaPacket, VideoPacket } from './media-packet';

const SLAB_BYTES = 128 * 1024;

/**
 * Stores the payloads of one publish next to each other in memory. With a separate buffer for each of a thousand
 * packets per second, V8 would collect the whole heap every second. A slab is released with its last payload.
 */
export class PayloadSlab {
  #slab = Buffer.alloc(0);
  #usedBytes = 0;

  /** Allocates `length` uninitialized bytes, which the caller must fill completely. */
  allocate(length: number): Buffer {
    // At most half a slab is wasted.
    if (length > SLAB_BYTES / 2) return Buffer.allocUnsafeSlow(length);
    if (this.#usedBytes + length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#usedBytes = 0;
    }
    const bytes = this.#slab.subarray(this.#usedBytes, this.#usedBytes + length);
    this.#usedBytes += length;
    return bytes;
  }

  /** Copies `view`, which may point into a reused buffer. */
  store(view: Buffer): Buffer {
    const copy = this.allocate(view.length);
    view.copy(copy);
    return copy;
  }
}

/** The header of the stream, and the size of a tag before the first one, which is 0. */
const FILE_HEADER_BYTES = 9 + 4;
const TAG_HEADER_BYTES = 11;
/** The size of the tag, after it. */
const TAG_TRAILER_BYTES = 4;
/** Types of tags; others contain metadata. */
const AUDIO_TAG = 8;
const VIDEO_TAG = 9;

/** @param layer number of the layer, from 1 */
type OnLayer = (layer: number, packet: VideoPacket) => void;

/** Reads the media packets of an FLV stream as bytes arrive; a tag, at most 16 MB, is held until it is complete. */
export class FlvReader {
  readonly #onPacket: (packet: MediaPacket) => void;
  readonly #onLayer: OnLayer;
  readonly #slab = new PayloadSlab();
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #neededBytes = FILE_HEADER_BYTES;
  #hasHeader = false;

  constructor(onPacket: (packet: MediaPacket) => void, onLayer: OnLayer = () => undefined) {
    this.#onPacket = onPacket;
    this.#onLayer = onLayer;
  }

  /** @throws FlvTagError when the body of a tag ends inside the header of its codec */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes >= this.#neededBytes) this.#readAll();
  }

  #readAll(): void {
    const bytes =
      this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    let offset = 0;
    while (bytes.length - offset >= (this.#neededBytes = this.#neededBytesAt(bytes, offset))) {
      if (this.#hasHeader) this.#readTag(bytes.subarray(offset, offset + this.#neededBytes));
      this.#hasHeader = true;
      offset += this.#neededBytes;
    }
    const remaining = bytes.subarray(offset);
    this.#chunks = remaining.length > 0 ? [remaining] : [];
    this.#bufferedBytes = remaining.length;
  }

  /** Bytes needed for the next step: the file header, a tag header, or the whole tag once its header has arrived. */
  #neededBytesAt(bytes: Buffer, offset: number): number {
    if (!this.#hasHeader) return FILE_HEADER_BYTES;
    return (
      TAG_HEADER_BYTES +
      TAG_TRAILER_BYTES +
      (bytes.length - offset >= 4 ? bytes.readUIntBE(offset + 1, 3) : 0)
    );
  }

  #readTag(tag: Buffer): void {
    const type = tag.readUInt8(0);
    if (type !== AUDIO_TAG && type !== VIDEO_TAG) return;
    // The top byte of the timestamp follows its lower three bytes.
    const dts = tag.readUIntBE(4, 3) + tag.readUInt8(7) * 2 ** 24;
    const body = this.#slab.store(tag.subarray(TAG_HEADER_BYTES, tag.length - TAG_TRAILER_BYTES));
    const packet = parseFlvTag(type, dts, body);
    const layerFrame = packet === null && type === VIDEO_TAG ? parseLayerTag(dts, body) : null;
    if (packet) this.#onPacket(packet);
    else if (layerFrame) this.#onLayer(layerFrame.layer, layerFrame.packet);
  }
}
