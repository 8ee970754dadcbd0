import { ascii, box, fullBox, u16, u32 } from './boxes';
import { MOVIE_TIMESCALE, Mp4Track, u64 } from './mp4-track';
import { readEntryType, readInBandType, readParameterSets, type InitTrack } from './read-init';
import type { PartTrack } from './read-part';

/** The display matrix that changes nothing. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Longest pause before a period. A wrong composition offset of an encoder can be hours. */
const MAX_PAUSE_SECONDS = 0.5;

/** Consecutive bytes of the MP4's media: a slice of the added part (offset and length in bytes), or new bytes. */
export type MediaSlice = { readonly offset: number; length: number } | { readonly data: Buffer };

/** A track of the current period. */
interface PeriodTrack {
  /** The track of the MP4 to which its samples are added. */
  readonly movieTrack: Mp4Track;
  /** Index of its sample entry in `movieTrack`. */
  readonly entryIndex: number;
  readonly initTrack: InitTrack;
  /** Parameter sets before every keyframe, for players that read only the first sample entry. */
  readonly parameterSets: Buffer | undefined;
}

/**
 * Builds an MP4 with its index first from CMAF parts without changing a sample (ISO/IEC 14496-12). Consecutive
 * parts form a period; a new period begins where the previous one ends, with one offset for both tracks, so video
 * and audio stay in sync to a tick. The builder keeps only the sample tables: the caller copies the media afterwards,
 * in the same order.
 */
export class Mp4Builder {
  readonly #tracks: Mp4Track[] = [];
  /** By track number. */
  #periodTracks: ReadonlyMap<number, PeriodTrack> = new Map();
  /** Offset from decode times of the period to those of the movie, seconds; set by its first part. */
  #offsetSeconds: number | undefined;
  /** End of the last frame in display order, seconds of the movie. */
  #lastFrameEndSeconds = -Infinity;
  #mediaBytes = 0;
  /** Whether the video configuration has changed. Samples added after that contain parameter sets. */
  #hasInBandParameterSets = false;
  /** Sample entry of the first video configuration. */
  #videoEntry: Buffer | undefined;

