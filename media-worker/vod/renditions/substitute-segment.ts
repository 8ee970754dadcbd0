import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { assetKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import type { StoredObject } from '@/lib/infra/storage/storage-driver';
import { type FileRange, type FoundMoof, locateSamples } from '@/media-worker/media/cmaf/read-segment';
import { substituteSegment } from '@/media-worker/media/cmaf/rendition-segment';
import { periodOfFile, type RenditionSource } from './rendition-source';

type Reads = Pick<StorageDriver, 'head' | 'read'>;

/** Bytes per read while boxes are searched; a `moof` of a few seconds is smaller. */
const HEAD_BYTES = 64 * 1024;
const MAX_MOOF_BYTES = 4 * 2 ** 20;
const MAX_MOOFS = 1_000;
/** Largest gap between two parts that is read and skipped, which is cheaper than a second read. */
const MAX_GAP_BYTES = 64 * 1024;

/** Bytes that are read while they are sent. */
interface OpenBytes {
  readonly bytes: number;
  readonly open: () => Promise<Readable>;
}

/**
 * Opens the source's segment in place of a rendition's segment (see `substituteSegment`). Only its `moof` boxes are
 * in memory: however large the segment is and however slowly it is sent, it takes no more memory than a stored file.
 * @throws Error if the segment is not stored, or invalid
 */
export async function openSubstitute(
  storage: Reads,
  source: RenditionSource,
  uri: string,
): Promise<OpenBytes> {
  const { filesId } = source;
  const { init, entry } = periodOfFile(source, uri);
  const key = assetKey(filesId, `hls/source/${uri}`);
  const object = await storage.head(key);
  if (!object) throw new Error(`Segment ${uri} of the files ${filesId} cannot be read`);
  const readRange = (start: number, length: number) => readPart(storage, key, { offset: start, length });
  const media = locateSamples(await findMoofs(readRange, object.bytes), object.bytes, init);
  const pieces = mergePieces(substituteSegment(media, entry));
  return {
    bytes: pieces.reduce((sum, { length }) => sum + length, 0),
    open: () => Promise.resolve(Readable.from(readPieces(storage, object, pieces), { objectMode: false })),
  };
}

/**
 * Finds the `moof` boxes of a segment.
 * @param length bytes of the segment
 */
async function findMoofs(
  readRange: (start: number, length: number) => Promise<Buffer>,
  length: number,
): Promise<FoundMoof[]> {
  const moofs: FoundMoof[] = [];
  let moofBytes = 0;
  for (let readStart = 0; readStart < length;) {
    const head = await readRange(readStart, Math.min(HEAD_BYTES, length - readStart));
    // Continues with all boxes that begin in these bytes.
    let offset = 0;
    for (; offset + 8 <= head.length; offset += head.readUInt32BE(offset)) {
      const size = head.readUInt32BE(offset);
      if (size < 8 || readStart + offset + size > length)
        throw new Error(`Box at ${readStart + offset} is truncated`);
      if (head.toString('latin1', offset + 4, offset + 8) !== 'moof') continue;
      const isRead = offset + size <= head.length;
      if ((moofBytes += size) > MAX_MOOF_BYTES || moofs.length === MAX_MOOFS)
        throw new Error('Too many boxes');
      const box = isRead ? head.subarray(offset, offset + size) : await readRange(readStart + offset, size);
      moofs.push({ offset: readStart + offset, box });
    }
    if (offset === 0) throw new Error(`Box at ${readStart} is truncated`);
    readStart += offset;
  }
  return moofs;
}

async function readPart(storage: Reads, key: string, { offset, length }: FileRange): Promise<Buffer> {
  const source = await storage.read(key, { start: offset, end: offset + length - 1 });
  const bytes = source && (await buffer(source));
  if (bytes?.length !== length) throw new Error(`The file ${key} is shorter than before`);
  return bytes;
}

/** Merges parts that follow each other in the file. */
function mergePieces(pieces: readonly (Buffer | FileRange)[]): (Buffer | FileRange)[] {
  const mergedPieces: (Buffer | FileRange)[] = [];
  for (const piece of pieces) {
    const last = mergedPieces.at(-1);
    if (piece.length === 0) continue;
    if (last && isPart(last) && isPart(piece) && last.offset + last.length === piece.offset)
      mergedPieces[mergedPieces.length - 1] = { offset: last.offset, length: last.length + piece.length };
    else mergedPieces.push(piece);
  }
  return mergedPieces;
}

const isPart = (piece: Buffer | FileRange): piece is FileRange => !Buffer.isBuffer(piece);

async function* readPieces(
  storage: Reads,
  file: Pick<StoredObject, 'key' | 'bytes'>,
  pieces: readonly (Buffer | FileRange)[],
): AsyncGenerator<Buffer> {
  const cursor = new FileCursor(storage, file);
  try {
    for (const piece of pieces) {
      if (isPart(piece)) yield* cursor.read(piece);
      else yield piece;
    }
  } finally {
    cursor.close();
  }
}

/** Reads parts of a file that mostly follow each other, with one storage request per jump. */
class FileCursor {
  readonly #storage: Reads;
  readonly #file: Pick<StoredObject, 'key' | 'bytes'>;
  #source: Readable | null = null;
  #chunks: AsyncIterator<Buffer> | null = null;
  /** Unused bytes of the last read; the first is at `#offset` in the file. */
  #remaining: Buffer = Buffer.alloc(0);
  #offset = 0;

  constructor(storage: Reads, file: Pick<StoredObject, 'key' | 'bytes'>) {
    this.#storage = storage;
    this.#file = file;
  }

  async *read({ offset: partStart, length }: FileRange): AsyncGenerator<Buffer> {
    const isFarAway = partStart < this.#offset || partStart - this.#offset > MAX_GAP_BYTES;
    if (!this.#chunks || isFarAway) await this.#open(partStart);
    const countBytesLeft = () => partStart + length - this.#offset;
    for (let bytesLeft = countBytesLeft(); bytesLeft > 0; bytesLeft = countBytesLeft()) {
      const chunk = await this.#readUpTo(bytesLeft);
      const skippedBytes = partStart - (this.#offset - chunk.length);
      if (skippedBytes < chunk.length) yield skippedBytes > 0 ? chunk.subarray(skippedBytes) : chunk;
    }
  }

  close(): void {
    this.#source?.destroy();
  }

  async #open(offset: number): Promise<void> {
    this.close();
    const source = await this.#storage.read(this.#file.key, { start: offset, end: this.#file.bytes - 1 });
    if (!source) throw new Error('The file was deleted meanwhile');
    this.#source = source;
    this.#chunks = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    this.#remaining = Buffer.alloc(0);
    this.#offset = offset;
  }

  /** Takes at least one byte, at most `maxBytes`. */
  async #readUpTo(maxBytes: number): Promise<Buffer> {
    if (this.#remaining.length === 0) {
      const next = await this.#chunks?.next();
      if (!next || next.done === true) throw new Error('The file is shorter than before');
      this.#remaining = next.value;
    }
    const chunk = this.#remaining.subarray(0, maxBytes);
    this.#remaining = this.#remaining.subarray(chunk.length);
    this.#offset += chunk.length;
    return chunk;
  }
}
