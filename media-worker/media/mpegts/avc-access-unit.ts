import { RECOVERY_POINT, readSeiMessages } from '@/media-worker/media/cmaf/sei';
import type { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import { splitAnnexB } from '@/media-worker/media/cmaf/nal-units';
import { prefixWithLengths } from './annex-b';

/** Types of NAL units (ISO/IEC 14496-10 table 7-1). */
const NON_IDR_SLICE = 1;
const IDR_SLICE = 5;
const SEI = 6;
const SPS = 7;
/**
 * Access unit delimiter (9), end of sequence (10), end of stream (11) and filler data (12), which MP4 decoders do not need.
 */
const OMITTED_TYPES: ReadonlySet<number> = new Set([9, 10, 11, 12]);

/** A video frame with length-prefixed NAL units, as in MP4 and FLV. */
export interface CodedFrame {
  /** Whether decoding can begin at this frame, even if the picture is complete only after a gradual refresh. */
  readonly key: boolean;
  readonly payload: Buffer;
}

const readUnitType = (unit: Buffer): number => (unit[0] ?? 0) & 0x1f;

/**
 * An H.264 frame, including the parameter sets before it, from an Annex B access unit; null if the access unit has no slice.
 * @param slab memory in which the payload is stored
 */
export const avcFrameFromAnnexB = (accessUnit: Buffer, slab: PayloadSlab): CodedFrame | null =>
  avcFrameFromNalUnits(splitAnnexB(accessUnit), slab);

/**
 * An H.264 frame from NAL units without start codes; null if none of them is a slice.
 * @param slab memory in which the payload is stored
 */
export function avcFrameFromNalUnits(nalUnits: readonly Buffer[], slab: PayloadSlab): CodedFrame | null {
  const units = nalUnits.filter((unit) => !OMITTED_TYPES.has(readUnitType(unit)));
  const has = (type: number) => units.some((unit) => readUnitType(unit) === type);
  if (!has(NON_IDR_SLICE) && !has(IDR_SLICE)) return null;
  // Broadcast encoders and encoders with gradual refresh begin GOPs without IDR frames, and mark them as recovery points. They
  // repeat the SPS there, without which a decoder cannot begin.
  const key = has(IDR_SLICE) || (has(SPS) && units.some(isRecoveryPoint));
  return { key, payload: prefixWithLengths(units, slab) };
}

/** Whether an SEI unit says that decoding can begin at this frame, with a correct picture at once or some frames later. */
const isRecoveryPoint = (unit: Buffer): boolean =>
  readUnitType(unit) === SEI && readSeiMessages(unit).some(({ type }) => type === RECOVERY_POINT);
