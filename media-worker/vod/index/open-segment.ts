import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import { buildMediaPart } from '@/media-worker/media/cmaf/media-part';
import { type ByteSource, MovieError } from './byte-source';
import { sampleEntries } from './lay-out-video';
import {
  type ByteSpan,
  type FilePiece,
  type Piece,
  selectParts,
  planOrderedRead,
  readInOrder,
} from './read-in-order';
import type { SampleList } from './sample-list';
import { type Span, splitIntoParts } from './segment-parts';
import { type IndexHead, type StoredPeriod } from './stored-index';
import { type SegmentLines, readLines } from './stored-lines';

export interface IndexedFile {
  /** The asset's file. */
  readonly file: ByteSource;
  readonly index: ByteSource;
  readonly head: IndexHead;
}

/** A segment before its media is read. */
export interface OpenedSegment {
  /** Bytes of the whole segment. */
  readonly length: number;
  /**
   * Reads the media in pieces while it is sent.
   * @param range range of the segment, inclusive
   */
  readonly body: (range?: ByteSpan) => AsyncGenerator<Buffer>;
}

/** Maximum bytes in memory for one reader, as for a stored file. */
const PIECE_BYTES = 256 * 1_024;
/** Maximum number of parts of a segment: sequence numbers must increase between segments. */
const MAX_PARTS = 1_000;
/**
 * Maximum unneeded bytes in one read: up to this number, reading them is faster than another request to object
 * storage.
 */
const MAX_WASTED_BYTES = 64 * 1_024;

/**
 * Opens a segment of an indexed asset.
 * @returns null if there is no such segment
 * @throws IndexError if the index is damaged
 */
export async function openSegment(
  { file, index, head }: IndexedFile,
  number: number,
): Promise<OpenedSegment | null> {
  const segment = head.segments[number];
  if (!segment) return null;
  const parts = createPieces(head.periods[segment.period], await readLines(index, segment), number);
  return openPieces({ file, index, head }, parts);
}

/** Opens media in the order of its parts. A part may begin with a header. */
export function openPieces(
  { file, index, head }: IndexedFile,
  parts: readonly (readonly Piece[])[],
): OpenedSegment {
  const pieces = joinPieces(parts.flat());
  const readPiece = ({ entry, offset, length }: FilePiece) =>
    entry === sampleEntries.source ? file.read(offset, length) : index.read(head.encodedAt + offset, length);
  return {
    length: pieces.reduce((sum, { length }) => sum + length, 0),
    body(range) {
      const requestedParts = selectParts(parts, range);
      const readPlan = file.stream ? planOrderedRead(requestedParts.parts) : null;
      return readPlan && file.stream
        ? readInOrder(requestedParts, { stream: file.stream, readPiece, readPlan })
        : readPieces(range ? clipPieces(pieces, range) : pieces, readPiece);
    },
  };
}

/** Creates the pieces of each part: headers, and ranges of the file or the index. */
function createPieces(period: StoredPeriod | undefined, lines: SegmentLines, number: number): Piece[][] {
  const wholeSpan = (list: SampleList) => ({ first: 0, end: list.count });
  const spans = { video: wholeSpan(lines.video), audio: wholeSpan(lines.audio) };
  const parts = splitIntoParts(timedTracks(period, lines), spans);
  return parts.map((part, index) =>
    buildMediaPart<FilePiece>({
      sequence: number * MAX_PARTS + index + 1,
      video: samplesOf(lines.video, part.video),
      audio: samplesOf(lines.audio, part.audio),
    }),
  );
}

/** The samples of one segment with their timescales. */
export function timedTracks(period: StoredPeriod | undefined, { video, audio }: SegmentLines) {
  const config = period?.audio && parseAacConfig(period.audio.record);
  return {
    video: { samples: video, timescale: VIDEO_TIMESCALE },
    audio: config && { samples: audio, timescale: config.timescale },
  };
}

