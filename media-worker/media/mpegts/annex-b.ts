import type { PayloadSlab } from '@/media-worker/media/packets/flv-reader';

const LENGTH_BYTES = 4;

/** NAL units joined with four-byte length prefixes, as in MP4 and FLV (ISO/IEC 14496-15 §5.3.2), in memory of `slab`. */
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
