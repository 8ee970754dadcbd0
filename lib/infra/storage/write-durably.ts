import { open, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { StorageBody } from './storage-driver';

/** Maximum size of a write. Smaller writes need more system calls, larger writes more memory. */
const maxBatch = { bytes: 1024 ** 2, pieces: 512 };
/** Bytes between the starts of two flushes to the disk. */
const BYTES_PER_FLUSH = 64 * 1024 ** 2;

/**
 * Writes a new file and flushes it. A large file is also flushed while it is being written, so that little remains to be
 * flushed at its end.
 * @throws errors of the body or the file system, or the signal's reason; the caller must delete the file
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
    // Leaving the loop closes the source of the body.
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
  if (body instanceof Readable) return readBatches(signal ? addAbortSignal(signal, body) : body);
  if (Buffer.isBuffer(body)) return Readable.from([[body]]);
  return Symbol.asyncIterator in body ? body : Readable.from([body]);
}

async function* readBatches(stream: Readable): AsyncGenerator<Buffer[]> {
  let [pieces, bytes]: [Buffer[], number] = [[], 0];
  for await (const piece of stream as AsyncIterable<Buffer | string>) {
    const pieceBytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    pieces.push(pieceBytes);
    bytes += pieceBytes.length;
    if (bytes < maxBatch.bytes && pieces.length < maxBatch.pieces) continue;
    yield pieces;
    [pieces, bytes] = [[], 0];
  }
  yield pieces;
}

class DurableWriter {
  readonly #file: FileHandle;
  #position = 0;
  #unflushedBytes = 0;
  #flushing: Promise<void> | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Resolves when the pieces are written; the caller may reuse them then. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    let remainingPieces = pieces.filter(({ length }) => length > 0);
    while (remainingPieces.length > 0) {
      const { bytesWritten } = await this.#file.writev(remainingPieces, this.#position);
      this.#position += bytesWritten;
      this.#unflushedBytes += bytesWritten;
      remainingPieces = unwrittenPieces(remainingPieces, bytesWritten);
    }
    if (this.#unflushedBytes >= BYTES_PER_FLUSH) await this.#flush();
  }

  /** Resolves when all bytes are flushed to the disk. */
  async end(): Promise<void> {
    await this.#flushing;
    await this.#file.sync();
  }

  /** Starts after the previous flush, so that a slow disk slows the writer down. */
  async #flush(): Promise<void> {
    await this.#flushing;
    this.#unflushedBytes = 0;
    this.#flushing = this.#file.datasync();
    // The next call that awaits this flush gets the error.
    this.#flushing.catch(() => undefined);
  }
}

/** The unwritten pieces after a short write. */
function unwrittenPieces(pieces: readonly Buffer[], writtenBytes: number): Buffer[] {
  let bytesToSkip = writtenBytes;
  return pieces.flatMap((piece) => {
    const partialPiece = bytesToSkip < piece.length ? [piece.subarray(bytesToSkip)] : [];
    bytesToSkip = Math.max(0, bytesToSkip - piece.length);
    return partialPiece;
  });
}
