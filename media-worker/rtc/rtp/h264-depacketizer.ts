import { splitAggregate, type Depacketizer, UnitCollector } from './video-depacketizer';

/** NAL unit types for several units in one packet, and for a fragment of one unit (RFC 6184 §5.2). */
const STAP_A = 24;
const FU_A = 28;

/**
 * Depacketizer of H.264 (RFC 6184): single NAL units, STAP-A and FU-A, which are all packet types of packetization
 * modes 0 and 1.
 */
export class H264Depacketizer implements Depacketizer {
  readonly #units = new UnitCollector();

  push(payload: Buffer): boolean {
    const firstByte = payload[0] ?? 0;
    const type = firstByte & 0x1f;
    if (type === STAP_A)
      return splitAggregate(payload, 1)?.every((unit) => this.#units.addUnit(unit)) ?? false;
    if (type !== FU_A) return type > 0 && type < STAP_A && this.#units.addUnit(payload);
    if (payload.length < 3) return false;
    const fuHeader = payload.readUInt8(1);
    const isStart = (fuHeader & 0x80) !== 0;
    // The flags of the unit are in the first byte, and its type is in the second one.
    const nalHeader = Buffer.from([(firstByte & 0xe0) | (fuHeader & 0x1f)]);
    const fuPayload = payload.subarray(2);
    const fragment = isStart ? Buffer.concat([nalHeader, fuPayload]) : fuPayload;
    return this.#units.addFragment(fragment, { isStart, isEnd: (fuHeader & 0x40) !== 0 });
  }

  takeUnits(): Buffer[] | null {
    return this.#units.takeUnits();
  }
}
