const HEADER_BYTES = 7;
const HEADER_WITH_CRC_BYTES = 9;
const SAMPLES_PER_FRAME = 1_024;
const TICKS_PER_SECOND = 90_000;
/** Hz by sampling frequency index (ISO/IEC 14496-3 table 1.18). */
const SAMPLE_RATES: readonly (number | undefined)[] = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const NO_BYTES = Buffer.alloc(0);

/** One access unit of AAC: the encoded form of usually 1,024 samples. */
export interface AacUnit {
  /** Presentation time in 90 kHz ticks, not always whole. */
  readonly ticks: number;
  /** AudioSpecificConfig of the unit. */
  readonly config: Buffer;
  /** A view of the pushed bytes. */
  readonly unit: Buffer;
}

interface AdtsHeader {
  readonly headerBytes: number;
  /** Bytes of the frame, including its header. */
  readonly frameBytes: number;
  readonly sampleRate: number;
  /** AudioSpecificConfig, 16 bits. */
  readonly config: number;
}

/**
 * Reads the access units of an ADTS stream (ISO/IEC 13818-7 §6.2) from PES packets; a unit may continue in the
 * next packet.
 */
export class AdtsReader {
  readonly #onUnit: (unit: AacUnit) => void;
  #remaining: Buffer = NO_BYTES;
  /** Time of the next unit; null before the first. */
  #ticks: number | null = null;

  constructor(onUnit: (unit: AacUnit) => void) {
    this.#onUnit = onUnit;
  }

  /** @param ticks 90 kHz time of the first unit that starts in `data`; null if unknown */
  push(data: Buffer, ticks: number | null): void {
    const carriedBytes = this.#remaining.length;
    const bytes = carriedBytes === 0 ? data : Buffer.concat([this.#remaining, data]);
    let pendingTicks = ticks;
    let offset = 0;
    for (;;) {
      if (pendingTicks !== null && offset >= carriedBytes) {
        this.#ticks = pendingTicks;
        pendingTicks = null;
      }
      if (offset + HEADER_BYTES > bytes.length) break;
      const header = readHeader(bytes, offset);
      if (!header) {
        const next = bytes.indexOf(0xff, offset + 1);
        offset = next === -1 ? bytes.length : next;
        continue;
      }
      if (offset + header.frameBytes > bytes.length) break;
      this.#emit(header, bytes.subarray(offset + header.headerBytes, offset + header.frameBytes));
      offset += header.frameBytes;
    }
    this.#remaining = bytes.subarray(offset);
  }

  /** Drops an incomplete unit after lost packets. */
  reset(): void {
    this.#remaining = NO_BYTES;
  }

  #emit({ sampleRate, config }: AdtsHeader, unit: Buffer): void {
    if (this.#ticks === null) return;
    const record = Buffer.alloc(2);
    record.writeUInt16BE(config);
    this.#onUnit({ ticks: this.#ticks, config: record, unit });
    this.#ticks += (SAMPLES_PER_FRAME * TICKS_PER_SECOND) / sampleRate;
  }
}

/** Reads the frame header at an offset; null if there is no valid one. */
function readHeader(bytes: Buffer, offset: number): AdtsHeader | null {
  // Syncword (12 bits), MPEG version (1), layer (2, always 0), protection_absent (1), profile (2), sampling frequency index (4),
  // private bit (1), channel configuration (3), four flags, and the upper two of 13 bits of the frame length.
  const head = bytes.readUInt32BE(offset);
  const isSync = head >>> 20 === 0xfff && ((head >>> 17) & 3) === 0;
  const hasCrc = ((head >>> 16) & 1) === 0;
  const objectType = ((head >>> 14) & 3) + 1;
  const rateIndex = (head >>> 10) & 0x0f;
  const channels = (head >>> 6) & 7;
  const sampleRate = SAMPLE_RATES[rateIndex];
  const frameBytes = ((head & 3) << 11) | (bytes.readUInt16BE(offset + 4) >> 5);
  const blocks = 1 + (bytes.readUInt8(offset + 6) & 3);
  const headerBytes = hasCrc ? HEADER_WITH_CRC_BYTES : HEADER_BYTES;
  // Several raw data blocks in a frame cannot be separated without decoding; no encoder writes them.
  if (!isSync || sampleRate === undefined || blocks > 1 || frameBytes <= headerBytes) return null;
  return {
    headerBytes,
    frameBytes,
    sampleRate,
    config: (objectType << 11) | (rateIndex << 7) | (channels << 3),
  };
}
