import { readBoxes, type FoundBox } from './read-boxes';

/** Samples of one track in a part; the arrays run in parallel. Times in the track's ticks. */
export interface PartTrack {
  readonly track: number;
  /** Decode time of the first sample. */
  readonly start: number;
  readonly durations: readonly number[];
  readonly sizes: readonly number[];
  /** Presentation minus decode time in ticks; empty if it is always 0. */
  readonly compositionOffsets: readonly number[];
  /** Whether decoding can begin at the sample; empty if it always can. */
  readonly keys: readonly boolean[];
  /** Offset of the first sample, counted from the first byte of the `moof`. */
  readonly offset: number;
}

/** `sample_is_non_sync_sample` in the flags of a sample (ISO/IEC 14496-12 §8.8.3.1). */
const NON_SYNC = 0x10000;

/**
 * Reads the samples of a `moof` box written by media-part.ts.
 * @throws Error for any other box
 */
export function readMoof(moof: Buffer): PartTrack[] {
  const moofBox = [...readBoxes(moof)][0];
  if (moofBox?.type !== 'moof') throw new Error('A part must begin with moof');
  return [...readBoxes(moof, moofBox.start, moofBox.end)]
    .filter(({ type }) => type === 'traf')
    .map((traf) => readTraf(moof, traf));
}

function readTraf(data: Buffer, traf: FoundBox): PartTrack {
  const boxes = new Map([...readBoxes(data, traf.start, traf.end)].map((box) => [box.type, box]));
  const [tfhd, tfdt, trun] = [boxes.get('tfhd'), boxes.get('tfdt'), boxes.get('trun')];
  if (!tfhd || !tfdt || !trun) throw new Error('A traf must have tfhd, tfdt and trun');
  const start = data.readUInt32BE(tfdt.start + 4) * 2 ** 32 + data.readUInt32BE(tfdt.start + 8);
  return { track: data.readUInt32BE(tfhd.start + 4), start, ...readTrun(data, trun) };
}

function readTrun(data: Buffer, trun: FoundBox): Omit<PartTrack, 'track' | 'start'> {
  const flags = data.readUIntBE(trun.start + 1, 3);
  const count = data.readUInt32BE(trun.start + 4);
  // data-offset-present, sample-duration-present and sample-size-present (ISO/IEC 14496-12 §8.8.8.1).
  if ((flags & 0x301) !== 0x301) throw new Error('A trun must have offset, durations and sizes');
  const [hasFlags, hasOffsets] = [(flags & 0x400) !== 0, (flags & 0x800) !== 0];
  const durations: number[] = [];
  const sizes: number[] = [];
  const keys: boolean[] = [];
  const compositionOffsets: number[] = [];
  let offset = trun.start + 12;
  if (trun.end - offset !== count * (8 + (hasFlags ? 4 : 0) + (hasOffsets ? 4 : 0)))
    throw new Error('A trun is truncated');
  for (let i = 0; i < count; i++) {
    durations.push(data.readUInt32BE(offset));
    sizes.push(data.readUInt32BE(offset + 4));
    offset += 8;
    if (hasFlags) {
      keys.push((data.readUInt32BE(offset) & NON_SYNC) === 0);
      offset += 4;
    }
    if (hasOffsets) {
      compositionOffsets.push(data.readInt32BE(offset));
      offset += 4;
    }
  }
  return { durations, sizes, keys, compositionOffsets, offset: data.readUInt32BE(trun.start + 8) };
}
