import { leb128, obuType } from '@/media-worker/media/cmaf/obu';
import { type Depacketizer, UnitCollector } from './video-depacketizer';

const CONTINUES = 0x80;
const IS_CONTINUED = 0x40;
const HAS_EXTENSION = 0x04;
const HAS_SIZE = 0x02;

/** AV1 (https://aomediacodec.github.io/av1-rtp-spec/): returns the OBUs of a temporal unit, each with its size. */
export class Av1Depacketizer implements Depacketizer {
  readonly #units = new UnitCollector();

  push(payload: Buffer): boolean {
    const head = payload[0] ?? 0;
    const elements = elementsOf(payload, (head >> 4) & 3);
    if (!elements || elements.length === 0) return false;
    return elements.every((element, index) => {
      const isLast = index === elements.length - 1;
      const isStart = index > 0 || (head & CONTINUES) === 0;
      const isEnd = !isLast || (head & IS_CONTINUED) === 0;
      return isStart && isEnd
        ? this.#units.addUnit(element)
        : this.#units.fragment(element, { isStart, isEnd });
    });
  }

  take(): Buffer[] | null {
    const units = this.#units.take();
    return units && units.map(withSize).filter((unit) => unit !== null);
  }
}

/** @param count number of elements, the last one without a length; 0: each has one */
function elementsOf(payload: Buffer, count: number): Buffer[] | null {
  const elements: Buffer[] = [];
  for (let at = 1; at < payload.length;) {
    const isLast = count > 0 && elements.length === count - 1;
    const length = isLast ? { value: payload.length - at, end: at } : leb128(payload, at);
    if (!length || length.end + length.value > payload.length) return null;
    elements.push(payload.subarray(length.end, length.end + length.value));
    at = length.end + length.value;
  }
  return elements;
}

/** Adds the size field, which senders leave out; null for an OBU that MP4 samples do not contain. */
function withSize(unit: Buffer): Buffer | null {
  const head = unit.readUInt8(0);
  if (((head >> 3) & 0x0f) === obuType.temporalDelimiter) return null;
  if ((head & HAS_SIZE) !== 0) return unit;
  const headBytes = (head & HAS_EXTENSION) === 0 ? 1 : 2;
  const size: number[] = [];
  for (let rest = Math.max(0, unit.length - headBytes); ; rest >>= 7) {
    size.push((rest & 0x7f) | (rest > 127 ? 0x80 : 0));
    if (rest <= 127) break;
  }
  const parts = [Buffer.from([head | HAS_SIZE]), unit.subarray(1, headBytes), Buffer.from(size)];
  return Buffer.concat([...parts, unit.subarray(headBytes)]);
}
