import { codingOfEntry } from './codec-config';
import { findBox, readBoxes, type FoundBox } from './read-boxes';
import type { VideoCoding } from './video-coding';

/** A track of an init segment written by init-segment.ts. */
export interface InitTrack {
  readonly track: number;
  readonly handler: 'vide' | 'soun';
  /** Ticks per second. */
  readonly timescale: number;
  /** Display size, 16.16 fixed point. */
  readonly width: number;
  readonly height: number;
  /** The whole box of the sample entry. */
  readonly entry: Buffer;
}

/**
 * Parses an init segment written by init-segment.ts.
 * @throws Error for any other init segment
 */
export function readInit(init: Buffer): InitTrack[] {
  const moov = findBox(init, ['moov']);
  return [...readBoxes(init, moov.start, moov.end)]
    .filter(({ type }) => type === 'trak')
    .map((trak) => readTrak(init, trak));
}

function readTrak(init: Buffer, trak: FoundBox): InitTrack {
  const tkhd = findBox(init, ['tkhd'], trak);
  const mdhd = findBox(init, ['mdia', 'mdhd'], trak);
  const hdlr = findBox(init, ['mdia', 'hdlr'], trak);
  const stsd = findBox(init, ['mdia', 'minf', 'stbl', 'stsd'], trak);
  const handler = init.toString('latin1', hdlr.start + 8, hdlr.start + 12);
  if (handler !== 'vide' && handler !== 'soun')
    throw new Error(`Handler ${handler} is neither video nor audio`);
  // The offsets are those of version 0 of `tkhd` and `mdhd`, with times of 32 bits.
  return {
    track: init.readUInt32BE(tkhd.start + 12),
    handler,
    timescale: init.readUInt32BE(mdhd.start + 12),
    width: init.readUInt32BE(tkhd.end - 8),
    height: init.readUInt32BE(tkhd.end - 4),
    entry: Buffer.from(init.subarray(stsd.start + 8, stsd.end)),
  };
}

/** Bytes of a video sample entry before its child boxes (ISO/IEC 14496-12 §12.1.3), including its header. */
const VISUAL_ENTRY_BYTES = 8 + 78;

/**
 * The parameter sets of a video sample entry, length-prefixed as in a sample.
 * @throws Error unless init-segment.ts wrote the entry
 */
export function readParameterSets(entry: Buffer): Buffer {
  const { coding, record } = readCodedEntry(entry);
  return coding.parameterSetsOf(record);
}

/** Four-character type of a sample entry, such as `avc1`. */
export const readEntryType = (entry: Buffer): string => entry.toString('latin1', 4, 8);

/** The type of an entry whose samples carry their own parameter sets. */
export const readInBandType = (entry: Buffer): string => readCodedEntry(entry).coding.inBandEntry;

function readCodedEntry(entry: Buffer): { readonly coding: VideoCoding; readonly record: Buffer } {
  const type = readEntryType(entry);
  const coding = codingOfEntry(type);
  const box = [...readBoxes(entry, VISUAL_ENTRY_BYTES)].find((child) => child.type === coding?.recordBox);
  if (!coding || !box) throw new Error(`Sample entry ${type} has no configuration`);
  return { coding, record: entry.subarray(box.start, box.end) };
}
