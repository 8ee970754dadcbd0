import { ascii, box, bytes, fullBox, u16, u32 } from './boxes';
import { readBoxes } from './read-boxes';

/** Ticks per second of the movie's header and edit lists. */
export const MOVIE_TIMESCALE = 90_000;

/** The display matrix that changes nothing. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
/** `und`, five bits for each letter (ISO/IEC 14496-12 §8.4.2.3). */
const UNDETERMINED_LANGUAGE = 0x55c4;
/** Bytes of a VisualSampleEntry before its child boxes (ISO/IEC 14496-12 §12.1.3). */
const VISUAL_ENTRY_BYTES = 86;

export interface Mp4TrackOptions {
  /** Track number in the MP4, from 1. */
  readonly id: number;
  readonly handler: 'vide' | 'soun';
  /** Ticks per second. */
  readonly timescale: number;
}

/** A sequence of numbers as runs of equal values. */
type Runs = [count: number, value: number][];

/**
 * The tables of one track of an MP4 (ISO/IEC 14496-12 §8.6, §8.7). Samples are added in decode order; a gap between
 * two samples extends the first.
 */
export class Mp4Track {
  readonly options: Mp4TrackOptions;
  readonly #entries: Buffer[] = [];
  #size = { width: 0, height: 0 };
  #entryType: string | undefined;
  readonly #sizes: number[] = [];
  readonly #durations: Runs = [];
  readonly #compositionOffsets: Runs = [];
  /** From 1. */
  readonly #keyframeNumbers: number[] = [];
  readonly #chunks: { readonly offset: number; readonly samples: number; readonly entry: number }[] = [];
  #onlyKeyframes = true;
  #first: { readonly dts: number; readonly compositionOffset: number } | undefined;
  #last = { dts: 0, duration: 0 };
  /** Cached, because the header is built twice: the chunk offsets in it depend on its own length. */
  #sampleTables: Buffer | undefined;
  /** End of the last sample in display order, in ticks; with B-frames, this is after the end of the last decode time. */
  #lastFrameEndTicks = 0;

