import { open, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { StorageBody } from './storage-driver';

/** Size of a write: smaller batches need more system calls, larger ones more memory. */
const batch = { bytes: 1024 ** 2, pieces: 512 };
/** Bytes written before a flush to the disk is started. */
const flushBytes = 64 * 1024 ** 2;

/**
 * Writes a new file and flushes it. The flush starts while the rest is still being written, so that little remains at the
 * end of a large file.
 * @throws errors of the body or the file system, or the signal's reason; the caller deletes the file
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

  /** Resolves when the pieces are written; the caller may reuse them then. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    let remainingPieces = pieces.filter(({ length }) => length > 0);
    while (remainingPieces.length > 0) {
      const { bytesWritten } = await this.#file.writev(remainingPieces, this.#position);
      this.#position += bytesWritten;
      this.#unflushed += bytesWritten;
      remainingPieces = unwrittenPieces(remainingPieces, bytesWritten);
    }
    if (this.#unflushed >= flushBytes) await this.#flush();
  }

  /** Resolves when all bytes are flushed to the disk. */
  async end(): Promise<void> {
    await this.#flushing;
    await this.#file.sync();
  }

  /** Starts after the previous flush, so that a slow disk slows the writer down. */
  async #flush(): Promise<void> {
    await this.#flushing;
    this.#unflushed = 0;
    this.#flushing = this.#file.datasync();
    // The next call that awaits this flush gets the error.
    this.#flushing.catch(() => undefined);
  }
}

/** The unwritten pieces after a short write. */
function unwrittenPieces(pieces: readonly Buffer[], writtenBytes: number): Buffer[] {
  let skip = writtenBytes;
  return pieces.flatMap((piece) => {
    const partialPiece = skip < piece.length ? [piece.subarray(skip)] : [];
    skip = Math.max(0, skip - piece.length);
    return partialPiece;
  });
}
