/** A message of a Supplemental Enhancement Information (SEI) unit of H.264. */
export interface SeiMessage {
  readonly type: number;
  /** Payload, at most to the end of the unit. */
  readonly payload: Buffer;
}

/** Payload type of a recovery point, from which a decoder shows correct pictures (ISO/IEC 14496-10 annex D). */
export const RECOVERY_POINT = 6;

/**
 * The messages of an SEI unit (ISO/IEC 14496-10 §7.3.2.3.1), up to the first one without a size.
 * @param unit NAL unit with its header byte
 */
export function readSeiMessages(unit: Buffer): SeiMessage[] {
  const messages: SeiMessage[] = [];
  let offset = 1;
  const readNumber = (): number => {
    let value = 0;
    while (unit[offset] === 0xff) {
      value += 0xff;
      offset += 1;
    }
    value += unit[offset] ?? 0;
    offset += 1;
    return value;
  };
  // The last byte has the stop bit.
  while (offset < unit.length - 1) {
    const type = readNumber();
    const size = readNumber();
    messages.push({ type, payload: unit.subarray(offset, offset + size) });
    offset += size;
  }
  return messages;
}
