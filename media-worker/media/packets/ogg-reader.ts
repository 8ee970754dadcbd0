/** Bytes of a page before its table of segment sizes. A segment is a piece of a packet of at most 255 bytes. */
const PAGE_HEADER_BYTES = 27;
/** Position of the number of segments in the header. */
const SEGMENT_COUNT_OFFSET = 26;
const CAPTURE_PATTERN = Buffer.from('OggS', 'latin1');
/** Size of a segment after which its packet continues. */
const CONTINUED_SIZE = 0xff;
/** Maximum size of a packet; Opus packets are far smaller. */
const MAX_PACKET_BYTES = 64 * 1024;

/** The bytes are not an Ogg stream. */
export class OggError extends Error {
  override readonly name = 'OggError';
}

/** Reads the packets of an Ogg stream with one track (RFC 3533) as its bytes arrive. */
export class OggReader {
  readonly #onPacket: (packet: Buffer) => void;
  #remaining = Buffer.alloc(0);
  /** Parts of a packet that continues in the next page. */
  #parts: Buffer[] = [];
  #partBytes = 0;

  constructor(onPacket: (packet: Buffer) => void) {
    this.#onPacket = onPacket;
  }

  /**
   * Adds bytes of the stream.
   * @throws OggError if a page does not follow the previous one, or a packet is too large
   */
  push(chunk: Buffer): void {
    let bytes = this.#remaining.length === 0 ? chunk : Buffer.concat([this.#remaining, chunk]);
    for (;;) {
      const length = readPageLength(bytes);
      if (length === null || length > bytes.length) break;
      this.#readPage(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
    this.#remaining = Buffer.from(bytes);
  }

  #readPage(page: Buffer): void {
    const segmentCount = page.readUInt8(SEGMENT_COUNT_OFFSET);
    let offset = PAGE_HEADER_BYTES + segmentCount;
    for (let index = 0; index < segmentCount; index++) {
      const size = page.readUInt8(PAGE_HEADER_BYTES + index);
      this.#parts.push(Buffer.from(page.subarray(offset, offset + size)));
      this.#partBytes += size;
      if (this.#partBytes > MAX_PACKET_BYTES) throw new OggError('Ogg packet is too large');
      offset += size;
      if (size === CONTINUED_SIZE) continue;
      const packet = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#partBytes = 0;
      if (packet && packet.length > 0) this.#onPacket(packet);
    }
  }
}

/**
 * Bytes of the page at the start; null until its header is complete.
 * @throws OggError if no page starts here
 */
function readPageLength(bytes: Buffer): number | null {
  if (bytes.length < PAGE_HEADER_BYTES) return null;
  if (!bytes.subarray(0, 4).equals(CAPTURE_PATTERN)) throw new OggError('Ogg page expected');
  const segmentCount = bytes.readUInt8(SEGMENT_COUNT_OFFSET);
  if (bytes.length < PAGE_HEADER_BYTES + segmentCount) return null;
  return bytes
    .subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + segmentCount)
    .reduce((sum, size) => sum + size, PAGE_HEADER_BYTES + segmentCount);
}
