import type { Edit } from '@/lib/core/media/presented-ranges';
import { BoxView } from './box-view';
import { type ByteSource, MovieError } from './byte-source';
import { type FragmentedTrack, type SampleDefaults, readDefaults, readFragment } from './read-fragment';
import { type SampleEntry, readEntries } from './read-entry';
import { type SampleBudget, SampleList, MAX_SAMPLES } from './sample-list';
import { readSampleTable } from './sample-tables';

export interface MovieTrack {
  readonly id: number;
  /** Handler type: `vide` or `soun`. */
  readonly handler: string;
  readonly isEnabled: boolean;
  /** Ticks per second. */
  readonly timescale: number;
  /** Display matrix, nine numbers (ISO/IEC 14496-12 §8.3.2). */
  readonly matrix: readonly number[];
  readonly entries: readonly SampleEntry[];
  /** Whether all media of the track is in this file. */
  readonly isSelfContained: boolean;
  readonly edits: readonly Edit[];
  readonly samples: SampleList;
}

export interface Movie {
  /** Ticks per second for the durations of edits. */
  readonly timescale: number;
  /** Video and audio tracks. */
  readonly tracks: readonly MovieTrack[];
}

/** Maximum number of boxes: a day of one-second fragments has two each. */
const MAX_BOXES = 200_000;
const MAX_TRACKS = 256;
const MAX_EDITS = 10_000;
/** Maximum size of the `moov` box; that of 12 hours at 120 frames per second takes half of this. */
const MAX_MOOV_BYTES = 128 * 2 ** 20;
const MAX_FRAGMENT_BYTES = 16 * 2 ** 20;
/** Half of a 64-bit duration, or a whole 32-bit one, that says "unknown". */
const UNKNOWN_32 = 0xffffffff;

/** Position and size of a top-level box in the file, bytes. */
interface FoundBox {
  readonly type: string;
  readonly offset: number;
  readonly headBytes: number;
  readonly size: number;
}

/**
 * Reads the tables of an MP4 or QuickTime file, without the media. Counts are checked against the bytes that contain
 * them before memory is allocated.
 * @throws MovieError if the tables contradict each other or the file
 */
export async function readMovie(source: ByteSource): Promise<Movie> {
  const boxes = await readTopBoxes(source);
  const moovBox = boxes.find(({ type }) => type === 'moov');
  if (!moovBox) throw new MovieError('its index (the moov box) is missing');
  const moov = await readContent(source, moovBox, MAX_MOOV_BYTES);
  const budget = { samples: MAX_SAMPLES, fileSize: source.size };
  const tracks = readTracks(moov, budget);
  await readFragments(source, boxes, { moov, tracks });
  return { timescale: timescaleOf(moov.descendant('mvhd')), tracks };
}

/** The top-level boxes of a file, up to the first invalid one: cameras append their own data. */
async function readTopBoxes(source: ByteSource): Promise<FoundBox[]> {
  const boxes: FoundBox[] = [];
  for (let offset = 0; offset + 8 <= source.size && boxes.length < MAX_BOXES;) {
    const header = new BoxView('header', await source.read(offset, 16));
    const size32 = header.u32(0);
    const is64Bit = size32 === 1 && header.length === 16;
    // No box is this large: the bytes are other data.
    if (is64Bit && header.u32(8) >= 2 ** 21) break;
    const size = size32 === 0 ? source.size - offset : is64Bit ? header.u64(8) : size32;
    const headBytes = is64Bit ? 16 : 8;
    if (size < headBytes) break;
    boxes.push({ type: header.text(4, 4), offset, headBytes, size });
    offset += size;
  }
  return boxes;
}

async function readContent(
  source: ByteSource,
  { type, offset, headBytes, size }: FoundBox,
  maxBytes: number,
): Promise<BoxView> {
  if (offset + size > source.size) throw new MovieError(`its box ${type} is truncated`);
  if (size > maxBytes) throw new MovieError(`its box ${type} is larger than ${maxBytes / 2 ** 20} MiB`);
  const data = await source.read(offset + headBytes, size - headBytes);
  if (data.length < size - headBytes) throw new MovieError(`its box ${type} is truncated`);
  return new BoxView(type, data);
}

function timescaleOf(header: BoxView): number {
  const timescale = header.u32(header.u8(0) === 1 ? 20 : 12);
  if (timescale === 0) throw new MovieError(`its box ${header.type} has no timescale`);
  return timescale;
}

/** The duration in a track's `mdhd` box, ticks; 0 if it is unknown. Version 1 of many boxes has 64-bit fields. */
function durationOf(mdhd: BoxView): number {
  const is64Bit = mdhd.u8(0) === 1;
  return readDuration(mdhd, is64Bit ? 24 : 16, is64Bit);
}

/** A duration of 32 or 64 bits, ticks; 0 if the box says that it is unknown, by ones in all bits. */
function readDuration(box: BoxView, offset: number, is64Bit: boolean): number {
  const isUnknown = box.u32(offset) === UNKNOWN_32 && (!is64Bit || box.u32(offset + 4) === UNKNOWN_32);
  return isUnknown ? 0 : is64Bit ? box.u64(offset) : box.u32(offset);
}

/**
 * Reads the video and audio tracks. An invalid track is ignored if a valid one of its kind precedes it, because then it is not
 * played.
 * @throws MovieError
 */
