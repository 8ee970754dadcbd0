import { CodecDataError } from './bit-reader';
import { type HevcSps, parseHevcSps } from './hevc-sps';
import { prefixWithLengths, readNalUnits, readRecordUnits } from './nal-units';
import { parseOrNull } from './parse-or-null';
import {
  DEFAULT_NAL_LENGTH_SIZE,
  type VideoCoding,
  type VideoConfig,
  isPlausibleRecordLength,
} from './video-coding';

/** Parameter sets of HEVC, as NAL units without length prefix. */
export interface HevcParameterSets {
  readonly vps: readonly Buffer[];
  readonly sps: readonly Buffer[];
  readonly pps: readonly Buffer[];
}

/** Kinds of parameter sets with their NAL unit types, in the order in which decoders need them (ITU-T H.265 table 7-1). */
const SET_KINDS = [
  ['vps', 32],
  ['sps', 33],
  ['pps', 34],
] as const;
const DELIMITER = 35;
/** First and last NAL unit type of BLA, IDR and CRA pictures, at which decoding can begin (ITU-T H.265 table 7-1). */
const FIRST_IRAP = 16;
const LAST_IRAP = 21;
const FIRST_NON_VCL = 32;

/** Bytes of a record before its arrays of parameter sets. */
const HEAD_BYTES = 23;
const MAX_ARRAYS = 64;
const MAX_SETS = 64;
const MAX_SET_BYTES = 65_535;

const readHevcUnitType = (unit: Buffer): number => (unit.readUInt8(0) >> 1) & 0x3f;

export function collectHevcParameterSets(units: Iterable<Buffer>): HevcParameterSets {
  const sets = { vps: [] as Buffer[], sps: [] as Buffer[], pps: [] as Buffer[] };
  for (const unit of units) {
    const kind = SET_KINDS.find(([, type]) => type === readHevcUnitType(unit));
    if (kind) sets[kind[0]].push(unit);
  }
  return sets;
}

/** Whether decoding can begin at the first picture among these NAL units. */
export function isHevcKeyframe(units: Iterable<Buffer>): boolean {
  for (const unit of units) {
    const type = readHevcUnitType(unit);
    if (type < FIRST_NON_VCL) return type >= FIRST_IRAP && type <= LAST_IRAP;
  }
  return false;
}

/**
 * Parses an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15 §8.3.3.1) and its SPS.
 * @throws CodecDataError for configurations that players cannot decode
 */
export function parseHevcConfig(record: Buffer): VideoConfig {
  const sets = readRecordSets(record);
  const [first, ...otherSps] = sets.sps;
  for (const [kind] of SET_KINDS)
    if (sets[kind].length === 0) throw new CodecDataError(`hvcC holds no ${kind.toUpperCase()}`);
  if (!first) throw new CodecDataError('hvcC holds no SPS');
  const facts = parseHevcSps(first);
  return {
    ...facts,
    coding: 'hevc',
    record,
    sequences: [facts, ...otherSps.map((set) => parseHevcSps(set))],
    nalLengthSize: readNalLengthSize(record),
  };
}

const readNalLengthSize = (record: Buffer): number => (record.readUInt8(21) & 3) + 1;

function readRecordSets(record: Buffer): HevcParameterSets {
  if (!isPlausibleRecordLength(record.length, HEAD_BYTES))
    throw new CodecDataError(`hvcC has an impossible length of ${record.length} bytes`);
  if (record[0] !== 1) throw new CodecDataError('hvcC has an unknown version');
  if ((record.readUInt8(21) & 3) === 2) throw new CodecDataError('hvcC has a NAL length size of 3');
  const units: Buffer[] = [];
  const arrayCount = record.readUInt8(22);
  if (arrayCount > MAX_ARRAYS) throw new CodecDataError(`hvcC has more than ${MAX_ARRAYS} arrays`);
  let offset = HEAD_BYTES;
  for (let array = 0; array < arrayCount; array++) {
    if (offset + 3 > record.length) throw new CodecDataError('hvcC is truncated');
    const count = record.readUInt16BE(offset + 1);
    if (count > MAX_SETS) throw new CodecDataError(`hvcC has more than ${MAX_SETS} units in an array`);
    offset += 3;
    for (const unit of readRecordUnits(record, offset, count, 'hvcC')) {
      units.push(unit);
      offset += 2 + unit.length;
    }
  }
  return collectHevcParameterSets(units);
}

/**
 * An HEVCDecoderConfigurationRecord of parameter sets, at least one of each kind.
 * @throws CodecDataError if the SPS cannot be parsed, or a record cannot hold the sets
 */
