import { BitReader, CodecDataError } from './bit-reader';
import { withoutEmulationPrevention } from './nal-units';
import { type SequenceFacts, pixelFormatOf, plausibleFps, readSar, videoRangeOf } from './sequence-facts';

/** A parsed SPS, with the fields of a decoder configuration record. */
export interface HevcSps extends SequenceFacts {
  /** The twelve bytes from general_profile_space to general_level_idc. */
  readonly profileTierLevel: Buffer;
  readonly chromaFormat: number;
  readonly lumaDepth: number;
  readonly chromaDepth: number;
  readonly temporalLayers: number;
  readonly isTemporalIdNested: boolean;
}

const SPS = 33;
/** Bytes of profile_tier_level that describe the whole stream. */
const GENERAL_BYTES = 12;
const MAX_SHORT_TERM_SETS = 64;
const MAX_PICTURES = 16;

/**
 * Parses one SPS NAL unit of HEVC (ITU-T H.265 §7.3.2.2, Annex E).
 * @throws CodecDataError
 */
export function parseHevcSps(nal: Uint8Array): HevcSps {
  if ((((nal[0] ?? 0) >> 1) & 0x3f) !== SPS) throw new CodecDataError('SPS has a wrong NAL unit type');
  const bytes = withoutEmulationPrevention(nal.subarray(2));
  const reader = new BitReader(bytes, 'SPS');
  reader.skip(4); // sps_video_parameter_set_id
  const subLayers = reader.bits(3);
  const isTemporalIdNested = reader.flag();
  if (subLayers > 6) throw new CodecDataError('SPS has more than seven temporal layers');
  const generalBytes = Buffer.from(bytes.subarray(1, 1 + GENERAL_BYTES));
  skipProfileTierLevel(reader, subLayers);
  reader.ue(); // sps_seq_parameter_set_id
  const size = readPictureSize(reader);
  const [lumaDepth, chromaDepth] = [reader.ue() + 8, reader.ue() + 8];
  if (lumaDepth > 16 || chromaDepth > 16) throw new CodecDataError('SPS has an impossible bit depth');
  const { chromaFormat, ...picture } = size;
  return {
    codec: formatHevcCodec(generalBytes),
    ...picture,
    ...readRemainingFields(reader, subLayers),
    pixelFormat: pixelFormatOf(chromaFormat, Math.max(lumaDepth, chromaDepth)),
    profileTierLevel: generalBytes,
    chromaFormat,
    lumaDepth,
    chromaDepth,
    isTemporalIdNested,
    temporalLayers: subLayers + 1,
  };
}

/** RFC 6381 name from the first twelve bytes of profile_tier_level (ISO/IEC 14496-15, Annex E). */
function formatHevcCodec(generalBytes: Buffer): string {
  const firstByte = generalBytes.readUInt8(0);
  const space = ['', 'A', 'B', 'C'][firstByte >> 6] ?? '';
  const tier = (firstByte & 0x20) === 0 ? 'L' : 'H';
  const compatibility = reverseBits(generalBytes.readUInt32BE(1)).toString(16);
  const constraints = [...generalBytes.subarray(5, 11)];
  while (constraints.at(-1) === 0) constraints.pop();
  const names = [
    `hvc1.${space}${firstByte & 0x1f}`,
    compatibility,
    `${tier}${generalBytes.readUInt8(11)}`,
    ...constraints.map((byte) => byte.toString(16)),
  ];
  return names.join('.');
}

function reverseBits(value: number): number {
  let [bitsLeft, result] = [value, 0];
  for (let position = 0; position < 32; position++) {
    result = result * 2 + (bitsLeft % 2);
    bitsLeft = Math.floor(bitsLeft / 2);
  }
  return result;
}

