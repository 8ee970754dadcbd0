import type { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import { lengthPrefixed, nalUnitsOf } from './annex-b';
import type { CodedFrame } from './avc-access-unit';

/** Intra random access points, and slices of all kinds up to them (ITU-T H.265 table 7-1). */
const FIRST_IRAP = 16;
const LAST_IRAP = 23;
const LAST_SLICE = 31;
/** Delimiters, ends of sequences and filler, which MP4 decoders do not need. */
const OMITTED: ReadonlySet<number> = new Set([35, 36, 37, 38]);

const typeOf = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 0x3f;

/** A picture of HEVC, its parameter sets included; null if the access unit has none. */
export const hevcFrameOf = (accessUnit: Buffer, slab: PayloadSlab): CodedFrame | null =>
  hevcFrameOfUnits(nalUnitsOf(accessUnit), slab);

/** The same of NAL units without start codes. */
export function hevcFrameOfUnits(all: readonly Buffer[], slab: PayloadSlab): CodedFrame | null {
  const units = all.filter((unit) => !OMITTED.has(typeOf(unit)));
  if (!units.some((unit) => typeOf(unit) <= LAST_SLICE)) return null;
  const key = units.some((unit) => typeOf(unit) >= FIRST_IRAP && typeOf(unit) <= LAST_IRAP);
  return { key, payload: lengthPrefixed(units, slab) };
}
