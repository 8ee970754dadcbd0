import { SingleFlight } from '@/lib/core/single-flight';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { StoredRange } from '../storage/storage-driver';

/** A version of a remote file that is cached in slices. */
export interface SlicedFile {
  /** Id of the version: equal names mean equal bytes. */
  readonly name: string;
  readonly bytes: number;
  /** Rejects if the file was deleted or has changed. */
  readonly read: (range: StoredRange) => Promise<Readable>;
}

export interface SliceCacheOptions {
  /** Empty folder, used by this process only. */
  readonly folder: string;
  readonly maxBytes: number;
  /** Bytes that may still be written to the disk; negative if other data needs the space of the cache. */
  readonly readFreeBytes: () => Promise<number>;
  readonly sliceBytes?: number;
}

/** Maximum concurrent loads. Further readers get the bytes from the source, uncached. */
const MAX_CONCURRENT_LOADS = 128;
const CHUNK_BYTES = 256 * 1024;
/** Number of slices that are deleted together when the disk is full, least recently used first. */
const SLICES_EVICTED_WHEN_FULL = 64;
/** Unit of disk space: a file uses a multiple of it. */
const BLOCK_BYTES = 4_096;

/**
 * Caches slices of large files on the local disk, and evicts the least recently used ones. A range costs only the slices
 * that it touches, and concurrent readers load each slice once. The cache does not survive a restart of the process.
 */
export class SliceCache {
  readonly #options: Required<SliceCacheOptions>;
  readonly #slices: LRUCache<string, number>;
  readonly #loads = new SingleFlight<boolean>();
  #temporaryFileCount = 0;

  constructor({ sliceBytes = 1024 * 1024, ...options }: SliceCacheOptions) {
    this.#options = { ...options, sliceBytes };
    this.#slices = new LRUCache<string, number>({
      maxSize: options.maxBytes,
      sizeCalculation: (bytes) => Math.max(BLOCK_BYTES, Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES),
      // A reader with an open file handle can still read a deleted file.
      dispose: (_bytes, sliceName) =>
        void rm(this.#pathOf(sliceName), { force: true }).catch(() => undefined),
    });
  }

  /** Disk space of all slices, in bytes. */
  get bytes(): number {
    return this.#slices.calculatedSize;
  }

  /**
   * First and last byte of the slice that contains a byte position. `end` may be beyond the end of the file, whose last slice
   * is shorter.
   */
  sliceAt(position: number): { readonly start: number; readonly end: number } {
    const { sliceBytes } = this.#options;
    const start = position - (position % sliceBytes);
    return { start, end: start + sliceBytes - 1 };
  }

  /** Reads a range of the file through the cache. */
  read(file: SlicedFile, { start, end }: StoredRange): Readable {
    return Readable.from(this.#chunks(file, start, end), { objectMode: false, highWaterMark: CHUNK_BYTES });
  }

  /**
   * Stores the slice that begins at `start`, unless it is stored. Concurrent calls for one slice share one load.
   * @param openSource opens the bytes of the slice; not called if the slice is stored or there is no room
   * @returns whether the slice is stored
   * @throws Error if the source fails, or has another length than the slice
   */
  storeSlice(
    file: Pick<SlicedFile, 'name' | 'bytes'>,
    start: number,
    openSource: () => Promise<Readable>,
  ): Promise<boolean> {
    const sliceName = sliceFileName(file.name, start);
    if (this.#slices.has(sliceName)) return Promise.resolve(true);
    if (!this.#loads.find(sliceName) && this.#loads.size >= MAX_CONCURRENT_LOADS)
      return Promise.resolve(false);
    const length = Math.min(this.#options.sliceBytes, file.bytes - start);
    return this.#loads.run(sliceName, () => this.#load(sliceName, length, openSource));
  }

  async *#chunks(file: SlicedFile, start: number, end: number): AsyncGenerator<Buffer> {
    const { sliceBytes } = this.#options;
    const storeSliceFrom = (sliceStart: number) =>
      this.storeSlice(file, sliceStart, () =>
        file.read({ start: sliceStart, end: Math.min(sliceStart + sliceBytes, file.bytes) - 1 }),
      );
    for (let offset = start; offset <= end;) {
      const slice = this.sliceAt(offset);
      const handle = (await storeSliceFrom(slice.start))
        ? await this.#open(sliceFileName(file.name, slice.start))
        : null;
      if (!handle) {
        yield* (await file.read({ start: offset, end })) as AsyncIterable<Buffer>;
        return;
      }
      // The next slice is loaded in advance.
      if (slice.end < end) storeSliceFrom(slice.end + 1).catch(() => undefined);
      const lastByte = Math.min(end, slice.end);
      const rangeInSlice = { start: offset - slice.start, end: lastByte - slice.start };
      yield* handle.createReadStream({
        ...rangeInSlice,
        highWaterMark: CHUNK_BYTES,
      }) as AsyncIterable<Buffer>;
      offset = lastByte + 1;
    }
  }

  /** Opens a stored slice; null if it was evicted in the meantime. */
  async #open(sliceName: string): Promise<FileHandle | null> {
    // The lookup marks the slice as recently used.
    this.#slices.get(sliceName);
    return open(this.#pathOf(sliceName)).catch(() => null);
  }

  /** Writes a slice under a temporary name first, so that it is complete or absent. False if there is no room. */
  async #load(sliceName: string, length: number, openSource: () => Promise<Readable>): Promise<boolean> {
    const { readFreeBytes, maxBytes } = this.#options;
    if (length > maxBytes) return false;
    if ((await readFreeBytes()) <= length) {
      for (let evictedCount = 0; evictedCount < SLICES_EVICTED_WHEN_FULL; evictedCount += 1)
        this.#slices.pop();
      return false;
    }
    const temporaryPath = `${this.#pathOf(sliceName)}.${(this.#temporaryFileCount += 1)}`;
    const sourceStream = await openSource();
    const temporaryFile = createWriteStream(temporaryPath, { flags: 'wx', mode: 0o600 });
    // `pipeline` destroys each stream with the error of the other, so only the stream that fails first tells the cause.
    const failure = { isOfSource: false };
    sourceStream.once('error', () => (failure.isOfSource = temporaryFile.errored === null));
    try {
      await pipeline(sourceStream, temporaryFile);
      if (temporaryFile.bytesWritten === length) await rename(temporaryPath, this.#pathOf(sliceName));
      else throw new Error('The slice does not have the expected length');
    } catch (error) {
      await rm(temporaryPath, { force: true }).catch(() => undefined);
      if (failure.isOfSource || temporaryFile.errored === null) throw error;
      // With a full or broken disk, the reader gets the bytes from the source.
      return false;
    }
    this.#slices.set(sliceName, length);
    return true;
  }

  #pathOf(sliceName: string): string {
    return join(this.#options.folder, sliceName);
  }
}

/** File name of a slice. The name of the sliced file is hashed, because it may contain any character. */
function sliceFileName(name: string, start: number): string {
  return `${createHash('sha256').update(name).digest('base64url')}-${start}`;
}
