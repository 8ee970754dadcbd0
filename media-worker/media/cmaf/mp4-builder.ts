import { ascii, box, fullBox, u16, u32 } from './boxes';
import { MOVIE_TIMESCALE, Mp4Track, u64 } from './mp4-track';
import { readEntryType, readInBandType, readParameterSets, type InitTrack } from './read-init';
import type { PartTrack } from './read-part';

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Longest pause before a piece. A wrong composition offset of an encoder can be hours. */
const MAX_PAUSE_SECONDS = 0.5;

/** A range of the file's media: bytes of the added part, or new bytes. */
export type MediaBytes = { readonly at: number; length: number } | { readonly data: Buffer };

interface PieceTrack {
  readonly target: Mp4Track;
  readonly entry: number;
  readonly source: InitTrack;
  /** Parameter sets before every keyframe, for players that read only the first sample entry. */
  readonly prefix: Buffer | undefined;
}

/**
 * Builds an MP4 with its index first from CMAF parts without changing a sample (ISO/IEC 14496-12). Consecutive
 * parts form a piece; a new piece begins where the previous one ends, with one offset for both tracks, so video
 * and audio stay in sync to a tick. The builder keeps only the tables: the caller copies the media afterwards, in
 * the same order.
 */
export class Mp4Builder {
  readonly #tracks: Mp4Track[] = [];
  #piece: ReadonlyMap<number, PieceTrack> = new Map();
  /** Offset from decode times of the piece to those of the movie, seconds; set by its first part. */
  #offset: number | undefined;
  /** End of the frame that is shown last, seconds. */
  #shownEnd = -Infinity;
  #mediaBytes = 0;
  /** Whether the video configuration has changed. Samples added after that contain parameter sets. */
  #inBand = false;
  /** Sample entry of the first video configuration. */
  #videoEntry: Buffer | undefined;

  /** Starts a piece, whose parts decode with this init segment, at the end of the movie so far. */
  startPiece(init: readonly InitTrack[]): void {
    this.#offset = undefined;
    this.#piece = new Map(init.map((from) => [from.track, this.#pieceTrack(from)]));
  }

  /**
   * Adds the samples of one part.
   * @returns the ranges to copy, in order; positions are relative to the `moof`, like `offset` in PartTrack
   */
  addPart(part: readonly PartTrack[]): MediaBytes[] {
    const copies: MediaBytes[] = [];
    this.#offset ??= this.#offsetOf(part);
    for (const track of part) this.#addTrack(track, copies);
    return copies;
  }

  /** Number of media bytes after the header. */
  get mediaBytes(): number {
    return this.#mediaBytes;
  }