function readTracks(moov: BoxView, budget: SampleBudget): MovieTrack[] {
  const traks = [...moov.children()].filter(({ type }) => type === 'trak').slice(0, MAX_TRACKS);
  const tracks: MovieTrack[] = [];
  for (const trak of traks) {
    const handler = handlerOf(trak);
    // Time codes, sensors and texts are not played.
    if (handler !== 'vide' && handler !== 'soun') continue;
    try {
      const track = readTrack(trak, handler, new SampleList(budget));
      if (track) tracks.push(track);
    } catch (error) {
      const isPlayedBefore = tracks.some((track) => track.handler === handler && track.samples.count > 0);
      if (!(error instanceof MovieError && isPlayedBefore)) throw error;
    }
  }
  return tracks;
}

/** The handler type of a track; undefined if it is not stated. */
function handlerOf(trak: BoxView): string | undefined {
  const hdlr = trak.findChild('mdia')?.findChild('hdlr');
  return hdlr && hdlr.length >= 12 ? hdlr.text(8, 4) : undefined;
}

/** @returns undefined for a track without a sample table */
function readTrack(trak: BoxView, handler: string, samples: SampleList): MovieTrack | undefined {
  const mdia = trak.findChild('mdia');
  const stbl = mdia?.findChild('minf')?.findChild('stbl');
  if (!mdia || !stbl) return undefined;
  const tkhd = trak.descendant('tkhd');
  const is64Bit = tkhd.u8(0) === 1;
  readSampleTable(stbl, samples);
  const mdhd = mdia.descendant('mdhd');
  samples.completeDurations(durationOf(mdhd));
  const matrixOffset = is64Bit ? 52 : 40;
  return {
    id: tkhd.u32(is64Bit ? 20 : 12),
    handler,
    isEnabled: (tkhd.u24(1) & 1) === 1,
    timescale: timescaleOf(mdhd),
    matrix: Array.from({ length: 9 }, (_, index) => tkhd.i32(matrixOffset + index * 4)),
    entries: readEntries(stbl.descendant('stsd')),
    isSelfContained: isSelfContained(mdia.findChild('minf')?.findChild('dinf')?.findChild('dref')),
    edits: readEdits(trak.findChild('edts')?.findChild('elst')),
    samples,
  };
}

/** Whether all data references have the flag that says that the media is in this file (ISO/IEC 14496-12 §8.7.2). */
function isSelfContained(dref: BoxView | undefined): boolean {
  if (!dref) return true;
  return [...dref.children(8)].every((reference) => reference.length >= 4 && (reference.u24(1) & 1) === 1);
}

function readEdits(elst: BoxView | undefined): Edit[] {
  if (!elst) return [];
  const is64Bit = elst.u8(0) === 1;
  const entryBytes = is64Bit ? 20 : 12;
  const count = elst.count(4, entryBytes);
  if (count > MAX_EDITS) throw new MovieError(`a track has more than ${MAX_EDITS} edits`);
  return Array.from({ length: count }, (_, index) => {
    const entryOffset = 8 + index * entryBytes;
    const rateOffset = entryOffset + entryBytes - 4;
    return {
      duration: readDuration(elst, entryOffset, is64Bit),
      mediaTime: is64Bit ? elst.i64(entryOffset + 8) : elst.i32(entryOffset + 4),
      rate: elst.i32(rateOffset) / 0x10000,
    };
  });
}

interface FragmentedMovie {
  readonly moov: BoxView;
  readonly tracks: readonly MovieTrack[];
}

async function readFragments(
  source: ByteSource,
  boxes: readonly FoundBox[],
  { moov, tracks }: FragmentedMovie,
): Promise<void> {
  const moofs = boxes.filter(({ type }) => type === 'moof');
  if (moofs.length === 0) return;
  const defaults = new Map<number, SampleDefaults>();
  for (const trex of moov.findChild('mvex')?.children() ?? [])
    if (trex.type === 'trex') defaults.set(trex.u32(4), readDefaults(trex));
  const noDefaults = { entry: 0, duration: 0, size: 0, flags: 0 };
  const tracksById = new Map<number, FragmentedTrack>();
  for (const { id, samples } of tracks)
    tracksById.set(id, { samples, defaults: defaults.get(id) ?? noDefaults });
  for (const moof of moofs) {
    const isComplete = moof.offset + moof.size <= source.size;
    if (!isComplete) break;
    // The media of the last fragment is cut off if the recorder crashed.
    const fragmentContext = { moofOffset: moof.offset, mayBeCutOff: moof === moofs.at(-1) };
    const content = await readContent(source, moof, MAX_FRAGMENT_BYTES);
    readFragment(content, fragmentContext, (id) => tracksById.get(id));
  }
  for (const { samples } of tracksById.values()) samples.completeDurations(0);
  removeStartOffset(tracks);
}

/** Shortest time before all tracks, in seconds, that is an offset of the clock and no delay of a track. */
const MIN_START_OFFSET_SECONDS = 1;

/**
 * Moves all tracks so that the first one starts at 0. Saved live streams keep the decode times of their broadcast, which
 * can have lasted for days. Nothing is moved if an edit list refers to these times.
 */
function removeStartOffset(tracks: readonly MovieTrack[]): void {
  const filledTracks = tracks.filter(({ samples }) => samples.count > 0);
  const secondsOf = ({ timescale }: MovieTrack, ticks: number) => ticks / timescale;
  const offset = Math.min(...filledTracks.map((track) => secondsOf(track, track.samples.dts[0] ?? 0)));
  const editTimes = filledTracks.flatMap((track) =>
    track.edits.map(({ mediaTime }) => secondsOf(track, mediaTime)),
  );
  if (offset < MIN_START_OFFSET_SECONDS || editTimes.some((seconds) => seconds >= offset)) return;
  for (const { samples, timescale } of filledTracks) samples.moveBy(-Math.round(offset * timescale));
}
