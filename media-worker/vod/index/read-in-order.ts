import type { Payload } from '@/media-worker/media/cmaf/media-part';
import { type ByteSource, MovieError } from './byte-source';
import { sampleEntries } from './lay-out-video';

/** A range of the file, or of the bytes after the index. */
export interface FilePiece extends Payload {
  readonly entry: number;
  readonly offset: number;
}

export type Piece = Buffer | FilePiece;

/** Inclusive range of bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Parts that overlap a range of a segment, clipped to it. */
export interface RequestedParts {
  readonly parts: readonly (readonly Piece[])[];
  readonly skip: number;
  readonly bytes: number;
}

/** The range of the file that one read has to cover. */
export interface ReadPlan {
  readonly from: number;
  readonly until: number;
  /** For each part, the lowest position that this or a later part needs. */
  readonly neededFrom: readonly number[];
}

/** Maximum bytes in memory for one reader, in addition to its current part. */
const MAX_WINDOW_BYTES = 2 * 2 ** 20;
/** Maximum unneeded bytes in a read, as a fraction of the needed ones; such bytes belong to other tracks. */
const MAX_WASTE_FRACTION = 0.25;

const totalLength = (pieces: readonly Payload[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

export function selectParts(
  parts: readonly (readonly Piece[])[],
  range: ByteSpan | undefined,
): RequestedParts {
  if (!range) return { parts, skip: 0, bytes: parts.reduce((sum, part) => sum + totalLength(part), 0) };
  const requestedParts: (readonly Piece[])[] = [];
  let [at, skip] = [0, 0];
  for (const part of parts) {
    const end = at + totalLength(part);
    if (end > range.start && at <= range.end) {
      if (requestedParts.length === 0) skip = range.start - at;
      requestedParts.push(part);
    }
    at = end;
  }
  return { parts: requestedParts, skip, bytes: Math.min(range.end + 1, at) - range.start };
}

/**
 * Plans one read of the file for all parts.
 * @returns null if the tracks are too far apart to be read together
 */
export function planOrderedRead(parts: RequestedParts['parts']): ReadPlan | null {
  const spans = parts.map(spanOf);
  const neededFrom: number[] = [];
  let first = Infinity;
  for (let part = spans.length - 1; part >= 0; part--) {
    first = Math.min(first, spans[part]?.from ?? Infinity);
    neededFrom[part] = first;
  }
  let [until, bytes] = [0, 0];
  for (const [part, span] of spans.entries()) {
    until = Math.max(until, span.until);
    bytes += span.bytes;
    if (until - (neededFrom[part] ?? 0) > MAX_WINDOW_BYTES) return null;
  }
  const wastedBytes = until - first - bytes;
  if (bytes === 0 || wastedBytes > Math.max(bytes * MAX_WASTE_FRACTION, 64 * 1_024)) return null;
  return { from: first, until, neededFrom };
}

function spanOf(part: readonly Piece[]): { from: number; until: number; bytes: number } {
  let [from, until, bytes] = [Infinity, 0, 0];
  for (const piece of part) {
    if (Buffer.isBuffer(piece) || piece.entry !== sampleEntries.source) continue;
    from = Math.min(from, piece.offset);
    until = Math.max(until, piece.offset + piece.length);
    bytes += piece.length;
  }
  return { from, until, bytes };
}

interface OrderedSource {
  readonly stream: Required<ByteSource>['stream'];
  readonly readPiece: (piece: FilePiece) => Promise<Buffer>;
  readonly readPlan: ReadPlan;
}

/** Reads the file once from the first to the last piece, and yields one part after the other. */
export async function* readInOrder(
  { parts, skip, bytes }: RequestedParts,
  { stream, readPiece, readPlan }: OrderedSource,
): AsyncGenerator<Buffer> {
  const { from, until, neededFrom } = readPlan;
  const window = new Window(await stream(from, until - from), from);
  try {
    let bytesLeft = bytes;
    for (const [index, part] of parts.entries()) {
      window.release(neededFrom[index] ?? until);
      const data = await assemblePart(part, window, readPiece);
      const start = index === 0 ? skip : 0;
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

  constructor(source: AsyncIterable<Buffer>, at: number) {
    this.#source = source[Symbol.asyncIterator]();
    [this.#start, this.#end] = [at, at];
  }

  release(untilOffset: number): void {
    for (
      let [chunk] = this.#chunks;
      chunk && this.#start + chunk.length <= untilOffset;
      [chunk] = this.#chunks
    ) {
      this.#start += chunk.length;
      this.#chunks.shift();
    }
  }

  async copy({ offset, length }: FilePiece, into: Buffer, at: number): Promise<void> {
    while (this.#end < offset + length) await this.#readMore();
    let start = this.#start;
    for (const chunk of this.#chunks) {
      const from = Math.max(0, offset - start);
      const to = Math.min(chunk.length, offset + length - start);
      if (from < to) chunk.copy(into, at + start + from - offset, from, to);
      start += chunk.length;
      if (start >= offset + length) return;
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
