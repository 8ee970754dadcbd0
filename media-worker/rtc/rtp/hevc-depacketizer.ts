import { splitAggregate, type Depacketizer, UnitCollector } from './video-depacketizer';

const AGGREGATION = 48;
const FRAGMENTATION = 49;

/** HEVC (RFC 7798) without decoding order numbers, which senders only use with reordering. */
export class HevcDepacketizer implements Depacketizer {
  readonly #units = new UnitCollector();

  push(payload: Buffer): boolean {
    if (payload.length < 3) return false;
    const type = (payload.readUInt8(0) >> 1) & 0x3f;
    if (type === AGGREGATION)
      return splitAggregate(payload, 2)?.every((unit) => this.#units.addUnit(unit)) ?? false;
    if (type !== FRAGMENTATION) return type < AGGREGATION && this.#units.addUnit(payload);
    const about = payload.readUInt8(2);
    const isStart = (about & 0x80) !== 0;
    const unitHead = Buffer.from([
      (payload.readUInt8(0) & 0x81) | ((about & 0x3f) << 1),
      payload.readUInt8(1),
    ]);
    const bytes = payload.subarray(3);
    const fragment = isStart ? Buffer.concat([unitHead, bytes]) : bytes;
    return this.#units.fragment(fragment, { isStart, isEnd: (about & 0x40) !== 0 });
  }

  take(): Buffer[] | null {
    return this.#units.take();
  }
}
