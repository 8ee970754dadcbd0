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
  readonly room: () => Promise<number>;
  readonly sliceBytes?: number;
}

/** Maximum concurrent loads. Further readers get the bytes from the source, uncached. */
const maxConcurrentLoads = 128;
const chunkBytes = 256 * 1024;
/** Number of slices deleted together when the disk is full, oldest first. */
const evictedWhenFull = 64;
/** Disk space of the smallest file. */
const blockBytes = 4_096;

/**
 * Caches slices of large files on the local disk, and evicts the least recently used ones. A range costs only the slices
 * that it touches, and concurrent readers load each slice once. The cache does not survive a restart of the process.
 */
export class SliceCache {
  readonly #options: Required<SliceCacheOptions>;
  readonly #kept: LRUCache<string, number>;
  readonly #loading = new SingleFlight<boolean>();
  #written = 0;

  constructor({ sliceBytes = 1024 * 1024, ...options }: SliceCacheOptions) {
    this.#options = { ...options, sliceBytes };
    this.#kept = new LRUCache<string, number>({
      maxSize: options.maxBytes,
      sizeCalculation: (bytes) => Math.max(blockBytes, Math.ceil(bytes / blockBytes) * blockBytes),
      // A reader with an open file handle can still read a deleted file.
      dispose: (_bytes, slice) => void rm(this.#pathOf(slice), { force: true }).catch(() => undefined),
    });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** The slice that contains a position. The last slice of a file may be shorter. */
  sliceAt(position: number): { readonly start: number; readonly end: number } {
    const { sliceBytes } = this.#options;
    const start = position - (position % sliceBytes);
    return { start, end: start + sliceBytes - 1 };
  }

  /** Reads a range of the file through the cache. */
  read(file: SlicedFile, { start, end }: StoredRange): Readable {
    return Readable.from(this.#chunks(file, start, end), { objectMode: false, highWaterMark: chunkBytes });
  }

  /**
   * Stores the slice that begins at `start`, read from `source`, which is destroyed if there is no room.
   * @returns whether it was stored
   */
  keep(
    file: Pick<SlicedFile, 'name' | 'bytes'>,
    start: number,
    source: () => Promise<Readable>,
  ): Promise<boolean> {
    const slice = nameOf(file.name, start);
    if (this.#kept.has(slice)) return Promise.resolve(true);
    if (!this.#loading.running(slice) && this.#loading.size >= maxConcurrentLoads)
      return Promise.resolve(false);
    const length = Math.min(this.#options.sliceBytes, file.bytes - start);
    return this.#loading.run(slice, () => this.#load(slice, length, source));
  }

  async *#chunks(file: SlicedFile, start: number, end: number): AsyncGenerator<Buffer> {
    const { sliceBytes } = this.#options;
    const load = (at: number) =>
      this.keep(file, at, () => file.read({ start: at, end: Math.min(at + sliceBytes, file.bytes) - 1 }));
    for (let at = start; at <= end;) {
      const slice = this.sliceAt(at);
      const handle = (await load(slice.start)) ? await this.#open(nameOf(file.name, slice.start)) : null;
      if (!handle) {
        yield* (await file.read({ start: at, end })) as AsyncIterable<Buffer>;
        return;
      }
      // The next slice is loaded in advance.
      if (slice.end < end) load(slice.end + 1).catch(() => undefined);
      const last = Math.min(end, slice.end);
      const within = { start: at - slice.start, end: last - slice.start };
      yield* handle.createReadStream({ ...within, highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
      at = last + 1;
    }
  }

  /** Null if the slice was deleted since. */
  async #open(slice: string): Promise<FileHandle | null> {
    // The lookup marks the slice as recently used.
    this.#kept.get(slice);
    return open(this.#pathOf(slice)).catch(() => null);
  }

  /** Writes under a temporary name first, so that a slice is complete or absent. */
  async #load(slice: string, length: number, source: () => Promise<Readable>): Promise<boolean> {
    const { room, maxBytes } = this.#options;
    if (length > maxBytes) return false;
    if ((await room()) <= length) {
      for (let evictedCount = 0; evictedCount < evictedWhenFull; evictedCount += 1) this.#kept.pop();
      return false;
    }
    const part = `${this.#pathOf(slice)}.${(this.#written += 1)}`;
    const bytes = await source();
    const partFile = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    const first: { failed: 'source' | null } = { failed: null };
    bytes.once('error', () => (first.failed = partFile.errored === null ? 'source' : null));
    try {
      await pipeline(bytes, partFile);
      if (partFile.bytesWritten === length) await rename(part, this.#pathOf(slice));
      else throw new Error('The slice does not have the expected length');
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      if (first.failed === 'source' || partFile.errored === null) throw error;
      // With a full or broken disk, the reader gets the bytes from the source.
      return false;
    }
    this.#kept.set(slice, length);
    return true;
  }

  #pathOf(slice: string): string {
    return join(this.#options.folder, slice);
  }
}

/** Hashed file name, because the name of the sliced file may contain any character. */
function nameOf(name: string, start: number): string {
  return `${createHash('sha256').update(name).digest('base64url')}-${start}`;
}
