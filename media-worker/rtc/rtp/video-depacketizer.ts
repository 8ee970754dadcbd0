/** Converts RTP payloads to the NAL units or OBUs of one frame. */
export interface Depacketizer {
  /**
   * Adds the next payload of the frame.
   * @returns false if it is malformed
   */
  push(payload: Buffer): boolean;
  /** The complete units since the last call; null if the last unit is incomplete. */
  takeUnits(): Buffer[] | null;
}

/** Larger than an 8K frame with all its parameter sets. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Collects the units of one frame, and joins units that arrive in several fragments. */
export class UnitCollector {
  #units: Buffer[] = [];
  #fragments: Buffer[] | null = null;
  #bytes = 0;

  /**
   * Adds a complete unit.
   * @returns false if the previous unit is incomplete, or if the frame is too large
   */
  addUnit(unit: Buffer): boolean {
    if (this.#fragments !== null || !this.#reserve(unit)) return false;
    if (unit.length > 0) this.#units.push(unit);
    return true;
  }

  /**
   * Adds the next fragment of a unit.
   * @returns false if the fragment does not follow the previous one, or if the frame is too large
   */
  addFragment(
    bytes: Buffer,
    { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
  ): boolean {
    if (isStart === (this.#fragments !== null) || !this.#reserve(bytes)) return false;
    this.#fragments ??= [];
    this.#fragments.push(bytes);
    if (!isEnd) return true;
    this.#units.push(Buffer.concat(this.#fragments));
    this.#fragments = null;
    return true;
  }

  /** Removes and returns the units; null if the last unit is incomplete. */
  takeUnits(): Buffer[] | null {
    const units = this.#fragments === null ? this.#units : null;
    this.#units = [];
    this.#fragments = null;
    this.#bytes = 0;
    return units;
  }

  #reserve({ length }: Buffer): boolean {
    this.#bytes += length;
    return this.#bytes <= MAX_FRAME_BYTES;
  }
}

/**
 * Splits a payload of units with 16-bit lengths; null if a unit is truncated.
 * @param start offset of the first length
 */
export function splitAggregate(payload: Buffer, start: number): Buffer[] | null {
  const units: Buffer[] = [];
  for (let offset = start; offset < payload.length;) {
    if (offset + 2 > payload.length) return null;
    const end = offset + 2 + payload.readUInt16BE(offset);
    if (end > payload.length) return null;
    units.push(payload.subarray(offset + 2, end));
    offset = end;
  }
  return units;
}
