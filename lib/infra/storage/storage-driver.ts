import type { Readable } from 'node:stream';
import { isStorageKey, isStoragePrefix } from '@/lib/core/storage-keys';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Changes with the content; without quotes. */
  readonly etag: string;
}

interface PutOptions {
  readonly contentType?: string;
}

export interface CopyManyOptions {
  /** Filter by file name; absent: all files. */
  readonly wanted?: (name: string) => boolean;
  readonly signal?: AbortSignal;
}

/** Both ends inclusive, in bytes; an end behind the object's last byte means the last byte. */
export interface StoredRange {
  readonly start: number;
  readonly end: number;
}

/** What is put. Pieces that an iteration gives may be changed by the giver as soon as the next ones are asked for. */
export type StorageBody = Readable | Buffer | readonly Buffer[] | AsyncIterable<readonly Buffer[]>;

/**
 * Where files live: local disk or S3. Keys are those of lib/core/storage-keys.ts; a prefix ends with a slash.
 * Both drivers pass the tests in testing/conformance.ts.
 */
export interface StorageDriver {
  /**
   * Atomic: the object is there completely or not at all; replaces an older one. A body that fails, or an abort,
   * leaves what was there before.
   * @throws StorageError `full`
   */
  put(
    key: string,
    body: StorageBody,
    options?: PutOptions & { readonly signal?: AbortSignal },
  ): Promise<StoredObject>;
  /**
   * Takes a local file over (moved when that is possible). It is gone afterwards; with `keep` it stays, and must not be
   * changed any more. @throws StorageError `full`
   */
  putFile(
    key: string,
    path: string,
    options?: PutOptions & { readonly keep?: boolean; readonly signal?: AbortSignal },
  ): Promise<StoredObject>;
  head(key: string): Promise<StoredObject | null>;
  /** Null if there is no such object. The caller reads the stream to its end or destroys it. */
  read(key: string, range?: StoredRange): Promise<Readable | null>;
  /**
   * A local path that ffmpeg and ffprobe may read while `use` runs: the file itself on local disk, a scratch copy
   * otherwise. It must not be written to. @throws StorageError `missing`
   */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** A missing object is fine. */
  delete(key: string): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** Every object below the prefix, in no promised order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Replaces an older object at `to`. A hard link on local disk. @throws StorageError `missing`, `full` */
  copy(from: string, to: string): Promise<StoredObject>;
  /**
   * The same for every object below a prefix, under its own name below another, many at a time. Each is copied as a
   * whole; what stops in between leaves some, and doing it again is harmless. @returns how many @throws StorageError `full`
   */
  copyPrefix(from: string, to: string, options?: CopyManyOptions): Promise<number>;
  /** Bytes that may still be stored; infinite if unknown. May be negative (disk-space.ts). */
  room(): Promise<number>;
  /**
   * Removes what dead processes were writing.
   * @param olderThan nothing is written so long ago and still wanted
   * @returns how many
   */
  removeOldParts(olderThan: Date): Promise<number>;
}

/** `missing`: no such object. `full`: no room left on the disk. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly kind: 'missing' | 'full',
    key: string,
  ) {
    super(kind === 'full' ? `no room left to store ${key}` : `nothing is stored at ${key}`);
  }
}

/** @throws Error for a text that is no key: a fault of ours, never of a caller */
export function checkedKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
  return key;
}

/** @throws Error for a text that is no prefix; the whole storage has none */
export function checkedPrefix(prefix: string): string {
  if (!isStoragePrefix(prefix)) throw new Error(`Not a storage prefix: ${JSON.stringify(prefix)}`);
  return prefix;
}

/**
 * Names of the folders directly below a prefix in which something is older than `before`: what is younger may belong to
 * a row that is only being written.
 */
export async function* oldFolders(
  storage: Pick<StorageDriver, 'list'>,
  prefix: string,
  before: Date,
): AsyncGenerator<string> {
  let last: string | undefined;
  for await (const { key, modifiedAt } of storage.list(prefix)) {
    const name = key.slice(prefix.length).split('/', 1)[0];
    if (name === undefined || name === last || modifiedAt >= before) continue;
    last = name;
    yield name;
  }
}
