import { isAvcKeyframe } from './avc-keyframe';
import {
  type AvcParameterSets,
  buildAvcRecord,
  readFrameParameterSets,
  readRecordParameterSets,
  withParameterSets,
} from './avc-parameter-sets';
import { CodecDataError } from './bit-reader';
import { prefixWithLengths } from './nal-units';
import type { SequenceFacts } from './sequence-facts';
import { parseOrNull } from './parse-or-null';
import { parseSps } from './sps';
import {
  DEFAULT_NAL_LENGTH_SIZE,
  type VideoCoding,
  type VideoConfig,
  isPlausibleRecordLength,
} from './video-coding';

/**
 * Parses an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1) and its SPS.
 * @throws CodecDataError for configurations that players cannot decode
 */
export function parseAvcConfig(record: Buffer): VideoConfig {
  if (!isPlausibleRecordLength(record.length, 7))
    throw new CodecDataError(`avcC has an impossible length of ${record.length} bytes`);
  if (record[0] !== 1) throw new CodecDataError('avcC has an unknown version');
  // Length prefixes are 1, 2 or 4 bytes; 3 is reserved.
  if ((record.readUInt8(4) & 3) === 2) throw new CodecDataError('avcC has a NAL length size of 3');
  const [first, ...otherSps] = readRecordParameterSets(record).sps;
  if (!first) throw new CodecDataError('avcC holds no SPS');
  const facts = parseSps(first);
  return {
    ...facts,
    coding: 'avc',
    record,
    sequences: [facts, ...otherSps.map((set) => parseSps(set))],
    nalLengthSize: readNalLengthSize(record),
  };
}

const readNalLengthSize = (record: Buffer): number => (record.readUInt8(4) & 3) + 1;

/** H.264 (ITU-T H.264, ISO/IEC 14496-15 §5). */
export const avc: VideoCoding = {
  name: 'avc',
  entry: 'avc1',
  inBandEntry: 'avc3',
  recordBox: 'avcC',
  parse: parseAvcConfig,
  sequencesIn: (frame, nalLengthSize): SequenceFacts[] =>
    readFrameParameterSets(frame, nalLengthSize).sps.flatMap((sps) => parseOrNull(() => parseSps(sps)) ?? []),
  isKeyframe: isAvcKeyframe,
  changedRecordFor,
  parameterSetsOf: (record) => {
    const { sps, pps } = readRecordParameterSets(record);
    return prefixWithLengths([...sps, ...pps], readNalLengthSize(record));
  },
  addParameterSets: (keyframe, record) =>
    withParameterSets(keyframe, readRecordParameterSets(record), readNalLengthSize(record)),
};

function changedRecordFor(keyframe: Buffer, record: Buffer | null): Buffer | null {
  const nalLengthSize = record ? readNalLengthSize(record) : DEFAULT_NAL_LENGTH_SIZE;
  const setsBefore: AvcParameterSets | null = record && readRecordParameterSets(record);
  const frameSets = readFrameParameterSets(keyframe, nalLengthSize);
  const sps = frameSets.sps.length > 0 ? frameSets.sps : (setsBefore?.sps ?? []);
  const pps = frameSets.pps.length > 0 ? frameSets.pps : (setsBefore?.pps ?? []);
  if (sps.length === 0 || pps.length === 0) return null;
  const isKnown = (kind: 'sps' | 'pps') =>
    frameSets[kind].every((set) => setsBefore?.[kind].some((knownSet) => knownSet.equals(set)));
  if (isKnown('sps') && isKnown('pps')) return null;
  return parseOrNull(() => parseAvcConfig(buildAvcRecord({ sps, pps }, nalLengthSize)).record);
}
