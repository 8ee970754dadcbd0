import { prefixWithLengths } from './nal-units';
import { CodecDataError } from './bit-reader';

/** Sequence and picture parameter sets of H.264, as NAL units without length prefix. */
export interface AvcParameterSets {
  readonly sps: readonly Buffer[];
  readonly pps: readonly Buffer[];
}

const SPS_NAL_TYPE = 7;
const PPS_NAL_TYPE = 8;
const DELIMITER_NAL_TYPE = 9;
/** Profiles whose record ends with chroma format and bit depths (ISO/IEC 14496-15 §5.3.3.1.2). */
const PROFILES_WITH_CHROMA = new Set([100, 110, 122, 144]);
const MAX_SPS = 31;
const MAX_PPS = 255;
const MAX_SET_BYTES = 65_535;

/** The parameter sets in a frame of length-prefixed NAL units (ISO/IEC 14496-15 §5.3.2). */
export function readFrameParameterSets(frame: Buffer, nalLengthSize: number): AvcParameterSets {
  const sets: { sps: Buffer[]; pps: Buffer[] } = { sps: [], pps: [] };
  for (let offset = 0; offset + nalLengthSize < frame.length;) {
    const start = offset + nalLengthSize;
    const end = start + frame.readUIntBE(offset, nalLengthSize);
    const type = frame.readUInt8(start) & 0x1f;
    if (type === SPS_NAL_TYPE) sets.sps.push(frame.subarray(start, end));
    if (type === PPS_NAL_TYPE) sets.pps.push(frame.subarray(start, end));
    offset = end;
  }
  return sets;
}

/**
 * A keyframe with its parameter sets before the slices, for receivers that keep the first sets they get (MPEG-TS).
 * A keyframe that contains parameter sets is unchanged.
 */
export function withParameterSets(
  frame: Buffer,
  { sps, pps }: AvcParameterSets,
  nalLengthSize: number,
): Buffer {
  const frameSets = readFrameParameterSets(frame, nalLengthSize);
  if (frameSets.sps.length > 0) return frame;
  const sets = [...sps, ...(frameSets.pps.length > 0 ? [] : pps)];
  const offset = delimiterEnd(frame, nalLengthSize);
  const prefixedSets = sets.flatMap((set) => {
    const length = Buffer.alloc(nalLengthSize);
    length.writeUIntBE(set.length, 0, nalLengthSize);
    return [length, set];
  });
  return Buffer.concat([frame.subarray(0, offset), ...prefixedSets, frame.subarray(offset)]);
}

/**
 * The position after the access unit delimiter, which must stay the first NAL unit (ISO/IEC 14496-10 §7.4.1.2.3); 0
 * without one.
 */
function delimiterEnd(frame: Buffer, nalLengthSize: number): number {
  if (frame.length <= nalLengthSize) return 0;
  const isDelimiter = ((frame[nalLengthSize] ?? 0) & 0x1f) === DELIMITER_NAL_TYPE;
  return isDelimiter ? Math.min(frame.length, nalLengthSize + frame.readUIntBE(0, nalLengthSize)) : 0;
}

/**
 * The parameter sets of an AVCDecoderConfigurationRecord.
 * @throws CodecDataError if one is missing or truncated
 */
export function readRecordParameterSets(record: Buffer): AvcParameterSets {
  if (record.length < 7) throw new CodecDataError(`avcC has an impossible length of ${record.length} bytes`);
  const sps = readSets(record, 6, record.readUInt8(5) & 0x1f, 'SPS');
  const pps = readSets(record, sps.end + 1, record[sps.end] ?? 0, 'PPS');
  return { sps: sps.sets, pps: pps.sets };
}

/**
 * An AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1) for 4:2:0 with eight bits. There must be at least one
 * SPS and one PPS.
 * @throws CodecDataError if a record cannot hold the parameter sets
 */
export function buildAvcRecord({ sps, pps }: AvcParameterSets, nalLengthSize: number): Buffer {
  const isTooLong = [...sps, ...pps].some(({ length }) => length > MAX_SET_BYTES);
  if (isTooLong || sps.length > MAX_SPS || pps.length > MAX_PPS)
    throw new CodecDataError('avcC cannot hold that many parameter sets');
  const [profile, constraints, level] = sps[0]?.subarray(1, 4) ?? [];
  const head = [1, profile ?? 0, constraints ?? 0, level ?? 0, 0xfc | (nalLengthSize - 1), 0xe0 | sps.length];
  // Reserved bits are 1; then chroma format 1 (4:2:0), both bit depths minus 8, and no SPS extensions.
  const chroma = PROFILES_WITH_CHROMA.has(profile ?? 0) ? [0xfd, 0xf8, 0xf8, 0] : [];
  return Buffer.concat([
    Buffer.from(head),
    prefixWithLengths(sps, 2),
    Buffer.from([pps.length]),
    prefixWithLengths(pps, 2),
    Buffer.from(chroma),
  ]);
}

/**
 * Reads `count` parameter sets, each after its 16-bit length.
 * @param offset position of the first one
 * @returns the parameter sets, and the position after them
 */
function readSets(
  record: Buffer,
  offset: number,
  count: number,
  name: string,
): { sets: readonly Buffer[]; end: number } {
  if (count === 0) throw new CodecDataError(`avcC holds no ${name}`);
  const sets: Buffer[] = [];
  let end = offset;
  for (let i = 0; i < count; i++) {
    const set = readSet(record, end, name);
    sets.push(set);
    end += 2 + set.length;
  }
  return { sets, end };
}

function readSet(record: Buffer, offset: number, name: string): Buffer {
  const length = offset + 2 <= record.length ? record.readUInt16BE(offset) : 0;
  if (length === 0 || offset + 2 + length > record.length)
    throw new CodecDataError(`avcC has a truncated ${name}`);
  return record.subarray(offset + 2, offset + 2 + length);
}