  /** Starts a period, whose parts decode with this init segment, at the end of the movie so far. */
  startPeriod(init: readonly InitTrack[]): void {
    this.#offsetSeconds = undefined;
    this.#periodTracks = new Map(
      init.map((initTrack) => [initTrack.track, this.#createPeriodTrack(initTrack)]),
    );
  }

  /**
   * Adds the samples of one part.
   * @returns the slices to copy, in order; offsets count from the first byte of the part's `moof`
   */
  addPart(part: readonly PartTrack[]): MediaSlice[] {
    const slices: MediaSlice[] = [];
    this.#offsetSeconds ??= this.#offsetSecondsOf(part);
    for (const track of part) this.#addTrack(track, slices);
    return slices;
  }

  /** Number of media bytes after the header. */
  get mediaBytes(): number {
    return this.#mediaBytes;
  }

  /** The bytes of the file before the media. */
  header(): Buffer {
    const avc = this.#videoEntry && readEntryType(this.#videoEntry) === 'avc1' ? 'avc1' : '';
    const ftyp = box('ftyp', ascii('isom'), u32(0x200), ascii(`isomiso2${avc}mp41`));
    const mdatHeadBytes = this.#mediaBytes + 16 > 0xffffffff ? 16 : 8;
    const size = ftyp.length + this.#moov(0, false).length + mdatHeadBytes;
    const has64BitOffsets = size + this.#mediaBytes > 0xffffffff;
    const mediaOffset = has64BitOffsets ? ftyp.length + this.#moov(0, true).length + mdatHeadBytes : size;
    return Buffer.concat([ftyp, this.#moov(mediaOffset, has64BitOffsets), this.#mdatHead(mdatHeadBytes)]);
  }

  #mdatHead(length: number): Buffer {
    if (length === 8) return Buffer.concat([u32(this.#mediaBytes + 8), ascii('mdat')]);
    return Buffer.concat([u32(1), ascii('mdat'), u64(this.#mediaBytes + 16)]);
  }

  #moov(mediaOffset: number, has64BitOffsets: boolean): Buffer {
    const tracks = this.#tracks.filter(({ isEmpty }) => !isEmpty);
    const movieStartSeconds = Math.min(...tracks.map((track) => track.startSeconds));
    const durationTicks = Math.max(0, ...tracks.map((track) => track.durationTicks(movieStartSeconds)));
    return box(
      'moov',
      fullBox('mvhd', 1, 0, u64(0), u64(0), u32(MOVIE_TIMESCALE), u64(durationTicks), u32(0x10000), u16(0x100, 0), u32(0, 0), MATRIX, u32(0, 0, 0, 0, 0, 0, this.#tracks.length + 1)), // prettier-ignore
      ...tracks.map((track) => track.box(movieStartSeconds, mediaOffset, has64BitOffsets)),
    );
  }

  #createPeriodTrack(initTrack: InitTrack): PeriodTrack {
    const { handler, timescale, width, height } = initTrack;
    let movieTrack = this.#tracks.find(({ options }) => options.handler === handler);
    if (!movieTrack) {
      movieTrack = new Mp4Track({ id: this.#tracks.length + 1, handler, timescale });
      this.#tracks.push(movieTrack);
    }
    if (handler === 'soun')
      return {
        movieTrack,
        initTrack,
        entryIndex: movieTrack.addEntry(initTrack.entry),
        parameterSets: undefined,
      };
    movieTrack.addVideoSize(width, height);
    this.#videoEntry ??= initTrack.entry;
    this.#hasInBandParameterSets ||= !this.#videoEntry.equals(initTrack.entry);
    if (!this.#hasInBandParameterSets)
      return {
        movieTrack,
        initTrack,
        entryIndex: movieTrack.addEntry(initTrack.entry),
        parameterSets: undefined,
      };
    // All sample entries get this type, because players reject two types in one track.
    movieTrack.renameEntries(readInBandType(initTrack.entry));
    return {
      movieTrack,
      initTrack,
      entryIndex: movieTrack.addEntry(initTrack.entry),
      parameterSets: readParameterSets(initTrack.entry),
    };
  }

  get #endSeconds(): number {
    return Math.max(0, ...this.#tracks.filter(({ isEmpty }) => !isEmpty).map(({ endSeconds }) => endSeconds));
  }

  #startSecondsOf(part: readonly PartTrack[]): number {
    return Math.min(
      ...part.map(({ track, start }) => start / (this.#periodTracks.get(track)?.initTrack.timescale ?? 1)),
    );
  }

  /**
   * Offset of a period that begins with this part. A period can end between frames whose decode order is not their display
   * order; then the next period begins later, so that its first frame is displayed after all of them.
   */
  #offsetSecondsOf(part: readonly PartTrack[]): number {
    const presentationSeconds = part.flatMap(({ track, start, compositionOffsets: [lead = 0] }) => {
      const { handler, timescale } = this.#periodTracks.get(track)?.initTrack ?? {
        handler: '',
        timescale: 1,
      };
      return handler === 'vide' ? [(start + lead) / timescale] : [];
    });
    const decodeOffset = this.#endSeconds - this.#startSecondsOf(part);
    const displayOffset = Math.max(
      ...presentationSeconds.map((seconds) => this.#lastFrameEndSeconds - seconds),
      decodeOffset,
    );
    return Math.min(displayOffset, decodeOffset + MAX_PAUSE_SECONDS);
  }

  #addTrack(part: PartTrack, slices: MediaSlice[]): void {
    const periodTrack = this.#periodTracks.get(part.track);
    if (!periodTrack) throw new Error(`The init segment does not name track ${part.track} of this part`);
    const { movieTrack, initTrack, entryIndex, parameterSets } = periodTrack;
    const { timescale } = movieTrack.options;
    const offsetTicks = (this.#offsetSeconds ?? 0) * timescale;
    const scale = timescale / initTrack.timescale;
    const chunkOffset = this.#mediaBytes;
    let [dts, sampleOffset] = [part.start, part.offset];
    part.sizes.forEach((size, index) => {
      const duration = part.durations[index] ?? 0;
      const key = part.keys[index] ?? true;
      const addedSets = key ? parameterSets : undefined;
      const compositionOffset = Math.round((part.compositionOffsets[index] ?? 0) * scale);
      const movieDts = Math.round(dts * scale + offsetTicks);
      const movieDuration = Math.round(duration * scale);
      if (initTrack.handler === 'vide')
        this.#lastFrameEndSeconds = Math.max(
          this.#lastFrameEndSeconds,
          (movieDts + movieDuration) / timescale + Math.min(compositionOffset / timescale, MAX_PAUSE_SECONDS),
        );
      const movieBytes = size + (addedSets?.length ?? 0);
      movieTrack.addSample(movieDts, movieDuration, movieBytes, compositionOffset, key);
      if (addedSets) slices.push({ data: addedSets });
      addSlice(slices, sampleOffset, size);
      this.#mediaBytes += movieBytes;
      dts += duration;
      sampleOffset += size;
    });
    if (part.sizes.length > 0) movieTrack.addChunk(chunkOffset, part.sizes.length, entryIndex);
  }
}

/** Adds a slice to copy; a slice that follows the last one in the part extends it. */
function addSlice(slices: MediaSlice[], offset: number, length: number): void {
  const last = slices.at(-1);
  if (last && 'offset' in last && last.offset + last.length === offset) last.length += length;
  else slices.push({ offset, length });
}