export function buildHevcRecord(sets: HevcParameterSets, nalLengthSize = DEFAULT_NAL_LENGTH_SIZE): Buffer {
  const [sps] = sets.sps;
  if (!sps) throw new CodecDataError('hvcC needs an SPS');
  const facts = parseHevcSps(sps);
  const setArrays = SET_KINDS.map(([kind, type]) => buildSetArray(type, sets[kind]));
  // The constants are reserved bits and 0 for "unknown": spatial segmentation, parallelism and frame rate.
  return Buffer.concat([
    Buffer.from([1]),
    facts.profileTierLevel,
    Buffer.from([0xf0, 0, 0xfc, ...formatBytesOf(facts), 0, 0, layerBitsOf(facts) | (nalLengthSize - 1)]),
    Buffer.from([setArrays.length]),
    ...setArrays,
  ]);
}

const formatBytesOf = ({ chromaFormat, lumaDepth, chromaDepth }: HevcSps): number[] => [
  0xfc | chromaFormat,
  0xf8 | (lumaDepth - 8),
  0xf8 | (chromaDepth - 8),
];

const layerBitsOf = ({ temporalLayers, isTemporalIdNested }: HevcSps): number =>
  (temporalLayers << 3) | (isTemporalIdNested ? 4 : 0);

function buildSetArray(type: number, units: readonly Buffer[]): Buffer {
  if (units.length > MAX_SETS || units.some(({ length }) => length > MAX_SET_BYTES))
    throw new CodecDataError('hvcC cannot hold that many parameter sets');
  const head = Buffer.from([0x80 | type, 0, units.length]);
  return Buffer.concat([head, prefixWithLengths(units, 2)]);
}

const allSetsOf = (sets: HevcParameterSets): Buffer[] => SET_KINDS.flatMap(([kind]) => [...sets[kind]]);

/** HEVC (ITU-T H.265, ISO/IEC 14496-15 §8). */
export const hevc: VideoCoding = {
  name: 'hevc',
  entry: 'hvc1',
  inBandEntry: 'hev1',
  recordBox: 'hvcC',
  parse: parseHevcConfig,
  sequencesIn: (frame, nalLengthSize) =>
    collectHevcParameterSets(readNalUnits(frame, nalLengthSize)).sps.flatMap(
      (sps) => parseOrNull(() => parseHevcSps(sps)) ?? [],
    ),
  isKeyframe: (frame, nalLengthSize) => isHevcKeyframe(readNalUnits(frame, nalLengthSize)),
  changedRecordFor,
  parameterSetsOf: (record) =>
    prefixWithLengths(allSetsOf(readRecordSets(record)), readNalLengthSize(record)),
  addParameterSets: (keyframe, record) => {
    const nalLengthSize = readNalLengthSize(record);
    const units = [...readNalUnits(keyframe, nalLengthSize)];
    const ownSets = collectHevcParameterSets(units);
    if (ownSets.sps.length > 0) return keyframe;
    const recordSets = readRecordSets(record);
    const missingSets = SET_KINDS.flatMap(([kind]) =>
      ownSets[kind].length > 0 ? [] : [...recordSets[kind]],
    );
    // An access unit delimiter stays the first unit (ITU-T H.265 §7.4.2.4.4).
    const delimiters = units.filter((unit) => readHevcUnitType(unit) === DELIMITER);
    const otherUnits = units.filter((unit) => readHevcUnitType(unit) !== DELIMITER);
    return prefixWithLengths([...delimiters, ...missingSets, ...otherUnits], nalLengthSize);
  },
};

function changedRecordFor(keyframe: Buffer, record: Buffer | null): Buffer | null {
  const nalLengthSize = record ? readNalLengthSize(record) : DEFAULT_NAL_LENGTH_SIZE;
  const setsBefore = record && parseOrNull(() => readRecordSets(record));
  const frameSets = collectHevcParameterSets(readNalUnits(keyframe, nalLengthSize));
  const isKnown = SET_KINDS.every(([kind]) =>
    frameSets[kind].every((set) => setsBefore?.[kind].some((knownSet) => knownSet.equals(set))),
  );
  if (isKnown) return null;
  const currentSets = (kind: keyof HevcParameterSets) =>
    frameSets[kind].length > 0 ? frameSets[kind] : (setsBefore?.[kind] ?? []);
  const sets = { vps: currentSets('vps'), sps: currentSets('sps'), pps: currentSets('pps') };
  return parseOrNull(() => parseHevcConfig(buildHevcRecord(sets, nalLengthSize)).record);
}
