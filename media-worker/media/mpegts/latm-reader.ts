import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { BitReader } from '@/media-worker/media/cmaf/bit-reader';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { AacUnit } from './adts-reader';

/** Syncword (11 bits) and length (13 bits) of an element. */
const HEADER_BYTES = 3;
const SYNC = 0x2b7;
const TICKS_PER_SECOND = 90_000;
const EXPLICIT_RATE = 15;
const ESCAPED_TYPE = 31;
/** Object types whose configuration names the output sample rate: SBR and PS. */
const EXTENDED_TYPES: ReadonlySet<number> = new Set([5, 29]);
const NO_BYTES = Buffer.alloc(0);

/** Configuration of the audio, which applies until the next one. */
interface StreamConfig {
  readonly record: Buffer;
  /** Number of access units in one element. */
  readonly unitCount: number;
  readonly unitTicks: number;
}

/**
 * Reads the access units of AAC in LOAS and LATM (ISO/IEC 14496-3 §1.7), which broadcast encoders use, from PES packets; an
 * element may continue in the next packet. Only streams with one program and one layer are read.
 */
export class LatmReader {
  readonly #onUnit: (unit: AacUnit) => void;
  #remaining: Buffer = NO_BYTES;
  #config: StreamConfig | null = null;
  /** Time of the next unit; null before the first. */
  #ticks: number | null = null;

  constructor(onUnit: (unit: AacUnit) => void) {
    this.#onUnit = onUnit;
  }

  /** @param ticks 90 kHz time of the first element that starts in `data`; null if unknown */
  push(data: Buffer, ticks: number | null): void {
    const carriedBytes = this.#remaining.length;
    const bytes = carriedBytes === 0 ? data : Buffer.concat([this.#remaining, data]);
    let pendingTicks = ticks;
    let offset = 0;
    while (offset + HEADER_BYTES <= bytes.length) {
      if (pendingTicks !== null && offset >= carriedBytes) {
        this.#ticks = pendingTicks;
        pendingTicks = null;
      }
      const head = bytes.readUIntBE(offset, HEADER_BYTES);
      const end = offset + HEADER_BYTES + (head & 0x1fff);
      if (head >> 13 !== SYNC) offset += 1;
      else if (end > bytes.length) break;
      else {
        this.#readElement(bytes.subarray(offset + HEADER_BYTES, end));
        offset = end;
      }
    }
    this.#remaining = bytes.subarray(offset);
  }

  /** Drops an incomplete element after lost packets. */
  reset(): void {
    this.#remaining = NO_BYTES;
  }

  #readElement(bytes: Buffer): void {
    const reader = new BitReader(bytes, 'LATM');
    const units = parseOrNull(() => {
      if (!reader.flag()) this.#config = readStreamConfig(reader);
      return this.#config && readUnits(reader, this.#config.unitCount);
    });
    if (!this.#config || !units) return;
    const { record, unitTicks } = this.#config;
    for (const unit of units) {
      if (this.#ticks === null) return;
      this.#onUnit({ ticks: this.#ticks, config: record, unit });
      this.#ticks += unitTicks;
    }
  }
}

/** Reads `StreamMuxConfig` (ISO/IEC 14496-3 table 1.42); null if the stream has more programs or layers, or fixed lengths. */
function readStreamConfig(reader: BitReader): StreamConfig | null {
  const version = reader.bits(1);
  if (version === 1 && reader.flag()) return null; // audioMuxVersionA
  if (version === 1) readValue(reader); // taraBufferFullness
  reader.skip(1); // allStreamsSameTimeFraming
  const unitCount = reader.bits(6) + 1;
  if (reader.bits(4) !== 0 || reader.bits(3) !== 0) return null; // numProgram, numLayer
  const record = version === 1 ? readBits(reader, readValue(reader)) : readAudioConfig(reader);
  if (reader.bits(3) !== 0) return null; // frameLengthType
  reader.skip(8); // latmBufferFullness
  if (reader.flag()) skipOtherDataLength(reader, version);
  if (reader.flag()) reader.skip(8); // crcCheckSum
  const { samplesPerFrame, timescale } = parseAacConfig(record);
  return { record, unitCount, unitTicks: (samplesPerFrame * TICKS_PER_SECOND) / timescale };
}

function skipOtherDataLength(reader: BitReader, version: number): void {
  if (version === 1) readValue(reader);
  else while (reader.bits(9) >= 256);
}

/** Reads the payloads of an element, which are not aligned to bytes. */
function readUnits(reader: BitReader, count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    // A length is the sum of bytes up to the first one that is not 255.
    let length = 0;
    for (let part = 255; part === 255; length += part) part = reader.bits(8);
    return readBits(reader, length * 8);
  });
}

/** `LatmGetValue` (ISO/IEC 14496-3 table 1.43). */
function readValue(reader: BitReader): number {
  const bytes = reader.bits(2) + 1;
  return reader.bits(bytes * 8);
}

/** Reads an AudioSpecificConfig, which has no length of its own here. */
function readAudioConfig(reader: BitReader): Buffer {
  const bitsBefore = reader.bitsLeft;
  const lookahead = reader.fork();
  const type = readObjectType(lookahead);
  skipSampleRate(lookahead);
  lookahead.skip(4); // channelConfiguration
  if (EXTENDED_TYPES.has(type)) {
    skipSampleRate(lookahead);
    readObjectType(lookahead);
  }
  lookahead.skip(1); // frameLengthFlag
  if (lookahead.flag()) lookahead.skip(14); // coreCoderDelay
  lookahead.skip(1); // extensionFlag
  return readBits(reader, bitsBefore - lookahead.bitsLeft);
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === ESCAPED_TYPE ? 32 + reader.bits(6) : type;
}

function skipSampleRate(reader: BitReader): void {
  if (reader.bits(4) === EXPLICIT_RATE) reader.skip(24);
}

/** The next bits as bytes, with zeros at the end. */
function readBits(reader: BitReader, count: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(Math.min(count, reader.bitsLeft) / 8));
  for (let index = 0; index < bytes.length; index++) {
    const bits = Math.min(8, count - index * 8);
    bytes.writeUInt8(reader.bits(bits) << (8 - bits), index);
  }
  return bytes;
}
