import { codingOfEntry, type VideoConfig } from './codec-config';
import { boxAt, boxesIn, type FoundBox } from './read-boxes';
import type { VideoCoding } from './video-coding';

/** A track of one of our init segments (see init-segment.ts). */
export interface InitTrack {
  readonly track: number;
  readonly handler: 'vide' | 'soun';
  /** Ticks per second. */
  readonly timescale: number;
  /** 16.16 fixed point, display size. */
  readonly width: number;
  readonly height: number;
  /** Its sample entry, the whole box. */
  readonly entry: Buffer;
}

/** @throws Error unless it is one of our init segments */
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
    throw new Error(`A track is neither picture nor sound: ${handler}`);
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
const visualEntryBytes = 8 + 78;

/**
 * The parameter sets of a video sample entry in the form of a sample.
 * @throws Error unless it is one of our entries
 */
export function parameterSetsOf(entry: Buffer): Buffer {
  const { coding, record } = codedEntry(entry);
  return coding.setsOf(record);
}

/**
 * The configuration in a video sample entry.
 * @throws CodecConfigError, and Error unless it is one of our entries
 */
export function configOfEntry(entry: Buffer): VideoConfig {
  const { coding, record } = codedEntry(entry);
  return coding.parse(record);
}

/** The type of an entry, such as `avc1`. */
export const entryType = (entry: Buffer): string => entry.toString('latin1', 4, 8);

/** The type of an entry whose samples carry their own parameter sets. */
export const inBandTypeOf = (entry: Buffer): string => codedEntry(entry).coding.inBandEntry;

function codedEntry(entry: Buffer): { readonly coding: VideoCoding; readonly record: Buffer } {
  const type = entryType(entry);
  const coding = codingOfEntry(type);
  const box = [...boxesIn(entry, visualEntryBytes)].find((one) => one.type === coding?.recordBox);
  if (!coding || !box) throw new Error(`An entry ${type} has no configuration`);
  return { coding, record: entry.subarray(box.start, box.end) };
}