  /** The bytes of the file before the media. */
  header(): Buffer {
    const avc = this.#videoEntry && readEntryType(this.#videoEntry) === 'avc1' ? 'avc1' : '';
    const ftyp = box('ftyp', ascii('isom'), u32(0x200), ascii(`isomiso2${avc}mp41`));
    const mdatHead = this.#mediaBytes + 16 > 0xffffffff ? 16 : 8;
    const size = ftyp.length + this.#moov(0, false).length + mdatHead;
    const wide = size + this.#mediaBytes > 0xffffffff;
    const mediaAt = wide ? ftyp.length + this.#moov(0, true).length + mdatHead : size;
    return Buffer.concat([ftyp, this.#moov(mediaAt, wide), this.#mdatHead(mdatHead)]);
  }

  #mdatHead(length: number): Buffer {
    if (length === 8) return Buffer.concat([u32(this.#mediaBytes + 8), ascii('mdat')]);
    return Buffer.concat([u32(1), ascii('mdat'), u64(this.#mediaBytes + 16)]);
  }

  #moov(mediaAt: number, wide: boolean): Buffer {
    const tracks = this.#tracks.filter(({ isEmpty: empty }) => !empty);
    const begin = Math.min(...tracks.map((track) => track.begin));
    const duration = Math.max(0, ...tracks.map((track) => track.duration(begin)));
    return box(
      'moov',
      fullBox('mvhd', 1, 0, u64(0), u64(0), u32(MOVIE_TIMESCALE), u64(duration), u32(0x10000), u16(0x100, 0), u32(0, 0), MATRIX, u32(0, 0, 0, 0, 0, 0, this.#tracks.length + 1)), // prettier-ignore
      ...tracks.map((track) => track.box(begin, mediaAt, wide)),
    );
  }

  #pieceTrack(from: InitTrack): PieceTrack {
    const { handler, timescale, width, height } = from;
    let into = this.#tracks.find(({ options }) => options.handler === handler);
    if (!into) {
      into = new Mp4Track({ id: this.#tracks.length + 1, handler, timescale });
      this.#tracks.push(into);
    }
    if (handler === 'soun')
      return { target: into, source: from, entry: into.addEntry(from.entry), prefix: undefined };
    into.addVideoSize(width, height);
    this.#videoEntry ??= from.entry;
    this.#inBand ||= !this.#videoEntry.equals(from.entry);
    if (!this.#inBand)
      return { target: into, source: from, entry: into.addEntry(from.entry), prefix: undefined };
    // All sample entries get this type, because players reject two types in one track.
    into.renameEntries(readInBandType(from.entry));
    return {
      target: into,
      source: from,
      entry: into.addEntry(from.entry),
      prefix: readParameterSets(from.entry),
    };
  }

  get #end(): number {
    return Math.max(0, ...this.#tracks.filter(({ isEmpty: empty }) => !empty).map(({ end }) => end));
  }

  #beginOf(part: readonly PartTrack[]): number {
    return Math.min(
      ...part.map(({ track, start }) => start / (this.#piece.get(track)?.source.timescale ?? 1)),
    );
  }

  /**
   * Offset of a piece that begins with this part. A piece can end between frames that are not decoded in the order in which
   * they are shown; then the next one begins later, so that its first frame is shown after all of them.
   */
  #offsetOf(part: readonly PartTrack[]): number {
    const shownAt = part.flatMap(({ track, start, compositionOffsets: [lead = 0] }) => {
      const { handler, timescale } = this.#piece.get(track)?.source ?? { handler: '', timescale: 1 };
      return handler === 'vide' ? [(start + lead) / timescale] : [];
    });
    const atEnd = this.#end - this.#beginOf(part);
    const afterShown = Math.max(...shownAt.map((seconds) => this.#shownEnd - seconds), atEnd);
    return Math.min(afterShown, atEnd + MAX_PAUSE_SECONDS);
  }

  #addTrack(part: PartTrack, copies: MediaBytes[]): void {
    const piece = this.#piece.get(part.track);
    if (!piece) throw new Error(`The init segment does not name track ${part.track} of this part`);
    const { target, source, entry, prefix } = piece;
    const { timescale } = target.options;
    const shift = (this.#offset ?? 0) * timescale;
    const scale = timescale / source.timescale;
    const begin = this.#mediaBytes;
    let [dts, at] = [part.start, part.offset];
    part.sizes.forEach((size, index) => {
      const duration = part.durations[index] ?? 0;
      const key = part.keys[index] ?? true;
      const addedPrefix = key && prefix ? prefix : undefined;
      const compositionOffset = Math.round((part.compositionOffsets[index] ?? 0) * scale);
      const time = Math.round(dts * scale + shift);
      const lasts = Math.round(duration * scale);
      if (source.handler === 'vide')
        this.#shownEnd = Math.max(
          this.#shownEnd,
          (time + lasts) / timescale + Math.min(compositionOffset / timescale, MAX_PAUSE_SECONDS),
        );
      target.addSample(time, lasts, size + (addedPrefix?.length ?? 0), compositionOffset, key);
      if (addedPrefix) copies.push({ data: addedPrefix });
      addCopy(copies, at, size);
      this.#mediaBytes += size + (addedPrefix?.length ?? 0);
      dts += duration;
      at += size;
    });
    if (part.sizes.length > 0) target.addChunk(begin, part.sizes.length, entry);
  }
}

/** Adds a range to copy; a range that follows the last one extends it. */
function addCopy(copies: MediaBytes[], at: number, length: number): void {
  const last = copies.at(-1);
  if (last && 'at' in last && last.at + last.length === at) last.length += length;
  else copies.push({ at, length });
}
