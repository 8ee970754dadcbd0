import { type Av1Sequence, parseAv1Sequence } from './av1-sequence';
import { CodecDataError } from './bit-reader';
import { type Obu, readObus, obuType, writeSizedObu } from './obu';
import { parseOrNull } from './parse-or-null';
import { type VideoCoding, type VideoConfig, isPlausibleRecordLength } from './video-coding';

const HEAD_BYTES = 4;
const MARKER_AND_VERSION = 0x81;
const KEY_FRAME = 0;

/**
 * Parses an AV1CodecConfigurationRecord (https://aomediacodec.github.io/av1-isobmff/) and its sequence header.
 * @throws CodecDataError for configurations that players cannot decode
 */
export function parseAv1Config(record: Buffer): VideoConfig {
  if (!isPlausibleRecordLength(record.length, HEAD_BYTES))
    throw new CodecDataError(`av1C has an impossible length of ${record.length} bytes`);
  if (record[0] !== MARKER_AND_VERSION) throw new CodecDataError('av1C has an unknown version');
  const header = findSequenceHeader(record.subarray(HEAD_BYTES));
  if (!header) throw new CodecDataError('av1C holds no sequence header');
  const facts = parseAv1Sequence(header);
  return { ...facts, coding: 'av1', record, sequences: [facts], nalLengthSize: 0 };
}

/** Payload of the first sequence header among the OBUs; undefined if there is none. */
const findSequenceHeader = (units: Buffer): Buffer | undefined => findSequenceObu(units)?.payload;

function findSequenceObu(units: Buffer): Obu | undefined {
  for (const unit of readObus(units)) if (unit.type === obuType.sequenceHeader) return unit;
  return undefined;
}

/**
 * An AV1CodecConfigurationRecord from the payload of a sequence header.
 * @throws CodecDataError if the payload cannot be parsed
 */
export function buildAv1Record(header: Buffer): Buffer {
  const { profile, level, tier, color } = parseAv1Sequence(header);
  return Buffer.concat([
    Buffer.from([MARKER_AND_VERSION, (profile << 5) | level, (tier << 7) | colorBits(color), 0]),
    writeSizedObu(obuType.sequenceHeader, header),
  ]);
}

function colorBits({
  bitDepth,
  isMonochrome,
  subsamplingX,
  subsamplingY,
  samplePosition,
}: Av1Sequence['color']) {
  const depth = (bitDepth > 8 ? 0x40 : 0) | (bitDepth === 12 ? 0x20 : 0);
  return depth | (isMonochrome ? 0x10 : 0) | (subsamplingX << 3) | (subsamplingY << 2) | samplePosition;
}

/**
 * Whether decoding can begin with a temporal unit: its first frame is a key frame that is shown
 * (https://aomediacodec.github.io/av1-spec/).
 */
export function isAv1Keyframe(unit: Buffer): boolean {
  for (const { type, payload } of readObus(unit)) {
    if (type !== obuType.frameHeader && type !== obuType.frame) continue;
    const firstByte = payload[0] ?? 0xff;
    // show_existing_frame (1 bit), frame_type (2 bits), show_frame (1 bit).
    const repeatsFrame = (firstByte & 0x80) !== 0;
    const isShown = (firstByte & 0x10) !== 0;
    return !repeatsFrame && ((firstByte >> 5) & 3) === KEY_FRAME && isShown;
  }
  return false;
}

/** OBUs that samples of an MP4 must not contain (https://aomediacodec.github.io/av1-isobmff/). */
const EXCLUDED_TYPES: readonly number[] = [obuType.temporalDelimiter, obuType.tileList, obuType.padding];

/** A temporal unit as an MP4 sample; the same buffer if nothing must be removed. */
export function buildAv1Sample(unit: Buffer): Buffer {
  const units = [...readObus(unit)];
  if (!units.some(({ type }) => EXCLUDED_TYPES.includes(type))) return unit;
  return Buffer.concat(units.flatMap(({ type, bytes }) => (EXCLUDED_TYPES.includes(type) ? [] : [bytes])));
}

/** AV1 (https://aomediacodec.github.io/av1-spec/, https://aomediacodec.github.io/av1-isobmff/). */
export const av1: VideoCoding = {
  name: 'av1',
  entry: 'av01',
  inBandEntry: 'av01',
  recordBox: 'av1C',
  parse: parseAv1Config,
  sequencesIn: (frame) => {
    const header = findSequenceHeader(frame);
    const facts = header && parseOrNull(() => parseAv1Sequence(header));
    return facts ? [facts] : [];
  },
  isKeyframe: isAv1Keyframe,
  changedRecordFor: (keyframe, recordBefore) => {
    const header = findSequenceHeader(keyframe);
    if (!header || (recordBefore && findSequenceHeader(recordBefore.subarray(HEAD_BYTES))?.equals(header)))
      return null;
    return parseOrNull(() => parseAv1Config(buildAv1Record(header)).record);
  },
  parameterSetsOf: (record) => buildSizedSequenceHeader(record),
  addParameterSets: (keyframe, record) =>
    findSequenceObu(keyframe) ? keyframe : Buffer.concat([buildSizedSequenceHeader(record), keyframe]),
};

/** The sequence header of a record as an OBU with size; empty if there is none. */
function buildSizedSequenceHeader(record: Buffer): Buffer {
  const header = findSequenceHeader(record.subarray(HEAD_BYTES));
  return header ? writeSizedObu(obuType.sequenceHeader, header) : Buffer.alloc(0);
}
