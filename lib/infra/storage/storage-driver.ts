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
  readonly includes?: (name: string) => boolean;
  readonly signal?: AbortSignal;
}

/** Byte range with both ends included. An end after the last byte is the last byte. */
export interface StoredRange {
  readonly start: number;
  readonly end: number;
}

/** Content to store. Pieces of an iteration may be reused by the caller as soon as the next ones are requested. */
export type StorageBody = Readable | Buffer | readonly Buffer[] | AsyncIterable<readonly Buffer[]>;

/**
 * Storage of files on the local disk or in S3. Keys are those of lib/core/storage-keys.ts; a prefix ends with a slash.
 * Both drivers pass the tests in testing/conformance.ts.
 */
export interface StorageDriver {
  /**
   * Stores an object atomically and replaces an existing one. If the body fails or is aborted, the existing object is
   * kept.
   * @throws StorageError `full`
   */
  put(
    key: string,
    body: StorageBody,
    options?: PutOptions & { readonly signal?: AbortSignal },
  ): Promise<StoredObject>;
  /**
   * Stores a local file, by moving it if possible. The file is deleted, or kept with `keep`; a kept file must not be
   * changed afterwards.
   * @throws StorageError `full`
   */
  putFile(
    key: string,
    path: string,
    options?: PutOptions & { readonly keep?: boolean; readonly signal?: AbortSignal },
  ): Promise<StoredObject>;
  /** The properties of an object; null if it does not exist. */
  head(key: string): Promise<StoredObject | null>;
  /** Reads an object; null if it does not exist. The caller must read the stream to its end or destroy it. */
  read(key: string, range?: StoredRange): Promise<Readable | null>;
  /**
   * Provides a local path that ffmpeg and ffprobe may read while `use` runs: the file itself on local disk, a temporary
   * copy otherwise. The file must not be written to.
   * @throws StorageError `missing`
   */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Deletes an object. Does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  /** Deletes all objects below a prefix. */
  deletePrefix(prefix: string): Promise<void>;
  /** All objects below a prefix, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /**
   * Copies an object and replaces an existing one at `to`. Creates a hard link on local disk.
   * @throws StorageError `missing`, `full`
   */
  copy(from: string, to: string): Promise<StoredObject>;
  /**
   * Copies every object below a prefix to another prefix, several at a time. Each object is copied atomically; an interrupted
   * copy can be repeated.
   * @returns the number of copied objects
   * @throws StorageError `full`
   */
  copyPrefix(from: string, to: string, options?: CopyManyOptions): Promise<number>;
  /** Bytes that may still be stored; infinite if unknown, negative if the disk reserve is in use (disk-space.ts). */
  room(): Promise<number>;
  /**
   * Deletes what dead processes left behind: unfinished files, local copies, multipart uploads and empty folders.
   * @param olderThan modification time; files in use are always newer
   * @returns the number of deleted files and aborted uploads
   */
  deleteAbandonedFiles(olderThan: Date): Promise<number>;
}

/** `missing`: the object does not exist. `full`: the disk is full. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly kind: 'missing' | 'full',
    key: string,
  ) {
    super(kind === 'full' ? `no room left to store ${key}` : `nothing is stored at ${key}`);
  }
}

/** @throws Error for a malformed key, which is an error of this code, never of the caller of the API */
export function checkKey(key: string): string {
  if (!isStorageKey(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
  return key;
}

/** @throws Error for a malformed prefix, including the empty one of the whole storage */
export function checkPrefix(prefix: string): string {
  if (!isStoragePrefix(prefix)) throw new Error(`Not a storage prefix: ${JSON.stringify(prefix)}`);
  return prefix;
}

/**
 * Names of the folders directly below a prefix that contain an object older than `before`. Newer objects may belong to a
 * row that is not committed yet. A name may be repeated if the storage lists its objects apart.
 */
export async function* listOldFolders(
  storage: Pick<StorageDriver, 'list'>,
  prefix: string,
  before: Date,
): AsyncGenerator<string> {
  let previousName: string | undefined;
  for await (const { key, modifiedAt } of storage.list(prefix)) {
    const name = key.slice(prefix.length).split('/', 1)[0];
    if (name === undefined || name === previousName || modifiedAt >= before) continue;
    previousName = name;
    yield name;
  }
}
