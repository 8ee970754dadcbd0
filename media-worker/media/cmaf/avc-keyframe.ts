import { BitReader } from './bit-reader';
import { readNalUnits } from './nal-units';
import { parseOrNull } from './parse-or-null';
import { RECOVERY_POINT, readSeiMessages } from './sei';

/** NAL unit types of ITU-T H.264 table 7-1. */
const SLICE = 1;
const IDR_SLICE = 5;
const SEI = 6;
const SPS = 7;
const LAST_VCL = 5;
/** Values of slice_type modulo 5 (ITU-T H.264 table 7-6). */
const PREDICTED_SLICES: ReadonlySet<number> = new Set([0, 1, 3]);
/** Bytes of a slice header that are enough for the slice type. */
const SLICE_HEAD_BYTES = 12;

/**
 * Whether decoding can begin at an H.264 frame: at an IDR picture, but not at a predicted picture. Null if only the
 * publisher's flag shows it, for example where a recovery point starts a gradual refresh.
 */
export function isAvcKeyframe(frame: Buffer, nalLengthSize: number): boolean | null {
  for (const unit of readNalUnits(frame, nalLengthSize)) {
    const type = unit.readUInt8(0) & 0x1f;
    if (type === IDR_SLICE) return true;
    if (type === SLICE) return isPredicted(unit) ? false : null;
    if (type === SPS || (type === SEI && hasRecoveryPoint(unit))) return containsIdr(frame, nalLengthSize);
    if (type >= SLICE && type <= LAST_VCL) return null;
  }
  return null;
}

function containsIdr(frame: Buffer, nalLengthSize: number): true | null {
  for (const unit of readNalUnits(frame, nalLengthSize))
    if ((unit.readUInt8(0) & 0x1f) === IDR_SLICE) return true;
  return null;
}

function isPredicted(slice: Buffer): boolean {
  const type = parseOrNull(() => {
    const bits = new BitReader(slice.subarray(1, SLICE_HEAD_BYTES), 'slice header');
    bits.ue(); // first_mb_in_slice
    return bits.ue();
  });
  return type !== null && PREDICTED_SLICES.has(type % 5);
}

const hasRecoveryPoint = (sei: Buffer): boolean =>
  readSeiMessages(sei).some(({ type }) => type === RECOVERY_POINT);
