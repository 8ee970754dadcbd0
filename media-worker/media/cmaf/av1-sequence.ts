import { BitReader, CodecDataError } from './bit-reader';
import { type SequenceFacts, pixelFormatOf, plausibleFps, videoRangeOf } from './sequence-facts';

/** A parsed sequence header, with the fields of a decoder configuration record. */
export interface Av1Sequence extends SequenceFacts {
  readonly profile: number;
  readonly level: number;
  readonly tier: number;
  readonly color: Av1Color;
}

export interface Av1Color {
  readonly bitDepth: number;
  readonly isMonochrome: boolean;
  readonly subsamplingX: number;
  readonly subsamplingY: number;
  readonly samplePosition: number;
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly isFullRange: boolean;
}

const UNSPECIFIED = 2;
const SRGB = { primaries: 1, transfer: 13, matrix: 0 };

/**
 * Parses the payload of a sequence header OBU (https://aomediacodec.github.io/av1-spec/).
 * @throws CodecDataError
 */
export function parseAv1Sequence(payload: Uint8Array): Av1Sequence {
  const reader = new BitReader(payload, 'AV1 sequence header');
  const profile = reader.bits(3);
  if (profile > 2) throw new CodecDataError(`AV1 sequence header has an unknown profile ${profile}`);
  reader.skip(1); // still_picture
  const isReduced = reader.flag();
  const operatingPoint = isReduced
    ? { level: reader.bits(5), tier: 0, fps: undefined }
    : readOperatingPoints(reader);
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1];
  const [width, height] = [reader.bits(widthBits) + 1, reader.bits(heightBits) + 1];
  if (!isReduced && reader.flag()) reader.skip(7); // lengths of frame ids
  reader.skip(3); // superblocks, intra filters
  if (!isReduced) skipTools(reader);
  reader.skip(3); // enable_superres, enable_cdef, enable_restoration
  const color = readColorConfig(reader, profile);
  const { level, tier, fps } = operatingPoint;
  const chroma = color.isMonochrome ? 0 : color.subsamplingY === 1 ? 1 : color.subsamplingX === 1 ? 2 : 3;
  return {
    codec: codecOf({ profile, level, tier, color }),
    width,
    height,
    codedWidth: width,
    codedHeight: height,
    sar: { num: 1, den: 1 },
    fps,
    videoRange: videoRangeOf(color.transfer),
    pixelFormat: pixelFormatOf(chroma, color.bitDepth),
    profile,
    level,
    tier,
    color,
  };
}

/** Reads the frame rate, and the level and tier of the first operating point, which is the whole stream. */
function readOperatingPoints(reader: BitReader): { level: number; tier: number; fps: number | undefined } {
  let [fps, bufferDelayBits]: [number | undefined, number] = [undefined, 0];
  let hasDecoderModel = false;
  if (reader.flag()) {
    const [unitsInTick, timeScale] = [reader.bits(32), reader.bits(32)];
    // A tick is a frame only if frames have equal intervals.
    if (reader.flag()) fps = plausibleFps(timeScale / (unitsInTick * (reader.ue() + 1)));
    hasDecoderModel = reader.flag();
    if (hasDecoderModel) {
      bufferDelayBits = reader.bits(5) + 1;
      reader.skip(42); // num_units_in_decoding_tick and two lengths
    }
  }
  const hasInitialDisplayDelay = reader.flag();
  const count = reader.bits(5) + 1;
  let [level, tier] = [0, 0];
  for (let operatingPoint = 0; operatingPoint < count; operatingPoint++) {
    reader.skip(12); // operating_point_idc
    const pointLevel = reader.bits(5);
    const pointTier = pointLevel > 7 ? reader.bits(1) : 0;
    if (operatingPoint === 0) [level, tier] = [pointLevel, pointTier];
    if (hasDecoderModel && reader.flag()) reader.skip(2 * bufferDelayBits + 1);
    if (hasInitialDisplayDelay && reader.flag()) reader.skip(4);
  }
  return { level, tier, fps };
}

function skipTools(reader: BitReader): void {
  reader.skip(4); // compound, warped motion, dual filter
  const hasOrderHint = reader.flag();
  if (hasOrderHint) reader.skip(2);
  const isScreenContent = reader.flag() || reader.flag();
  if (isScreenContent && !reader.flag()) reader.skip(1); // seq_force_integer_mv
  if (hasOrderHint) reader.skip(3);
}

function readColorConfig(reader: BitReader, profile: number): Av1Color {
  const isHighBitDepth = reader.flag();
  const bitDepth = profile === 2 && isHighBitDepth ? (reader.flag() ? 12 : 10) : isHighBitDepth ? 10 : 8;
  const isMonochrome = profile !== 1 && reader.flag();
  const [primaries, transfer, matrix] = reader.flag()
    ? [reader.bits(8), reader.bits(8), reader.bits(8)]
    : [UNSPECIFIED, UNSPECIFIED, UNSPECIFIED];
  const commonFields = { bitDepth, isMonochrome, primaries, transfer, matrix };
  if (isMonochrome)
    return {
      ...commonFields,
      isFullRange: reader.flag(),
      subsamplingX: 1,
      subsamplingY: 1,
      samplePosition: 0,
    };
  if (primaries === SRGB.primaries && transfer === SRGB.transfer && matrix === SRGB.matrix)
    return { ...commonFields, isFullRange: true, subsamplingX: 0, subsamplingY: 0, samplePosition: 0 };
  const isFullRange = reader.flag();
  const [subsamplingX, subsamplingY] = readSubsampling(reader, profile, bitDepth);
  const samplePosition = subsamplingX === 1 && subsamplingY === 1 ? reader.bits(2) : 0;
  return { ...commonFields, isFullRange, subsamplingX, subsamplingY, samplePosition };
}

function readSubsampling(reader: BitReader, profile: number, bitDepth: number): [number, number] {
  if (profile === 0) return [1, 1];
  if (profile === 1) return [0, 0];
  if (bitDepth < 12) return [1, 0];
  return reader.flag() ? [1, reader.bits(1)] : [0, 0];
}

/** RFC 6381 name (https://aomediacodec.github.io/av1-isobmff/). The optional part is omitted for default values. */
function codecOf({
  profile,
  level,
  tier,
  color,
}: Pick<Av1Sequence, 'profile' | 'level' | 'tier' | 'color'>): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const requiredPart = `av01.${profile}.${twoDigits(level)}${tier === 1 ? 'H' : 'M'}.${twoDigits(color.bitDepth)}`;
  const { isMonochrome, subsamplingX, subsamplingY, samplePosition, primaries, transfer, matrix } = color;
  const hasDefaultColor =
    videoRangeOf(transfer) === 'SDR' && !isMonochrome && subsamplingX === 1 && subsamplingY === 1;
  if (hasDefaultColor) return requiredPart;
  const chroma = `${subsamplingX}${subsamplingY}${subsamplingX === 1 && subsamplingY === 1 ? samplePosition : 0}`;
  const fields = [
    requiredPart,
    isMonochrome ? 1 : 0,
    chroma,
    twoDigits(primaries),
    twoDigits(transfer),
    twoDigits(matrix),
  ];
  return [...fields, color.isFullRange ? 1 : 0].join('.');
}
