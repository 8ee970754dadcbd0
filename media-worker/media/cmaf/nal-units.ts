import { CodecDataError } from './bit-reader';

/**
 * Maximum number of NAL units in a frame. An 8K frame has some hundreds; a higher limit would only allow attacks on
 * CPU time.
 */
export const MAX_UNITS = 4_096;

const START_CODE = Buffer.from([0, 0, 1]);

/**
 * The NAL units of a frame with length prefixes (ISO/IEC 14496-15 §4.3.3). A truncated last unit is returned as far
 * as it is present.
 */
export function* readNalUnits(frame: Buffer, lengthSize: number): Generator<Buffer> {
  for (let offset = 0, count = 0; offset + lengthSize < frame.length && count < MAX_UNITS; count++) {
    const start = offset + lengthSize;
    const end = start + frame.readUIntBE(offset, lengthSize);
    if (end > start) yield frame.subarray(start, end);
    offset = end;
  }
}

/** The NAL units of a byte stream (ISO/IEC 14496-10 annex B): views without start codes and trailing zeros. */
export function splitAnnexB(bytes: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let start = bytes.indexOf(START_CODE);
  while (start !== -1) {
    const unitStart = start + START_CODE.length;
    const nextStart = bytes.indexOf(START_CODE, unitStart);
    let unitEnd = nextStart === -1 ? bytes.length : nextStart;
    while (unitEnd > unitStart && bytes[unitEnd - 1] === 0) unitEnd -= 1;
    if (unitEnd > unitStart) units.push(bytes.subarray(unitStart, unitEnd));
    start = nextStart;
  }
  return units;
}

/** NAL units with length prefixes, as in MP4 samples. */
export function prefixWithLengths(units: readonly Buffer[], lengthSize = 4): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(lengthSize);
      length.writeUIntBE(unit.length, 0, lengthSize);
      return [length, unit];
    }),
  );
}

/** The payload of a NAL unit without its emulation prevention bytes. */
export function withoutEmulationPrevention(bytes: Uint8Array): Uint8Array {
  const unescapedBytes = new Uint8Array(bytes.length);
  let length = 0;
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    unescapedBytes[length++] = byte;
  }
  return unescapedBytes.subarray(0, length);
}

/**
 * Parameter sets with a 16-bit length before each, as in decoder configuration records.
 * @param firstOffset position of the first length
 * @param name box name of the record, for errors
 * @throws CodecDataError if one is truncated
 */
export function* readRecordUnits(
  record: Buffer,
  firstOffset: number,
  count: number,
  name: string,
): Generator<Buffer> {
  let offset = firstOffset;
  for (let index = 0; index < count; index++) {
    const length = offset + 2 <= record.length ? record.readUInt16BE(offset) : 0;
    if (length === 0 || offset + 2 + length > record.length)
      throw new CodecDataError(`${name} is truncated in a parameter set`);
    yield record.subarray(offset + 2, offset + 2 + length);
    offset += 2 + length;
  }
}
