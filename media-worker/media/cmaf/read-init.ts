import { codingOfEntry } from './codec-config';
import { boxAt, boxesIn, type FoundBox } from './read-boxes';
import type { VideoCoding } from './video-coding';

/** A track of an init segment written by init-segment.ts. */
export interface InitTrack {
  readonly track: number;
  readonly handler: 'vide' | 'soun';
  /** Ticks per second. */
  readonly timescale: number;
  /** Display width, 16.16 fixed point. */
  readonly width: number;
  readonly height: number;
  /** The whole box of the sample entry. */
  readonly entry: Buffer;
}

/** Parses an init segment written by init-segment.ts. @throws Error for any other init segment */
export function readInit(init: Buffer): InitTrack[] {
  const moov = boxAt(init, ['moov']);
  return [...boxesIn(init, moov.start, moov.end)]
    .filter(({ type }) => type === 'trak')
    .map((trak) => readTrak(init, trak));
}

function readTrak(init: Buffer, trak: FoundBox): InitTrack {
  const tkhd = boxAt(init, ['tkhd'], trak);
  const mdhd = boxAt(init, ['mdia', 'mdhd'], trak);
  const hdlr = boxAt(init, ['mdia', 'hdlr'], trak);
  const stsd = boxAt(init, ['mdia', 'minf', 'stbl', 'stsd'], trak);
  const handler = init.toString('latin1', hdlr.start + 8, hdlr.start + 12);
  if (handler !== 'vide' && handler !== 'soun')
    throw new Error(`Handler ${handler} is neither video nor audio`);
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
export function parameterSetsOf(entry: Buffer): Buffer {
  const { coding, record } = codedEntry(entry);
  return coding.setsOf(record);
}

/** Four-character type of a sample entry, such as `avc1`. */
export const entryType = (entry: Buffer): string => entry.toString('latin1', 4, 8);

/** The type of an entry whose samples carry their own parameter sets. */
export const inBandTypeOf = (entry: Buffer): string => codedEntry(entry).coding.inBandEntry;

function codedEntry(entry: Buffer): { readonly coding: VideoCoding; readonly record: Buffer } {
  const type = entryType(entry);
  const coding = codingOfEntry(type);
  const box = [...boxesIn(entry, VISUAL_ENTRY_BYTES)].find((child) => child.type === coding?.recordBox);
  if (!coding || !box) throw new Error(`Sample entry ${type} has no configuration`);
  return { coding, record: entry.subarray(box.start, box.end) };
}