function skipProfileTierLevel(reader: BitReader, subLayers: number): void {
  reader.skip(GENERAL_BYTES * 8);
  const presentFlags = Array.from({ length: subLayers }, () => [reader.flag(), reader.flag()] as const);
  if (subLayers > 0) reader.skip(2 * (8 - subLayers));
  for (const [profile, level] of presentFlags) reader.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

function readPictureSize(reader: BitReader) {
  const chromaFormat = reader.ue();
  if (chromaFormat > 3) throw new CodecDataError(`SPS has an unknown chroma format ${chromaFormat}`);
  const hasSeparatePlanes = chromaFormat === 3 && reader.flag();
  const [codedWidth, codedHeight] = [reader.ue(), reader.ue()];
  let [width, height] = [codedWidth, codedHeight];
  if (reader.flag()) {
    const cropUnitX = (chromaFormat === 1 || chromaFormat === 2) && !hasSeparatePlanes ? 2 : 1;
    const cropUnitY = chromaFormat === 1 ? 2 : 1;
    width -= (reader.ue() + reader.ue()) * cropUnitX;
    height -= (reader.ue() + reader.ue()) * cropUnitY;
  }
  if (width <= 0 || height <= 0)
    throw new CodecDataError(`SPS has an impossible picture size ${width}x${height}`);
  return { width, height, codedWidth, codedHeight, chromaFormat };
}

type RemainingFields = Pick<SequenceFacts, 'sar' | 'fps' | 'videoRange'>;
const DEFAULT_FIELDS: RemainingFields = { sar: { num: 1, den: 1 }, fps: undefined, videoRange: 'SDR' };

/**
 * Reads the optional fields at the end of an SPS. Truncated fields get default values, because decoders play such
 * streams.
 */
function readRemainingFields(reader: BitReader, subLayers: number): RemainingFields {
  try {
    skipToVui(reader, subLayers);
    return reader.flag() ? readVui(reader) : DEFAULT_FIELDS;
  } catch (error) {
    if (error instanceof CodecDataError) return DEFAULT_FIELDS;
    throw error;
  }
}

function skipToVui(reader: BitReader, subLayers: number): void {
  const orderCountBits = reader.ue() + 4;
  const layers = reader.flag() ? subLayers + 1 : 1;
  for (let i = 0; i < layers * 3; i++) reader.ue();
  for (let i = 0; i < 6; i++) reader.ue(); // block sizes and depths
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.skip(2); // amp_enabled_flag, sample_adaptive_offset_enabled_flag
  if (reader.flag()) {
    reader.skip(8);
    reader.ue();
    reader.ue();
    reader.skip(1); // pcm_loop_filter_disabled_flag
  }
  skipShortTermSets(reader);
  if (reader.flag()) {
    const count = checkLimit(reader.ue(), 32, 'long-term reference pictures');
    for (let i = 0; i < count; i++) reader.skip(orderCountBits + 1);
  }
  reader.skip(2); // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
}

function checkLimit(value: number, max: number, fieldName: string): number {
  if (value > max) throw new CodecDataError(`SPS has more than ${max} ${fieldName}`);
  return value;
}

function skipScalingLists(reader: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.ue();
        continue;
      }
      if (size > 1) reader.se();
      for (let i = 0; i < Math.min(64, 16 << (2 * size)); i++) reader.se();
    }
  }
}

/**
 * Skips st_ref_pic_set (ITU-T H.265 §7.3.7): a set may be predicted from the previous one, whose size must be
 * known.
 */
function skipShortTermSets(reader: BitReader): void {
  const count = checkLimit(reader.ue(), MAX_SHORT_TERM_SETS, 'reference picture sets');
  let pictures = 0;
  for (let set = 0; set < count; set++) {
    if (set > 0 && reader.flag()) {
      reader.skip(1);
      reader.ue();
      let usedPictures = 0;
      for (let i = 0; i <= pictures; i++) if (reader.flag() || reader.flag()) usedPictures += 1;
      pictures = usedPictures;
      continue;
    }
    pictures = checkLimit(reader.ue() + reader.ue(), MAX_PICTURES, 'pictures in a set');
    for (let i = 0; i < pictures; i++) {
      reader.ue();
      reader.skip(1);
    }
  }
}

function readVui(reader: BitReader): RemainingFields {
  const sar = reader.flag() ? readSar(reader) : DEFAULT_FIELDS.sar;
  if (reader.flag()) reader.skip(1); // overscan_appropriate_flag
  let videoRange = DEFAULT_FIELDS.videoRange;
  if (reader.flag()) {
    reader.skip(4); // video_format, video_full_range_flag
    if (reader.flag()) {
      reader.skip(8); // colour_primaries
      videoRange = videoRangeOf(reader.bits(8));
      reader.skip(8); // matrix_coeffs
    }
  }
  if (reader.flag()) {
    reader.ue();
    reader.ue(); // chroma sample location
  }
  reader.skip(3); // neutral_chroma_indication_flag, field_seq_flag, frame_field_info_present_flag
  if (reader.flag()) for (let i = 0; i < 4; i++) reader.ue(); // default display window
  if (!reader.flag()) return { sar, videoRange, fps: undefined };
  const [unitsInTick, timeScale] = [reader.bits(32), reader.bits(32)];
  return { sar, videoRange, fps: plausibleFps(timeScale / unitsInTick) };
}
