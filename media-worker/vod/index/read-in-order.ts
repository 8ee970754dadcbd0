import type { Payload } from '@/media-worker/media/cmaf/media-part';
import { type ByteSource, MovieError } from './byte-source';
import { sampleEntries } from './lay-out-video';

/** A range of bytes in the asset's file, or among the encoded frames after its index. */
export interface FilePiece extends Payload {
  /** Which of the two; see `sampleEntries`. */
  readonly entry: number;
  readonly offset: number;
}

/** Bytes of a segment: a header, which is generated, or media to be read. */
export type Piece = Buffer | FilePiece;

/** Inclusive range of bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Whole parts of a segment (each with its own `moof`) that overlap a requested range, and the position of the range in them. */
export interface RequestedParts {
  readonly parts: readonly (readonly Piece[])[];
  /** Bytes of the first part before the range. */
  readonly skippedBytes: number;
  /** Bytes of the range. */
  readonly bytes: number;
}

/** The range of the file that one read has to cover; `endOffset` is exclusive. */
export interface ReadPlan {
  readonly startOffset: number;
  readonly endOffset: number;
  /** For each part, the lowest position that this or a later part needs. */
  readonly lowestNeededOffsets: readonly number[];
}

/** Maximum bytes in memory for one reader, in addition to its current part. */
const MAX_WINDOW_BYTES = 2 * 2 ** 20;
/** Maximum unneeded bytes in a read, as a fraction of the needed ones; such bytes belong to other tracks. */
const MAX_WASTE_FRACTION = 0.25;
/** Unneeded bytes that are accepted in every read: another request would take longer. */
const ACCEPTED_WASTE_BYTES = 64 * 1_024;

/** The bytes of all pieces. */
const totalLength = (pieces: readonly Payload[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/** Selects the parts that overlap a range, or all parts. */
export function selectParts(
  parts: readonly (readonly Piece[])[],
  range: ByteSpan | undefined,
): RequestedParts {
  if (!range)
    return { parts, skippedBytes: 0, bytes: parts.reduce((sum, part) => sum + totalLength(part), 0) };
  const requestedParts: (readonly Piece[])[] = [];
  let [partStart, skippedBytes] = [0, 0];
  for (const part of parts) {
    const end = partStart + totalLength(part);
    if (end > range.start && partStart <= range.end) {
      if (requestedParts.length === 0) skippedBytes = range.start - partStart;
      requestedParts.push(part);
    }
    partStart = end;
  }
  return { parts: requestedParts, skippedBytes, bytes: Math.min(range.end + 1, partStart) - range.start };
}

/**
 * Plans one read of the file for all parts.
 * @returns null if the tracks are too far apart to be read together
 */
export function planOrderedRead(parts: RequestedParts['parts']): ReadPlan | null {
  const spans = parts.map(spanOf);
  const lowestNeededOffsets: number[] = [];
  let startOffset = Infinity;
  for (let part = spans.length - 1; part >= 0; part--) {
    startOffset = Math.min(startOffset, spans[part]?.startOffset ?? Infinity);
    lowestNeededOffsets[part] = startOffset;
  }
  let [endOffset, bytes] = [0, 0];
  for (const [part, span] of spans.entries()) {
    endOffset = Math.max(endOffset, span.endOffset);
    bytes += span.bytes;
    if (endOffset - (lowestNeededOffsets[part] ?? 0) > MAX_WINDOW_BYTES) return null;
  }
  const wastedBytes = endOffset - startOffset - bytes;
  if (bytes === 0 || wastedBytes > Math.max(bytes * MAX_WASTE_FRACTION, ACCEPTED_WASTE_BYTES)) return null;
  return { startOffset, endOffset, lowestNeededOffsets };
}

/** The range of the file that contains the pieces of a part, and the bytes of these pieces. */
function spanOf(part: readonly Piece[]): { startOffset: number; endOffset: number; bytes: number } {
  let [startOffset, endOffset, bytes] = [Infinity, 0, 0];
  for (const piece of part) {
    if (Buffer.isBuffer(piece) || piece.entry !== sampleEntries.source) continue;
    startOffset = Math.min(startOffset, piece.offset);
    endOffset = Math.max(endOffset, piece.offset + piece.length);
    bytes += piece.length;
  }
  return { startOffset, endOffset, bytes };
}

interface OrderedSource {
  readonly stream: Required<ByteSource>['stream'];
  readonly readPiece: (piece: FilePiece) => Promise<Buffer>;
  readonly readPlan: ReadPlan;
}

/** Reads the file once from the first to the last piece, and yields one part after the other. */
export async function* readInOrder(
  { parts, skippedBytes, bytes }: RequestedParts,
  { stream, readPiece, readPlan }: OrderedSource,
): AsyncGenerator<Buffer> {
  const { startOffset, endOffset, lowestNeededOffsets } = readPlan;
  const window = new Window(await stream(startOffset, endOffset - startOffset), startOffset);
  try {
    let bytesLeft = bytes;
    for (const [index, part] of parts.entries()) {
      window.release(lowestNeededOffsets[index] ?? endOffset);
      const data = await assemblePart(part, window, readPiece);
      const start = index === 0 ? skippedBytes : 0;
      const chunk = data.subarray(start, start + bytesLeft);
      bytesLeft -= chunk.length;
      yield chunk;
    }
  } finally {
    await window.close();
  }
}

async function assemblePart(
  part: readonly Piece[],
  window: Window,
  readPiece: OrderedSource['readPiece'],
): Promise<Buffer> {
  const data = Buffer.allocUnsafe(totalLength(part));
  let offset = 0;
  for (const piece of part) {
    if (Buffer.isBuffer(piece)) piece.copy(data, offset);
    else if (piece.entry === sampleEntries.source) await window.copy(piece, data, offset);
    else (await readPiece(piece)).copy(data, offset);
    offset += piece.length;
  }
  return data;
}

/** Bytes that were read and may be needed again. */
class Window {
  readonly #source: AsyncIterator<Buffer>;
  readonly #chunks: Buffer[] = [];
  #start: number;
  #end: number;

  constructor(source: AsyncIterable<Buffer>, startOffset: number) {
    this.#source = source[Symbol.asyncIterator]();
    [this.#start, this.#end] = [startOffset, startOffset];
  }

  /** Frees bytes before a position in the file. */
  release(neededOffset: number): void {
    for (
      let [chunk] = this.#chunks;
      chunk && this.#start + chunk.length <= neededOffset;
      [chunk] = this.#chunks
    ) {
      this.#start += chunk.length;
      this.#chunks.shift();
    }
  }

  /**
   * Copies a piece to a buffer, and reads more of the file if needed.
   * @throws MovieError if the file ends before the piece
   */
  async copy({ offset, length }: FilePiece, into: Buffer, targetOffset: number): Promise<void> {
    while (this.#end < offset + length) await this.#readMore();
    let chunkStart = this.#start;
    for (const chunk of this.#chunks) {
      const from = Math.max(0, offset - chunkStart);
      const to = Math.min(chunk.length, offset + length - chunkStart);
      if (from < to) chunk.copy(into, targetOffset + chunkStart + from - offset, from, to);
      chunkStart += chunk.length;
      if (chunkStart >= offset + length) return;
    }
  }

  async #readMore(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) throw new MovieError('it is shorter than in its index');
    this.#chunks.push(next.value);
    this.#end += next.value.length;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
