import { BitReader, CodecDataError } from './bit-reader';
import { withoutEmulationPrevention } from './nal-units';
import { type SequenceFacts, pixelFormatOf, plausibleFps, readSar, videoRangeOf } from './sequence-facts';

const SPS_NAL_TYPE = 7;
/** Profiles whose SPS has chroma format and bit depths (ITU-T H.264 §7.3.2.1.1). */
const PROFILES_WITH_CHROMA = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/**
 * Parses one SPS NAL unit of H.264 (ITU-T H.264 §7.3.2.1, Annex E) with its header byte and emulation prevention.
 * @throws CodecDataError
 */
export function parseSps(nal: Uint8Array): SequenceFacts {
  if (((nal[0] ?? 0) & 0x1f) !== SPS_NAL_TYPE) throw new CodecDataError('SPS has a wrong NAL unit type');
  const reader = new BitReader(withoutEmulationPrevention(nal.subarray(1)), 'SPS');
  const profile = reader.bits(8);
  const constraints = reader.bits(8);
  const level = reader.bits(8);
  reader.ue(); // seq_parameter_set_id
  const chroma = PROFILES_WITH_CHROMA.has(profile) ? readChroma(reader) : PLAIN_CHROMA;
  reader.ue(); // log2_max_frame_num_minus4
  skipPictureOrderCount(reader);
  reader.ue(); // max_num_ref_frames
  reader.skip(1); // gaps_in_frame_num_value_allowed_flag
  const size = readPictureSize(reader, chroma.cropFormat);
  const vui = reader.flag() ? readVuiLeniently(reader) : NO_VUI;
  const profileAndLevel = [profile, constraints, level]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return {
    codec: `avc1.${profileAndLevel}`,
    ...size,
    ...vui,
    pixelFormat: pixelFormatOf(chroma.format, chroma.bitDepth),
  };
}

/** The fields of an SPS that are needed to read the picture order count of a slice (ITU-T H.264 §7.3.3). */
export interface PictureOrderFields {
  readonly hasSeparatePlanes: boolean;
  readonly frameNumberBits: number;
  readonly orderBits: number;
  readonly isFramesOnly: boolean;
}

/**
 * Parses these fields from an SPS NAL unit.
 * @returns null if its slices have no picture order count
 * @throws CodecDataError
 */
export function parsePictureOrderFields(nal: Uint8Array): PictureOrderFields | null {
  const reader = new BitReader(withoutEmulationPrevention(nal.subarray(1)), 'SPS');
  const profile = reader.bits(8);
  reader.skip(16); // constraints, level_idc
  reader.ue(); // seq_parameter_set_id
  const chroma = PROFILES_WITH_CHROMA.has(profile) ? readChroma(reader) : PLAIN_CHROMA;
  const frameNumberBits = reader.ue() + 4;
  if (reader.ue() !== 0) return null; // pic_order_cnt_type
  const orderBits = reader.ue() + 4;
  reader.ue(); // max_num_ref_frames
  reader.skip(1); // gaps_in_frame_num_value_allowed_flag
  reader.ue(); // pic_width_in_mbs_minus1
  reader.ue(); // pic_height_in_map_units_minus1
  const hasSeparatePlanes = chroma.format === 3 && chroma.cropFormat === 0;
  return { hasSeparatePlanes, frameNumberBits, orderBits, isFramesOnly: reader.flag() };
}

interface Chroma {
  /** chroma_format_idc: 0 to 3. */
  readonly format: number;
  /** ChromaArrayType, which sets the unit of cropping. */
  readonly cropFormat: number;
  readonly bitDepth: number;
}

/** Chroma of the other profiles: 4:2:0 with eight bits. */
const PLAIN_CHROMA: Chroma = { format: 1, cropFormat: 1, bitDepth: 8 };

