import { readLeb128, obuType } from '@/media-worker/media/cmaf/obu';
import { type Depacketizer, UnitCollector } from './video-depacketizer';

/** Flags of the aggregation header: its first element continues the previous packet; its last one continues in the next. */
const CONTINUES = 0x80;
const IS_CONTINUED = 0x40;
/** Flags of the OBU header: an extension byte follows; a size field follows. */
const HAS_EXTENSION = 0x04;
const HAS_SIZE = 0x02;

/** Depacketizer of AV1 (https://aomediacodec.github.io/av1-rtp-spec/). Each OBU is returned with its size field. */
export class Av1Depacketizer implements Depacketizer {
  readonly #units = new UnitCollector();

  push(payload: Buffer): boolean {
    const aggregationHeader = payload[0] ?? 0;
    const elements = splitElements(payload, (aggregationHeader >> 4) & 3);
    if (!elements || elements.length === 0) return false;
    return elements.every((element, index) => {
      const isLast = index === elements.length - 1;
      const isStart = index > 0 || (aggregationHeader & CONTINUES) === 0;
      const isEnd = !isLast || (aggregationHeader & IS_CONTINUED) === 0;
      return isStart && isEnd
        ? this.#units.addUnit(element)
        : this.#units.addFragment(element, { isStart, isEnd });
    });
  }

  takeUnits(): Buffer[] | null {
    const units = this.#units.takeUnits();
    return units && units.map(withSize).filter((unit) => unit !== null);
  }
}

/**
 * Splits a payload into OBU elements; null if it is truncated.
 * @param count number of elements, of which the last one has no length field; 0 if every element has one
 */
function splitElements(payload: Buffer, count: number): Buffer[] | null {
  const elements: Buffer[] = [];
  for (let offset = 1; offset < payload.length;) {
    const isLast = count > 0 && elements.length === count - 1;
    const elementLength = isLast
      ? { value: payload.length - offset, end: offset }
      : readLeb128(payload, offset);
    if (!elementLength || elementLength.end + elementLength.value > payload.length) return null;
    elements.push(payload.subarray(elementLength.end, elementLength.end + elementLength.value));
    offset = elementLength.end + elementLength.value;
  }
  return elements;
}

/**
 * Adds the size field, which senders leave out. Returns null for a temporal delimiter, which MP4 samples do not
 * contain.
 */
function withSize(unit: Buffer): Buffer | null {
  const obuHeader = unit.readUInt8(0);
  if (((obuHeader >> 3) & 0x0f) === obuType.temporalDelimiter) return null;
  if ((obuHeader & HAS_SIZE) !== 0) return unit;
  const headerBytes = (obuHeader & HAS_EXTENSION) === 0 ? 1 : 2;
  // The size as LEB128: 7 bits a byte, and the highest bit is set in all bytes but the last one.
  const size: number[] = [];
  for (let remainingSize = Math.max(0, unit.length - headerBytes); ; remainingSize >>= 7) {
    size.push((remainingSize & 0x7f) | (remainingSize > 127 ? 0x80 : 0));
    if (remainingSize <= 127) break;
  }
  const parts = [Buffer.from([obuHeader | HAS_SIZE]), unit.subarray(1, headerBytes), Buffer.from(size)];
  return Buffer.concat([...parts, unit.subarray(headerBytes)]);
}
