const START_CODE_PREFIX = 0x00_00_01;
const HEADER_BYTES = 9;
const MAX_PES_BYTES = 4 * 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/**
 * One PES packet: one access unit of video, or several of audio. Times in 90 kHz ticks modulo 2^33; null if
 * absent.
 */
export interface Pes {
  readonly pts: number | null;
  readonly dts: number | null;
  readonly data: Buffer;
}

/** Assembles the PES packets of one PID (ISO/IEC 13818-1 §2.4.3.6). Damaged or oversized packets are dropped. */
export class PesReader {
  readonly #onPes: (pes: Pes) => void;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes of the whole packet; 0 if the packet lasts until the next one starts. */
  #announcedBytes = 0;
  /** Whether a packet has started and is not complete. */
  #isOpen = false;

  constructor(onPes: (pes: Pes) => void) {
    this.#onPes = onPes;
  }

  /**
   * Adds the payload of the next TS packet of the PID.
   * @param isStart whether a PES packet starts in it
   */
  push(payload: Buffer, isStart: boolean): void {
    if (isStart) {
      this.end();
      this.#open(payload);
    }
    if (!this.#isOpen) return;
    this.#chunks.push(payload);
    this.#length += payload.length;
    if (this.#length > MAX_PES_BYTES) this.reset();
    else if (this.#announcedBytes > 0 && this.#length >= this.#announcedBytes) this.end();
  }

  /** Drops an incomplete PES packet after lost TS packets. */
  reset(): void {
    this.#isOpen = false;
    this.#chunks = [];
    this.#length = 0;
  }

  /**
   * Completes the current packet. A packet without an announced length ends where the next one starts, or with the
   * stream.
   */
  end(): void {
    const isComplete = this.#isOpen && this.#length >= this.#announcedBytes;
    const bytes = isComplete ? Buffer.concat(this.#chunks) : NO_BYTES;
    const pes = readPes(this.#announcedBytes > 0 ? bytes.subarray(0, this.#announcedBytes) : bytes);
    this.reset();
    if (pes) this.#onPes(pes);
  }

  #open(payload: Buffer): void {
    this.#isOpen = payload.length >= HEADER_BYTES && payload.readUIntBE(0, 3) === START_CODE_PREFIX;
    const length = this.#isOpen ? payload.readUInt16BE(4) : 0;
    this.#announcedBytes = length === 0 ? 0 : 6 + length;
  }
}

/** Parses a complete packet; null if it carries no access units. */
function readPes(bytes: Buffer): Pes | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt8(6) >> 6 !== 2) return null;
  const dataOffset = HEADER_BYTES + bytes.readUInt8(8);
  if (dataOffset >= bytes.length) return null;
  const flags = bytes.readUInt8(7) >> 6;
  const pts = flags >= 2 && dataOffset >= HEADER_BYTES + 5 ? readTimestamp(bytes, HEADER_BYTES) : null;
  const dts = flags === 3 && dataOffset >= HEADER_BYTES + 10 ? readTimestamp(bytes, HEADER_BYTES + 5) : pts;
  return { pts, dts, data: bytes.subarray(dataOffset) };
}

/** A 33-bit time stamp in five bytes, with marker bits in between (ISO/IEC 13818-1 §2.4.3.7). */
function readTimestamp(bytes: Buffer, offset: number): number {
  const high = (bytes.readUInt8(offset) >> 1) & 0x07;
  const middle = bytes.readUInt16BE(offset + 1) >> 1;
  const low = bytes.readUInt16BE(offset + 3) >> 1;
  return high * 2 ** 30 + middle * 2 ** 15 + low;
}
