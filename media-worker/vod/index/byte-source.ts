import { open } from 'node:fs/promises';

/** A file that is read by range, from disk or from object storage. */
export interface ByteSource {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Reads a range; fewer bytes are returned only at the end of the file. */
  readonly read: (offset: number, length: number) => Promise<Buffer>;
  /** Reads a range as a stream, with one request. */
  readonly stream?: (offset: number, length: number) => Promise<AsyncIterable<Buffer>>;
}

/** A movie whose tables contradict the file. The message completes "the file cannot be read: …". */
export class MovieError extends Error {
  override readonly name = 'MovieError';
}

/** Calls `use` with a file on disk and closes it afterwards. */
export async function withFile<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await use({
      size,
      async read(offset, length) {
        const data = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
        const { bytesRead } = await file.read(data, 0, data.length, offset);
        return data.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}
