import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { storageRoots } from '@/lib/core/storage-keys';
import type { StorageDriver, StoredObject } from './storage-driver';

export interface StorageCopy {
  readonly source: StorageDriver;
  readonly target: StorageDriver;
  /** Whether each object is deleted from the source, once the hashes of all bytes of the object and its copy are equal. */
  readonly deleteSource: boolean;
  /** Aborts the copy before the next object. */
  readonly signal: AbortSignal;
  readonly onProgress?: (totals: CopiedStorage) => void;
  /** Whether objects with the same length but other bytes are replaced. */
  readonly replaceDifferent?: boolean;
  /** Called after each object that was copied and compared. */
  readonly onCopied?: (copied: CopiedObject) => Promise<void>;
}

export interface CopiedObject {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface CopiedStorage {
  /** Number of objects that were copied, and their bytes. */
  readonly copied: number;
  readonly bytes: number;
  /** Number of objects that were already copied. */
  readonly unchanged: number;
  /** Number of objects that were deleted from the source. */
  readonly deleted: number;
}

/** Number of objects that are copied concurrently. */
const CONCURRENCY = 4;

/** A copied object differs from its source. */
export class CopyDiffersError extends Error {
  override readonly name = 'CopyDiffersError';
  constructor(key: string) {
    super(
      `the copy of ${key} differs from its source: the object changed, or a disk or the network is faulty`,
    );
  }
}

/**
 * Copies all objects from one storage to another. An interrupted copy can be repeated: existing objects of the same length
 * are not copied again, unless `replaceDifferent` is set and their bytes differ.
 * @throws CopyDiffersError, the reason of the signal, and the errors of the drivers
 */
export async function copyStorage(copy: StorageCopy): Promise<CopiedStorage> {
  const totals = { copied: 0, bytes: 0, unchanged: 0, deleted: 0 };
  const objects = listAllObjects(copy.source);
  const failure = new AbortController();
  const work = async () => {
    for (let result = await objects.next(); !result.done; result = await objects.next()) {
      if (failure.signal.aborted) return;
      copy.signal.throwIfAborted();
      await copyOne(copy, result.value, totals);
      copy.onProgress?.(totals);
    }
  };
  const startWorker = () =>
    work().catch((error: unknown) => {
      failure.abort();
      throw error;
    });
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, startWorker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return totals;
}

type Totals = { -readonly [Name in keyof CopiedStorage]: CopiedStorage[Name] };

async function copyOne(
  { source, target, deleteSource, replaceDifferent = false, signal, onCopied }: StorageCopy,
  { key, bytes }: StoredObject,
  totals: Totals,
): Promise<void> {
  const existingObject = await target.head(key);
  const isSame = async () => (await hashObject(source, key)) === (await hashObject(target, key));
  if (existingObject?.bytes === bytes && (!replaceDifferent || (await isSame()))) {
    if (deleteSource && !(await isSame())) throw new CopyDiffersError(key);
    totals.unchanged += 1;
  } else {
    const hash = await putObject(source, target, key, signal);
    // The object was deleted while others were copied.
    if (hash === null) return;
    if (hash !== (await hashObject(target, key))) throw new CopyDiffersError(key);
    totals.copied += 1;
    totals.bytes += bytes;
    await onCopied?.({ key, bytes, sha256: hash });
  }
  if (!deleteSource) return;
  await source.delete(key);
  totals.deleted += 1;
}

/**
 * Copies one object.
 * @returns hash of the bytes that were sent; null if the object no longer exists
 */
async function putObject(
  source: StorageDriver,
  target: StorageDriver,
  key: string,
  signal: AbortSignal,
): Promise<string | null> {
  const body = await source.read(key);
  if (!body) return null;
  const hash = createHash('sha256');
  await target.put(key, Readable.from(hashStream(body, hash), { objectMode: false }), { signal });
  return hash.digest('hex');
}

/** Passes the chunks on, and adds them to a hash. */
async function* hashStream(source: Readable, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}

async function hashObject(storage: StorageDriver, key: string): Promise<string | null> {
  const source = await storage.read(key);
  if (!source) return null;
  const hash = createHash('sha256');
  for await (const chunk of source as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

async function* listAllObjects(storage: StorageDriver): AsyncGenerator<StoredObject> {
  for (const root of storageRoots) yield* storage.list(root);
}