function readChroma(reader: BitReader): Chroma {
  const chromaFormat = reader.ue();
  if (chromaFormat > 3) throw new CodecDataError(`SPS has an unknown chroma format ${chromaFormat}`);
  const hasSeparatePlanes = chromaFormat === 3 && reader.flag();
  const lumaDepth = reader.ue() + 8;
  const chromaDepth = reader.ue() + 8;
  reader.skip(1); // qpprime_y_zero_transform_bypass_flag
  if (reader.flag()) {
    const lists = chromaFormat === 3 ? 12 : 8;
    for (let i = 0; i < lists; i++) if (reader.flag()) skipScalingList(reader, i < 6 ? 16 : 64);
  }
  // Three separate planes are cropped like monochrome: ChromaArrayType is 0 (H.264 §7.4.2.1.1).
  return {
    format: chromaFormat,
    cropFormat: hasSeparatePlanes ? 0 : chromaFormat,
    bitDepth: Math.max(lumaDepth, chromaDepth),
  };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  for (let i = 0; i < size; i++) {
    const next = (last + reader.se() + 256) & 0xff;
    if (next === 0) return;
    last = next;
  }
}

function skipPictureOrderCount(reader: BitReader): void {
  const type = reader.ue();
  if (type === 0) {
    reader.ue(); // log2_max_pic_order_cnt_lsb_minus4
    return;
  }
  if (type === 2) return;
  if (type !== 1) throw new CodecDataError(`SPS has an unknown picture order count type ${type}`);
  reader.skip(1); // delta_pic_order_always_zero_flag
  reader.se(); // offset_for_non_ref_pic
  reader.se(); // offset_for_top_to_bottom_field
  const cycle = reader.ue(); // num_ref_frames_in_pic_order_cnt_cycle
  if (cycle > 255) throw new CodecDataError('SPS has a picture order count cycle over 255');
  for (let i = 0; i < cycle; i++) reader.se();
}

function readPictureSize(
  reader: BitReader,
  chromaFormat: number,
): Pick<SequenceFacts, 'width' | 'height' | 'codedWidth' | 'codedHeight'> {
  const widthInBlocks = reader.ue() + 1;
  const heightInUnits = reader.ue() + 1;
  const framesOnly = reader.flag();
  if (!framesOnly) reader.skip(1); // mb_adaptive_frame_field_flag
  reader.skip(1); // direct_8x8_inference_flag
  const fieldsPerFrame = framesOnly ? 1 : 2;
  const codedWidth = widthInBlocks * 16;
  const codedHeight = heightInUnits * 16 * fieldsPerFrame;
  let [width, height] = [codedWidth, codedHeight];
  if (reader.flag()) {
    const cropUnitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
    const cropUnitY = (chromaFormat === 1 ? 2 : 1) * fieldsPerFrame;
    width -= (reader.ue() + reader.ue()) * cropUnitX;
    height -= (reader.ue() + reader.ue()) * cropUnitY;
  }
  const isPossible = width > 0 && height > 0;
  if (!isPossible) throw new CodecDataError(`SPS has an impossible picture size ${width}x${height}`);
  return { width, height, codedWidth, codedHeight };
}

type VuiFacts = Pick<SequenceFacts, 'sar' | 'fps' | 'videoRange'>;
const NO_VUI: VuiFacts = { sar: { num: 1, den: 1 }, fps: undefined, videoRange: 'SDR' };

/** Reads the optional VUI. Decoders play streams of encoders that truncate it. */
function readVuiLeniently(reader: BitReader): VuiFacts {
  try {
    return readVui(reader);
  } catch (error) {
    if (error instanceof CodecDataError) return NO_VUI;
    throw error;
  }
}

function readVui(reader: BitReader): VuiFacts {
  const sar = reader.flag() ? readSar(reader) : NO_VUI.sar;
  if (reader.flag()) reader.skip(1); // overscan
  let { videoRange } = NO_VUI;
  if (reader.flag()) {
    reader.skip(4); // video_format, full range
    if (reader.flag()) {
      reader.skip(8); // colour_primaries
      videoRange = videoRangeOf(reader.bits(8));
      reader.skip(8); // matrix_coefficients
    }
  }
  if (reader.flag()) {
    reader.ue();
    reader.ue(); // chroma sample location
  }
  return { sar, videoRange, fps: reader.flag() ? readFps(reader) : undefined };
}

function readFps(reader: BitReader): number | undefined {
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  // A tick is a field: two make a frame (Annex E.2.1).
  return plausibleFps(timeScale / (2 * unitsInTick));
}
