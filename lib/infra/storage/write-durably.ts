import { open, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { StorageBody } from './storage-driver';

/** Pieces of a stream that are written in one call: fewer would cost calls, more memory. */
const batch = { bytes: 1024 ** 2, pieces: 512 };
/** Bytes written before a flush to disk is started. */
const flushBytes = 64 * 1024 ** 2;

/**
 * Writes a new file; its bytes are on the disk when this returns. What came first goes there while the rest is still
 * being written, so at the end of a gigabyte there is little left to wait for.
 * @throws what the body throws, the signal's reason, or what the file system says; who calls removes the file
 */
export async function writeDurably(
  path: string,
  body: StorageBody,
  signal?: AbortSignal,
  mode = 0o666,
): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    const writer = new DurableWriter(file);
    // However the loop ends, the source of the body is notified.
    for await (const pieces of piecesOf(body, signal)) {
      signal?.throwIfAborted();
      await writer.write(pieces);
    }
    await writer.end();
  } finally {
    await file.close();
  }
}

function piecesOf(body: StorageBody, signal: AbortSignal | undefined): AsyncIterable<readonly Buffer[]> {
  if (body instanceof Readable) return batchesOf(signal ? addAbortSignal(signal, body) : body);
  if (Buffer.isBuffer(body)) return Readable.from([[body]]);
  return Symbol.asyncIterator in body ? body : Readable.from([body]);
}

async function* batchesOf(stream: Readable): AsyncGenerator<Buffer[]> {
  let [pieces, bytes]: [Buffer[], number] = [[], 0];
  for await (const piece of stream as AsyncIterable<Buffer | string>) {
    const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
    pieces.push(data);
    bytes += data.length;
    if (bytes < batch.bytes && pieces.length < batch.pieces) continue;
    yield pieces;
    [pieces, bytes] = [[], 0];
  }
  yield pieces;
}

class DurableWriter {
  readonly #file: FileHandle;
  #position = 0;
  #unflushed = 0;
  #flushing: Promise<void> | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Returns when the pieces are written, and may be changed. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    let remainingPieces = pieces.filter(({ length }) => length > 0);
    while (remainingPieces.length > 0) {
      const { bytesWritten } = await this.#file.writev(remainingPieces, this.#position);
      this.#position += bytesWritten;
      this.#unflushed += bytesWritten;
      remainingPieces = behind(remainingPieces, bytesWritten);
    }
    if (this.#unflushed >= flushBytes) await this.#flush();
  }

  /** Everything is on the disk. */
  async end(): Promise<void> {
    await this.#flushing;
    await this.#file.sync();
  }

  /** Starts after the previous one, so that a slow disk slows the writer down. */
  async #flush(): Promise<void> {
    await this.#flushing;
    this.#unflushed = 0;
    this.#flushing = this.#file.datasync();
    // The next one to await it gets the error.
    this.#flushing.catch(() => undefined);
  }
}

/** Remaining pieces after a short write. */
function behind(pieces: readonly Buffer[], writtenBytes: number): Buffer[] {
  let skip = writtenBytes;
  return pieces.flatMap((piece) => {
    const partialPiece = skip < piece.length ? [piece.subarray(skip)] : [];
    skip = Math.max(0, skip - piece.length);
    return partialPiece;
  });
}
