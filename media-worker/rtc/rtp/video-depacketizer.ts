/** Turns payloads of RTP into the units of one frame. */
export interface Depacketizer {
  /** Takes the next payload of the frame. False: it cannot be read. */
  push(payload: Buffer): boolean;
  /** The whole units since the last call; null when the last one has no end. */
  take(): Buffer[] | null;
}

/** A frame of 8K with all its parameter sets. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Collects units whose fragments come one after another. */
export class UnitCollector {
  #units: Buffer[] = [];
  #fragments: Buffer[] | null = null;
  #bytes = 0;

  whole(unit: Buffer): boolean {
    if (this.#fragments !== null || !this.#fits(unit)) return false;
    if (unit.length > 0) this.#units.push(unit);
    return true;
  }

  fragment(
    bytes: Buffer,
    { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
  ): boolean {
    if (isStart === (this.#fragments !== null) || !this.#fits(bytes)) return false;
    this.#fragments ??= [];
    this.#fragments.push(bytes);
    if (!isEnd) return true;
    this.#units.push(Buffer.concat(this.#fragments));
    this.#fragments = null;
    return true;
  }

  take(): Buffer[] | null {
    const units = this.#fragments === null ? this.#units : null;
    this.#units = [];
    this.#fragments = null;
    this.#bytes = 0;
    return units;
  }

  #fits({ length }: Buffer): boolean {
    this.#bytes += length;
    return this.#bytes <= MAX_FRAME_BYTES;
  }
}

/** Units behind lengths of 16 bits; null when one is cut off. */
export function aggregated(payload: Buffer, from: number): Buffer[] | null {
  const units: Buffer[] = [];
  for (let at = from; at < payload.length;) {
    if (at + 2 > payload.length) return null;
    const end = at + 2 + payload.readUInt16BE(at);
    if (end > payload.length) return null;
    units.push(payload.subarray(at + 2, end));
    at = end;
  }
  return units;
}
