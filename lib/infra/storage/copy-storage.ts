import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { storageRoots } from '@/lib/core/storage-keys';
import type { StorageDriver, StoredObject } from './storage-driver';

export interface StorageCopy {
  readonly from: StorageDriver;
  readonly to: StorageDriver;
  /** Whether each object is deleted from the source, once the hashes of all bytes of the object and its copy are equal. */
  readonly deleteSource: boolean;
  /** Aborts the copy before the next object. */
  readonly signal: AbortSignal;
  readonly onProgress?: (sum: CopiedStorage) => void;
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
  readonly copied: number;
  readonly bytes: number;
  /** Number of objects that were already copied. */
  readonly unchanged: number;
  readonly deleted: number;
}

/** Number of objects that are copied concurrently. */
const CONCURRENCY = 4;

/** A copied object differs from its source. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
  constructor(key: string) {
    super(
      `the copy of ${key} differs from its source: the object changed, or a disk or the network is faulty`,
    );
  }
}

/**
 * Copies all objects from one storage to another. An interrupted copy can be repeated: existing objects of the same length
 * are not copied again, unless `replaceDifferent` is set and their bytes differ.
 * @throws CopyDiffers, the reason of the signal, and the errors of the drivers
 */
export async function copyStorage(copy: StorageCopy): Promise<CopiedStorage> {
  const sum = { copied: 0, bytes: 0, unchanged: 0, deleted: 0 };
  const objects = listAllObjects(copy.from);
  const failure = new AbortController();
  const work = async () => {
    for (let next = await objects.next(); !next.done; next = await objects.next()) {
      if (failure.signal.aborted) return;
      copy.signal.throwIfAborted();
      await copyOne(copy, next.value, sum);
      copy.onProgress?.(sum);
    }
  };
  const lane = () =>
    work().catch((error: unknown) => {
      failure.abort();
      throw error;
    });
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return sum;
}

type Sum = { -readonly [Name in keyof CopiedStorage]: CopiedStorage[Name] };

async function copyOne(
  { from, to, deleteSource, replaceDifferent: replaceOthers = false, signal, onCopied }: StorageCopy,
  { key, bytes }: StoredObject,
  sum: Sum,
): Promise<void> {
  const existingObject = await to.head(key);
  const isSame = async () => (await hashObject(from, key)) === (await hashObject(to, key));
  if (existingObject?.bytes === bytes && (!replaceOthers || (await isSame()))) {
    if (deleteSource && !(await isSame())) throw new CopyDiffers(key);
    sum.unchanged += 1;
  } else {
    const hash = await putObject(from, to, key, signal);
    // The object was deleted while others were copied.
    if (hash === null) return;
    if (hash !== (await hashObject(to, key))) throw new CopyDiffers(key);
    sum.copied += 1;
    sum.bytes += bytes;
    await onCopied?.({ key, bytes, sha256: hash });
  }
  if (!deleteSource) return;
  await from.delete(key);
  sum.deleted += 1;
}

/**
 * Copies one object.
 * @returns hash of the bytes that were sent; null if the object no longer exists
 */
async function putObject(
  from: StorageDriver,
  to: StorageDriver,
  key: string,
  signal: AbortSignal,
): Promise<string | null> {
  const source = await from.read(key);
  if (!source) return null;
  const hash = createHash('sha256');
  await to.put(key, Readable.from(hashStream(source, hash), { objectMode: false }), { signal });
  return hash.digest('hex');
}

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
