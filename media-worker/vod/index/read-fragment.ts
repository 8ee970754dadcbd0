import type { BoxView } from './box-view';
import { MovieError } from './byte-source';
import type { SampleList } from './sample-list';

/** Defaults for samples without their own values (ISO/IEC 14496-12 §8.8.3, §8.8.7). */
export interface SampleDefaults {
  readonly entry: number;
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

export interface FragmentedTrack {
  readonly samples: SampleList;
  readonly defaults: SampleDefaults;
}

/** Sample flag of a frame at which decoding cannot start. */
const NON_SYNC = 0x10000;
const hasFlag = (flags: number, flag: number): boolean => (flags & flag) !== 0;

/** Reads the defaults of a track. Numbers of sample entries count from 1 in the file, from 0 here. */
export function readDefaults(trex: BoxView): SampleDefaults {
  return {
    entry: Math.max(1, trex.u32(8)) - 1,
    duration: trex.u32(12),
    size: trex.u32(16),
    flags: trex.u32(20),
  };
}

interface FragmentContext {
  /** Position of the `moof` in the file. */
  readonly moofOffset: number;
  /** Whether samples after the end of the file are left out instead of rejected. */
  readonly mayBeCutOff: boolean;
}

/**
 * Adds the samples of one `moof`.
 * @param trackOf finds a track by its number
 */
export function readFragment(
  moof: BoxView,
  { moofOffset, mayBeCutOff }: FragmentContext,
  trackOf: (id: number) => FragmentedTrack | undefined,
): void {
  // Without an offset, the media of a track follows that of the previous track (ISO/IEC 14496-12 §8.8.7).
  let dataEnd = moofOffset;
  for (const traf of moof.children()) {
    if (traf.type !== 'traf') continue;
    const track = trackOf(traf.descendant('tfhd').u32(4));
    if (track) dataEnd = readTrackFragment(traf, track, { moofOffset, mayBeCutOff, dataEnd });
  }
}

interface TrackFragmentContext extends FragmentContext {
  readonly dataEnd: number;
}

/** @returns the position after the media of the fragment */
function readTrackFragment(
  traf: BoxView,
  { samples, defaults }: FragmentedTrack,
  context: TrackFragmentContext,
): number {
  const tfhd = traf.descendant('tfhd');
  const flags = tfhd.u24(1);
  let fieldOffset = 8;
  const readField = (flag: number, otherwise: number): number => {
    if (!hasFlag(flags, flag)) return otherwise;
    fieldOffset += 4;
    return tfhd.u32(fieldOffset - 4);
  };
  // The flags say which optional fields follow (ISO/IEC 14496-12 §8.8.7).
  const baseIsMoof = 0x020000;
  let baseOffset = hasFlag(flags, baseIsMoof) ? context.moofOffset : context.dataEnd;
  if (hasFlag(flags, 1)) {
    baseOffset = tfhd.u64(8);
    fieldOffset += 8;
  }
  const trackDefaults = {
    entry: Math.max(1, readField(2, defaults.entry + 1)) - 1,
    duration: readField(8, defaults.duration),
    size: readField(0x10, defaults.size),
    flags: readField(0x20, defaults.flags),
  };
  // Joined recordings start their decode times again. Frames of a track never overlap, so the fragment follows the one before.
  const start = Math.max(readDecodeTime(traf.findChild('tfdt')), samples.end);
  let position = { dts: start, end: baseOffset };
  for (const trun of traf.children())
    if (trun.type === 'trun')
      position = readRun(trun, {
        samples,
        trackDefaults,
        baseOffset,
        mayBeCutOff: context.mayBeCutOff,
        ...position,
      });
  return position.end;
}

/** The decode time of a fragment in ticks; 0 if it is not stated. */
const readDecodeTime = (tfdt: BoxView | undefined): number =>
  tfdt ? (tfdt.u8(0) === 1 ? tfdt.u64(4) : tfdt.u32(4)) : 0;

interface RunContext {
  readonly samples: SampleList;
  readonly trackDefaults: SampleDefaults;
  /** Position from which data offsets count. */
  readonly baseOffset: number;
  readonly dts: number;
  readonly mayBeCutOff: boolean;
  /** End of the previous run. */
  readonly end: number;
}

function readRun(
  trun: BoxView,
  { samples, trackDefaults, baseOffset, mayBeCutOff, ...position }: RunContext,
): { dts: number; end: number } {
  const flags = trun.u24(1);
  // Each of these flags says that samples have a field of four bytes: duration, size, flags and composition offset.
  const fieldsPerSample = [0x100, 0x200, 0x400, 0x800].filter((flag) => hasFlag(flags, flag)).length;
  let fieldOffset = 8;
  const readField = (flag: number, otherwise: number): number => {
    if (!hasFlag(flags, flag)) return otherwise;
    fieldOffset += 4;
    return trun.u32(fieldOffset - 4);
  };
  // `| 0` reads the 32 bits as a signed number.
  const offset = readField(1, 0) | 0;
  const firstFlags = readField(4, trackDefaults.flags);
  const count = trun.u32(4);
  if (count * fieldsPerSample * 4 > trun.length - fieldOffset)
    throw new MovieError('its box trun is too short for its frames');
  if (!hasFlag(flags, 0x200) && count * trackDefaults.size > samples.fileSize - samples.bytes)
    throw new MovieError('its frames are larger than the file');
  if (fieldsPerSample === 0 && trackDefaults.size === 0 && count > 1)
    throw new MovieError('its box trun has frames without a size');
  samples.reserve(count);
  let { dts } = position;
  let dataOffset = hasFlag(flags, 1) ? baseOffset + offset : position.end;
  for (let index = 0; index < count; index++) {
    const duration = readField(0x100, trackDefaults.duration);
    const size = readField(0x200, trackDefaults.size);
    const sampleFlags = readField(0x400, index === 0 ? firstFlags : trackDefaults.flags);
    const shift = readField(0x800, 0) | 0;
    if (mayBeCutOff && dataOffset + size > samples.fileSize) break;
    samples.push({
      offset: dataOffset,
      size,
      dts,
      duration,
      shift,
      key: !hasFlag(sampleFlags, NON_SYNC),
      entry: trackDefaults.entry,
    });
    dataOffset += size;
    dts += duration;
  }
  return { dts, end: dataOffset };
}
