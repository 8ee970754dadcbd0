import { BitReader } from './bit-reader';
import { readNalUnits, withoutEmulationPrevention } from './nal-units';
import { parseOrNull } from './parse-or-null';
import type { PictureOrderFields } from './sps';

const SLICE = 1;
const IDR_SLICE = 5;
/** Bytes of a slice header that are enough for its picture order count. */
const SLICE_HEAD_BYTES = 32;

/** `pic_order_cnt_lsb` of an H.264 frame (ITU-T H.264 §7.3.3); null if its slice header cannot be parsed. */
export function parsePictureOrder(
  frame: Buffer,
  nalLengthSize: number,
  fields: PictureOrderFields,
): number | null {
  for (const unit of readNalUnits(frame, nalLengthSize)) {
    const type = unit.readUInt8(0) & 0x1f;
    if (type === SLICE || type === IDR_SLICE)
      return parseOrNull(() => readSliceOrder(unit, type === IDR_SLICE, fields));
  }
  return null;
}

function readSliceOrder(slice: Buffer, isIdr: boolean, fields: PictureOrderFields): number {
  const head = withoutEmulationPrevention(slice.subarray(1, SLICE_HEAD_BYTES));
  const reader = new BitReader(head, 'slice header');
  reader.ue(); // first_mb_in_slice
  reader.ue(); // slice_type
  reader.ue(); // pic_parameter_set_id
  if (fields.hasSeparatePlanes) reader.skip(2); // colour_plane_id
  reader.skip(fields.frameNumberBits);
  if (!fields.isFramesOnly && reader.flag()) reader.skip(1); // field_pic_flag, bottom_field_flag
  if (isIdr) reader.ue(); // idr_pic_id
  return reader.bits(fields.orderBits);
}
