import type { PayloadSlab } from '@/media-worker/media/packets/flv-reader';

const START_CODE = Buffer.from([0, 0, 1]);
const LENGTH_BYTES = 4;

/** The NAL units of a byte stream (ISO/IEC 14496-10 annex B): views without start codes and trailing zeros. */
export function parseNalUnits(bytes: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let start = bytes.indexOf(START_CODE);
  while (start !== -1) {
    const from = start + START_CODE.length;
    const next = bytes.indexOf(START_CODE, from);
    let end = next === -1 ? bytes.length : next;
    while (end > from && bytes[end - 1] === 0) end -= 1;
    if (end > from) units.push(bytes.subarray(from, end));
    start = next;
  }
  return units;
}

/** Joins NAL units with four-byte length prefixes, as in MP4 and FLV (ISO/IEC 14496-15 §5.3.2). */
export function prefixWithLengths(units: readonly Buffer[], slab: PayloadSlab): Buffer {
  const length = units.reduce((sum, unit) => sum + LENGTH_BYTES + unit.length, 0);
  const frame = slab.allocate(length);
  let offset = 0;
  for (const unit of units) {
    offset = frame.writeUInt32BE(unit.length, offset);
    offset += unit.copy(frame, offset);
  }
  return frame;
}
