import { splitAggregate, type Depacketizer, UnitCollector } from './video-depacketizer';

const STAP_A = 24;
const FU_A = 28;

/** H.264 (RFC 6184): single NAL units, STAP-A and FU-A, which are all packet types of modes 0 and 1. */
export class H264Depacketizer implements Depacketizer {
  readonly #units = new UnitCollector();

  push(payload: Buffer): boolean {
    const head = payload[0] ?? 0;
    const type = head & 0x1f;
    if (type === STAP_A)
      return splitAggregate(payload, 1)?.every((unit) => this.#units.addUnit(unit)) ?? false;
    if (type !== FU_A) return type > 0 && type < STAP_A && this.#units.addUnit(payload);
    if (payload.length < 3) return false;
    const about = payload.readUInt8(1);
    const isStart = (about & 0x80) !== 0;
    const unitHead = Buffer.from([(head & 0xe0) | (about & 0x1f)]);
    const bytes = payload.subarray(2);
    const fragment = isStart ? Buffer.concat([unitHead, bytes]) : bytes;
    return this.#units.fragment(fragment, { isStart, isEnd: (about & 0x40) !== 0 });
  }

  take(): Buffer[] | null {
    return this.#units.take();
  }
}