  constructor(options: Mp4TrackOptions) {
    this.options = options;
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** End of the last sample, in seconds of the movie's decode timeline. */
  get endSeconds(): number {
    return (this.#last.dts + this.#last.duration) / this.options.timescale;
  }

  /** Presentation time of the first sample, in seconds of the movie's decode timeline. */
  get startSeconds(): number {
    const { dts, compositionOffset } = this.#first ?? { dts: 0, compositionOffset: 0 };
    return (dts + Math.max(0, compositionOffset)) / this.options.timescale;
  }

  /**
   * Adds a sample entry if it is new.
   * @returns its index, from 0
   */
  addEntry(entry: Buffer): number {
    const knownEntry = this.#entries.findIndex((storedEntry) => storedEntry.equals(entry));
    return knownEntry >= 0 ? knownEntry : this.#entries.push(entry) - 1;
  }

  /**
   * Sets the type of every sample entry. Entries without a pixel aspect ratio get square pixels, because players would
   * derive the ratio from the track size.
   */
  renameEntries(type: string): void {
    this.#sampleTables = undefined;
    this.#entryType = type;
  }

  /** Adds a video size, 16.16 fixed point. The track gets the largest size. */
  addVideoSize(width: number, height: number): void {
    if (width * height > this.#size.width * this.#size.height) this.#size = { width, height };
  }

  /**
   * Adds a chunk: samples that are contiguous in the file.
   * @param offset bytes from the start of the media
   * @param entry index of their sample entry, from 0
   */
  addChunk(offset: number, samples: number, entry: number): void {
    this.#chunks.push({ offset, samples, entry });
  }

  /** Adds a sample, with times in ticks of this track. Its decode time is at least a tick after that of the previous sample. */
  addSample(dts: number, duration: number, size: number, compositionOffset: number, key: boolean): void {
    this.#sampleTables = undefined;
    let uniqueDts = dts;
    if (this.#first) {
      uniqueDts = Math.max(dts, this.#last.dts + 1);
      addRun(this.#durations, uniqueDts - this.#last.dts);
    } else this.#first = { dts, compositionOffset };
    this.#last = { dts: uniqueDts, duration };
    this.#lastFrameEndTicks = Math.max(this.#lastFrameEndTicks, uniqueDts + compositionOffset + duration);
    addRun(this.#compositionOffsets, compositionOffset);
    this.#sizes.push(size);
    if (key) this.#keyframeNumbers.push(this.#sizes.length);
    else this.#onlyKeyframes = false;
  }

  /** Presentation duration in ticks of the movie, including the delay at the start. */
  durationTicks(movieStartSeconds: number): number {
    return Math.round(
      (this.#lastFrameEndTicks / this.options.timescale - movieStartSeconds) * MOVIE_TIMESCALE,
    );
  }

  /**
   * The `trak` box.
   * @param movieStartSeconds start of the movie, in seconds of the decode timeline
   * @param mediaOffset offset of the first byte of media in the file
   * @param has64BitOffsets whether offsets need 64 bits
   */
  box(movieStartSeconds: number, mediaOffset: number, has64BitOffsets: boolean): Buffer {
    const { id, handler, timescale } = this.options;
    const { width, height } = this.#size;
    // track_enabled and track_in_movie.
    const enabledInMovie = 3;
    const volume = handler === 'soun' ? 0x100 : 0;
    const mediaTicks = this.#last.dts + this.#last.duration - (this.#first?.dts ?? 0);
    return box(
      'trak',
      fullBox('tkhd', 1, enabledInMovie, u64(0), u64(0), u32(id, 0), u64(this.durationTicks(movieStartSeconds)), u32(0, 0), u16(0, 0, volume, 0), MATRIX, u32(width, height)), // prettier-ignore
      this.#editList(movieStartSeconds),
      box(
        'mdia',
        fullBox('mdhd', 1, 0, u64(0), u64(0), u32(timescale), u64(mediaTicks), u16(UNDETERMINED_LANGUAGE, 0)),
        fullBox('hdlr', 0, 0, u32(0), ascii(handler), u32(0, 0, 0), bytes(0)),
        box(
          'minf',
          handler === 'vide' ? fullBox('vmhd', 0, 1, u32(0, 0)) : fullBox('smhd', 0, 0, u32(0)),
          box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
          this.#sampleTable(mediaOffset, has64BitOffsets),
        ),
      ),
    );
  }

  /**
   * An edit list: a track that starts later is delayed, and its first frame is shown at the track's start,
   * whatever its composition offset.
   */
  #editList(movieStartSeconds: number): Buffer {
    const delayTicks = Math.round((this.startSeconds - movieStartSeconds) * MOVIE_TIMESCALE);
    const shownTicks = Math.max(0, this.durationTicks(movieStartSeconds) - delayTicks);
    const mediaTime = Math.max(0, this.#first?.compositionOffset ?? 0);
    const rate = u16(1, 0);
    const emptyMediaTime = 0xffffffff;
    const delayEdit = delayTicks > 0 ? [u64(delayTicks), u32(emptyMediaTime, emptyMediaTime), rate] : [];
    return box(
      'edts',
      fullBox('elst', 1, 0, u32(delayTicks > 0 ? 2 : 1), ...delayEdit, u64(shownTicks), u64(mediaTime), rate),
    );
  }

  #sampleTable(mediaOffset: number, has64BitOffsets: boolean): Buffer {
    const chunkOffsets = this.#chunks.map(({ offset }) => offset + mediaOffset);
    return box(
      'stbl',
      (this.#sampleTables ??= this.#buildSampleTables()),
      has64BitOffsets
        ? fullBox('co64', 0, 0, u32(chunkOffsets.length), table64(chunkOffsets))
        : fullBox('stco', 0, 0, u32(chunkOffsets.length), table32(chunkOffsets)),
    );
  }

  /** The sample tables without file offsets. */
  #buildSampleTables(): Buffer {
    const durations: Runs = this.#durations.map(([count, value]) => [count, value]);
    if (this.#sizes.length > 0) addRun(durations, this.#last.duration);
    const hasOffsets = this.#compositionOffsets.some(([, value]) => value !== 0);
    const offsets = this.#compositionOffsets;
    return Buffer.concat([
      fullBox(
        'stsd',
        0,
        0,
        u32(this.#entries.length),
        ...this.#entries.map((entry) => this.#renamedEntry(entry)),
      ),
      fullBox('stts', 0, 0, u32(durations.length), table32(durations.flat())),
      ...(hasOffsets ? [fullBox('ctts', 1, 0, u32(offsets.length), table32(offsets.flat()))] : []),
      ...(this.#onlyKeyframes
        ? []
        : [fullBox('stss', 0, 0, u32(this.#keyframeNumbers.length), table32(this.#keyframeNumbers))]),
      this.#samplesToChunks(),
      fullBox('stsz', 0, 0, u32(0, this.#sizes.length), table32(this.#sizes)),
    ]);
  }

  #renamedEntry(entry: Buffer): Buffer {
    if (this.#entryType === undefined) return entry;
    const boxes = [...readBoxes(entry, VISUAL_ENTRY_BYTES)];
    const squarePixels = boxes.some(({ type }) => type === 'pasp') ? [] : [box('pasp', u32(1, 1))];
    return box(this.#entryType, entry.subarray(8), ...squarePixels);
  }

  #samplesToChunks(): Buffer {
    const rows: number[] = [];
    this.#chunks.forEach(({ samples, entry }, index) => {
      const previous = this.#chunks[index - 1];
      if (previous?.samples !== samples || previous.entry !== entry) rows.push(index + 1, samples, entry + 1);
    });
    return fullBox('stsc', 0, 0, u32(rows.length / 3), table32(rows));
  }
}

function addRun(runs: Runs, value: number): void {
  const last = runs.at(-1);
  if (last?.[1] === value) last[0] += 1;
  else runs.push([1, value]);
}

/** A big-endian number of 64 bits, up to 2^53. */
export function u64(value: number): Buffer {
  return u32(Math.floor(value / 2 ** 32), value % 2 ** 32);
}

/** Big-endian 32-bit numbers; negative ones in two's complement. */
function table32(values: readonly number[]): Buffer {
  const data = Buffer.allocUnsafe(values.length * 4);
  let offset = 0;
  for (const value of values) offset = data.writeInt32BE(value | 0, offset);
  return data;
}

function table64(values: readonly number[]): Buffer {
  const data = Buffer.allocUnsafe(values.length * 8);
  values.forEach((value, index) => data.writeBigUInt64BE(BigInt(value), index * 8));
  return data;
}
