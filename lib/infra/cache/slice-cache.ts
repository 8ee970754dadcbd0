import { SingleFlight } from '@/lib/core/single-flight';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { StoredRange } from '../storage/storage-driver';

/** A file elsewhere, in one version. */
export interface SlicedFile {
  /** Names one version of the file: the same name always means the same bytes. */
  readonly name: string;
  readonly bytes: number;
  /** Rejects when the file is gone or has another version now. */
  readonly read: (range: StoredRange) => Promise<Readable>;
}

export interface SliceCacheOptions {
  /** Empty, and of this process alone. */
  readonly folder: string;
  readonly maxBytes: number;
  /** Bytes that may still be written to the disk; negative when others need what is there. */
  readonly room: () => Promise<number>;
  readonly sliceBytes?: number;
}

/** More are not cached: their readers get them from where the file is. */
const maxLoading = 128;
const chunkBytes = 256 * 1024;
/** Removed at once when the disk is full, the oldest first. */
const removedWhenFull = 64;
/** Disk space of a file of one byte. */
const blockBytes = 4_096;

/**
 * Keeps what was read of large files on the local disk, in slices, and forgets the least recently used. A range of a film
 * costs the slices that it touches; however many read them at once, each is fetched once. What a process kept is not found
 * again by the next one.
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
      // A reader that has opened it reads on.
      dispose: (_bytes, slice) => void rm(this.#pathOf(slice), { force: true }).catch(() => undefined),
    });
  }

  /** Bytes kept now. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** The slice that holds a position; the last one of a file may end before. */
  sliceAt(position: number): { readonly start: number; readonly end: number } {
    const { sliceBytes } = this.#options;
    const start = position - (position % sliceBytes);
    return { start, end: start + sliceBytes - 1 };
  }

  /** The bytes of a range within the file. */
  read(file: SlicedFile, { start, end }: StoredRange): Readable {
    return Readable.from(this.#chunks(file, start, end), { objectMode: false, highWaterMark: chunkBytes });
  }

  /**
   * Keeps the slice that begins at `start`, read from `source`, which is destroyed if there is no room for it.
   * @returns whether it is kept
   */
  keep(
    file: Pick<SlicedFile, 'name' | 'bytes'>,
    start: number,
    source: () => Promise<Readable>,
  ): Promise<boolean> {
    const slice = nameOf(file.name, start);
    if (this.#kept.has(slice)) return Promise.resolve(true);
    if (!this.#loading.running(slice) && this.#loading.size >= maxLoading) return Promise.resolve(false);
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
      // The reader finds it when it gets there.
      if (slice.end < end) load(slice.end + 1).catch(() => undefined);
      const last = Math.min(end, slice.end);
      const within = { start: at - slice.start, end: last - slice.start };
      yield* handle.createReadStream({ ...within, highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
      at = last + 1;
    }
  }

  /** Null if it was removed meanwhile. */
  async #open(slice: string): Promise<FileHandle | null> {
    // Tells the cache that it was used.
    this.#kept.get(slice);
    return open(this.#pathOf(slice)).catch(() => null);
  }

  /** Writes under a temporary name first, so that a slice is complete or absent. */
  async #load(slice: string, length: number, source: () => Promise<Readable>): Promise<boolean> {
    const { room, maxBytes } = this.#options;
    if (length > maxBytes) return false;
    if ((await room()) <= length) {
      for (let evictedCount = 0; evictedCount < removedWhenFull; evictedCount += 1) this.#kept.pop();
      return false;
    }
    const part = `${this.#pathOf(slice)}.${(this.#written += 1)}`;
    const bytes = await source();
    const writing = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    const first: { failed: 'source' | null } = { failed: null };
    bytes.once('error', () => (first.failed = writing.errored === null ? 'source' : null));
    try {
      await pipeline(bytes, writing);
      if (writing.bytesWritten === length) await rename(part, this.#pathOf(slice));
      else throw new Error('A slice has another length than its file says');
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      if (first.failed === 'source' || writing.errored === null) throw error;
      // The disk is full or broken: then the file is read where it is.
      return false;
    }
    this.#kept.set(slice, length);
    return true;
  }

  #pathOf(slice: string): string {
    return join(this.#options.folder, slice);
  }
}

/** A name of a file, whatever the name of the sliced file consists of. */
function nameOf(name: string, start: number): string {
  return `${createHash('sha256').update(name).digest('base64url')}-${start}`;
}