/** The samples of a span as a part contains them. */
export function samplesOf(list: SampleList, { first, end }: Span) {
  if (end === first) return undefined;
  const samples = Array.from({ length: end - first }, (_, index) => {
    const sample = first + index;
    return {
      data: {
        entry: list.entry[sample] ?? 0,
        offset: list.offset[sample] ?? 0,
        length: list.size[sample] ?? 0,
      },
      duration: list.duration[sample] ?? 0,
      compositionOffset: list.shift[sample] ?? 0,
      key: list.key[sample] === 1,
    };
  });
  return { start: list.dts[first] ?? 0, samples };
}

function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joinedPieces: Piece[] = [];
  for (const piece of pieces) {
    const last = joinedPieces.at(-1);
    const isAdjacent =
      last && !Buffer.isBuffer(last) && !Buffer.isBuffer(piece) && last.entry === piece.entry &&
      last.offset + last.length === piece.offset; // prettier-ignore
    if (isAdjacent) joinedPieces.splice(-1, 1, { ...last, length: last.length + piece.length });
    else joinedPieces.push(piece);
  }
  return joinedPieces;
}

/** The pieces within a range of the segment. */
function clipPieces(pieces: readonly Piece[], { start, end }: ByteSpan): Piece[] {
  const clippedPieces: Piece[] = [];
  let pieceStart = 0;
  for (const piece of pieces) {
    const skippedBytes = Math.max(0, start - pieceStart);
    const length = Math.min(piece.length, end + 1 - pieceStart) - skippedBytes;
    pieceStart += piece.length;
    if (length <= 0) continue;
    if (Buffer.isBuffer(piece)) clippedPieces.push(piece.subarray(skippedBytes, skippedBytes + length));
    else clippedPieces.push({ ...piece, offset: piece.offset + skippedBytes, length });
  }
  return clippedPieces;
}

type ReadPiece = (piece: FilePiece) => Promise<Buffer>;

async function* readPieces(pieces: readonly Piece[], readPiece: ReadPiece): AsyncGenerator<Buffer> {
  for (let index = 0; index < pieces.length;) {
    const piece = pieces[index];
    if (piece === undefined || Buffer.isBuffer(piece)) {
      if (piece) yield piece;
      index += 1;
      continue;
    }
    const group = groupPieces(pieces, index, piece);
    index += group.length;
    yield* readGroup(group, readPiece);
  }
}

/** Pieces fetched by one read, because they are close together in the file. */
function groupPieces(pieces: readonly Piece[], firstIndex: number, first: FilePiece): FilePiece[] {
  const group = [first];
  let end = first.offset + first.length;
  let unusedBytes = 0;
  for (const piece of pieces.slice(firstIndex + 1)) {
    if (Buffer.isBuffer(piece) || piece.entry !== first.entry || piece.offset < end) break;
    unusedBytes += piece.offset - end;
    end = piece.offset + piece.length;
    if (unusedBytes > MAX_WASTED_BYTES || end - first.offset > PIECE_BYTES) break;
    group.push(piece);
  }
  return group;
}

async function* readGroup(group: readonly FilePiece[], readPiece: ReadPiece): AsyncGenerator<Buffer> {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return;
  if (group.length === 1) {
    for (let doneBytes = 0; doneBytes < first.length; doneBytes += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, first.length - doneBytes);
      yield checkLength(await readPiece({ ...first, offset: first.offset + doneBytes, length }), length);
    }
    return;
  }
  const length = last.offset + last.length - first.offset;
  const data = checkLength(await readPiece({ ...first, length }), length);
  yield Buffer.concat(
    group.map(({ offset, length: bytes }) =>
      data.subarray(offset - first.offset, offset - first.offset + bytes),
    ),
  );
}

function checkLength(data: Buffer, length: number): Buffer {
  if (data.length < length) throw new MovieError('it is shorter than in its index');
  return data;
}
