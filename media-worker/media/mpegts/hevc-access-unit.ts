import type { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import { splitAnnexB } from '@/media-worker/media/cmaf/nal-units';
import { prefixWithLengths } from './annex-b';
import type { CodedFrame } from './avc-access-unit';

/** Types of intra random access points; smaller types are other slices (ITU-T H.265 table 7-1). */
const FIRST_IRAP = 16;
const LAST_IRAP = 23;
const LAST_SLICE = 31;
/**
 * Access unit delimiter (35), end of sequence (36), end of bitstream (37) and filler data (38) (ITU-T H.265 table 7-1), which
 * MP4 decoders do not need.
 */
const OMITTED_TYPES: ReadonlySet<number> = new Set([35, 36, 37, 38]);

const readUnitType = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 0x3f;

/**
 * An HEVC frame, including the parameter sets before it, from an Annex B access unit; null if the access unit has no slice.
 * @param slab memory in which the payload is stored
 */
export const hevcFrameFromAnnexB = (accessUnit: Buffer, slab: PayloadSlab): CodedFrame | null =>
  hevcFrameFromNalUnits(splitAnnexB(accessUnit), slab);

/**
 * An HEVC frame from NAL units without start codes; null if none of them is a slice.
 * @param slab memory in which the payload is stored
 */
export function hevcFrameFromNalUnits(nalUnits: readonly Buffer[], slab: PayloadSlab): CodedFrame | null {
  const units = nalUnits.filter((unit) => !OMITTED_TYPES.has(readUnitType(unit)));
  if (!units.some((unit) => readUnitType(unit) <= LAST_SLICE)) return null;
  const key = units.some((unit) => readUnitType(unit) >= FIRST_IRAP && readUnitType(unit) <= LAST_IRAP);
  return { key, payload: prefixWithLengths(units, slab) };
}
