import { boxAt, boxesIn, type FoundBox } from './read-boxes';

/** A track as an init segment of ours describes it (see init-segment.ts). */
export interface InitTrack {
  readonly track: number;
  readonly handler: 'vide' | 'soun';
  /** Ticks per second. */
  readonly timescale: number;
  /** 16.16 fixed point, as shown. */
  readonly width: number;
  readonly height: number;
  /** Its sample entry, the box as a whole. */
  readonly entry: Buffer;
}

/** @throws Error for what is no init segment of ours */
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

/**
 * The parameter sets of an `avc1` entry as they stand in a sample: each behind its length (ISO/IEC 14496-15 §5.3.3).
 */
export function parameterSetsOf(entry: Buffer): Buffer {
  const fixedPart = 8 + 78;
  const record = [...boxesIn(entry, fixedPart)].find(({ type }) => type === 'avcC');
  if (!record) throw new Error('An avc1 entry has avcC');
  const lengthSize = (entry.readUInt8(record.start + 4) & 3) + 1;
  const sets: Buffer[] = [];
  let at = record.start + 5;
  // First the sequence parameter sets, then those of the picture, each list behind its count.
  for (const mask of [0x1f, 0xff]) {
    let count = entry.readUInt8(at++) & mask;
    for (; count > 0; count--) {
      const size = entry.readUInt16BE(at);
      const length = Buffer.alloc(lengthSize);
      length.writeUIntBE(size, 0, lengthSize);
      sets.push(length, entry.subarray(at + 2, at + 2 + size));
      at += 2 + size;
    }
  }
  return Buffer.concat(sets);
}
