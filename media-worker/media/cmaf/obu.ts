import { MAX_UNITS } from './nal-units';

/** One open bitstream unit (OBU) of AV1. */
export interface Obu {
  readonly type: number;
  readonly payload: Buffer;
  /** The raw unit, including its header and size field. */
  readonly bytes: Buffer;
}

export const obuType = {
  sequenceHeader: 1,
  temporalDelimiter: 2,
  frameHeader: 3,
  frame: 6,
  tileList: 8,
  padding: 15,
} as const;

const MAX_SIZE_BYTES = 8;
/** Bits of the header around the type (4 bits). */
const FORBIDDEN_BIT = 0x80;
const EXTENSION_FLAG = 0x04;
const HAS_SIZE_FIELD = 0x02;

/**
 * The OBUs of a temporal unit in the low-overhead format (https://aomediacodec.github.io/av1-spec/); the last one
 * may have no size. Truncated OBUs are left out.
 */
export function* readObus(data: Buffer): Generator<Obu> {
  for (let offset = 0, count = 0; offset < data.length && count < MAX_UNITS; count++) {
    const header = data.readUInt8(offset);
    let start = offset + ((header & EXTENSION_FLAG) === 0 ? 1 : 2);
    let end = data.length;
    if ((header & HAS_SIZE_FIELD) !== 0) {
      const size = readLeb128(data, start);
      if (!size) return;
      start = size.end;
      end = start + size.value;
    }
    if ((header & FORBIDDEN_BIT) !== 0 || start > data.length || end > data.length) return;
    yield {
      type: (header >> 3) & 0x0f,
      payload: data.subarray(start, end),
      bytes: data.subarray(offset, end),
    };
    offset = end;
  }
}

/** Reads a number in groups of seven bits, the lowest first; null if it is truncated or too long. */
export function readLeb128(
  data: Buffer,
  firstOffset: number,
): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let index = 0; index < MAX_SIZE_BYTES && firstOffset + index < data.length; index++) {
    const byte = data.readUInt8(firstOffset + index);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return { value, end: firstOffset + index + 1 };
  }
  return null;
}

/** An OBU with a size field, as in a configuration record. */
export function writeSizedObu(type: number, payload: Buffer): Buffer {
  const size: number[] = [];
  for (let remainingSize = payload.length; ; remainingSize >>= 7) {
    size.push((remainingSize & 0x7f) | (remainingSize > 127 ? 0x80 : 0));
    if (remainingSize <= 127) break;
  }
  return Buffer.concat([Buffer.from([(type << 3) | HAS_SIZE_FIELD, ...size]), payload]);
}
