import { splitAggregate, type Depacketizer, UnitCollector } from './video-depacketizer';

/** NAL unit types for several units in one packet, and for a fragment of one unit (RFC 7798 §4.4). */
const AGGREGATION_PACKET = 48;
const FRAGMENTATION_UNIT = 49;

/**
 * Depacketizer of HEVC (RFC 7798): single NAL units, aggregation packets and fragmentation units. Decoding order
 * numbers are not supported, because senders use them only with reordering.
 */
export class HevcDepacketizer implements Depacketizer {
  readonly #units = new UnitCollector();

  push(payload: Buffer): boolean {
    if (payload.length < 3) return false;
    const type = (payload.readUInt8(0) >> 1) & 0x3f;
    if (type === AGGREGATION_PACKET)
      return splitAggregate(payload, 2)?.every((unit) => this.#units.addUnit(unit)) ?? false;
    if (type !== FRAGMENTATION_UNIT) return type < AGGREGATION_PACKET && this.#units.addUnit(payload);
    const fuHeader = payload.readUInt8(2);
    const isStart = (fuHeader & 0x80) !== 0;
    const nalHeader = Buffer.from([
      (payload.readUInt8(0) & 0x81) | ((fuHeader & 0x3f) << 1),
      payload.readUInt8(1),
    ]);
    const fuPayload = payload.subarray(3);
    const fragment = isStart ? Buffer.concat([nalHeader, fuPayload]) : fuPayload;
    return this.#units.addFragment(fragment, { isStart, isEnd: (fuHeader & 0x40) !== 0 });
  }

  takeUnits(): Buffer[] | null {
    return this.#units.takeUnits();
  }
}
