import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isFull } from './disk-space';
import { deleteFilesOlderThan } from './local-files';
import { abortOldMultipartUploads, toStorageError, isMissing, openS3Client } from './s3-client';
import { copyS3, createS3Uploads } from './s3-upload';
import { readS3 } from './s3-read';
import type { S3Settings } from './s3-settings';
import {
  checkKey,
  checkPrefix,
  StorageError,
  type CopyManyOptions,
  type StorageBody,
  type StorageDriver,
  type StoredObject,
} from './storage-driver';
import { omitUndefined } from '@/lib/core/omit-undefined';

export interface S3StorageOptions {
  /** Folder for the local copies that ffmpeg reads. */
  readonly copies: string;
  /** Folder that contains the `copies` folder of every process; absent if there is one process. */
  readonly allCopies?: string;
  /** Size above which objects are copied in parts; smaller in tests. */
  readonly maxCopyBytes?: number;
  /** Part size of multipart uploads, for services with a lower limit. */
  readonly partBytes?: number;
}

/** Number of concurrent requests for single objects. */
const CONCURRENCY = 8;

/** Stores objects in a bucket of S3 or of a service with the same API, named by their keys. */
export function openS3Storage(settings: S3Settings, options: S3StorageOptions): StorageDriver {
  const client = openS3Client(settings);
  const { bucket } = settings;
  const upload = createS3Uploads(client, options.partBytes);

  const head = (key: string) => readS3Head(client, bucket, checkKey(key));
  /** Waits for a write, and returns the properties of its object. */
  const headAfter = async (key: string, write: Promise<void>): Promise<StoredObject> => {
    try {
      await write;
    } catch (error) {
      throw toStorageError(error, key);
    }
    const objectHead = await head(key);
    if (!objectHead) throw new StorageError('missing', key);
    return objectHead;
  };

  return {
    async put(key, body, { contentType, signal } = {}) {
      const object = { bucket, key: checkKey(key), contentType };
      return headAfter(key, upload(object, { body: toUploadBody(body), signal }));
    },
    async putFile(key, path, { contentType, keep = false, signal } = {}) {
      const object = { bucket, key: checkKey(key), contentType };
      const bytes = (await stat(path)).size;
      const result = await headAfter(key, upload(object, { body: createReadStream(path), bytes, signal }));
      if (!keep) await rm(path, { force: true });
      return result;
    },
    head,
    async read(key, range) {
      return readS3(client, { bucket, key: checkKey(key) }, range);
    },
    async withFile(key, use) {
      const source = await readS3(client, { bucket, key: checkKey(key) }, undefined);
      if (!source) throw new StorageError('missing', key);
      return withLocalCopy(source, { folder: options.copies, key }, use);
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: checkKey(key) }));
    },
    async deletePrefix(prefix) {
      await deleteAll(client, bucket, checkPrefix(prefix));
    },
    list: (prefix) => listS3(client, bucket, checkPrefix(prefix)),
    async copy(from, to) {
      const source = await head(from);
      checkKey(to);
      if (!source) throw new StorageError('missing', from);
      return headAfter(to, copyS3(client, { bucket, source, to, maxCopyBytes: options.maxCopyBytes }));
    },
    copyPrefix: (from, to, copyOptions = {}) =>
      copyAll(client, { bucket, from, to, maxCopyBytes: options.maxCopyBytes }, copyOptions),
    // S3 has no API for the free space; a full service rejects writes.
    room: () => Promise.resolve(Infinity),
    async deleteAbandonedFiles(olderThan) {
      const deletedCopyCount = await deleteFilesOlderThan(options.allCopies ?? options.copies, olderThan);
      return deletedCopyCount + (await abortOldMultipartUploads(client, bucket, olderThan));
    },
  };
}

function toUploadBody(body: StorageBody): Readable | Buffer {
  if (body instanceof Readable || Buffer.isBuffer(body)) return body;
  // Chunks are copied, because the caller may reuse a buffer before the part is full.
  return Symbol.asyncIterator in body ? Readable.from(joinPieces(body)) : Buffer.concat(body);
}

async function* joinPieces(body: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  for await (const pieces of body) yield Buffer.concat(pieces);
}

/** Provides the bytes as a local file while `use` runs. */
async function withLocalCopy<T>(
  source: Readable,
  { folder, key }: { readonly folder: string; readonly key: string },
  use: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}-${basename(key)}`);
  try {
    await pipeline(source, createWriteStream(path, { flags: 'wx' })).catch((error: unknown) => {
      if (isFull(error)) throw new StorageError('full', key);
      throw error;
    });
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function readS3Head(client: S3Client, bucket: string, key: string): Promise<StoredObject | null> {
  try {
    const objectHead = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return toStoredObject({ ...objectHead, Key: key, Size: objectHead.ContentLength });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function* listS3(client: S3Client, bucket: string, prefix: string): AsyncGenerator<StoredObject> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        ...omitUndefined({ ContinuationToken: token }),
      }),
    );
    for (const object of page.Contents ?? []) yield toStoredObject(object);
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

interface ListedObject {
  readonly Key?: string | undefined;
  readonly Size?: number | undefined;
  readonly ETag?: string | undefined;
  readonly LastModified?: Date | undefined;
}

/** Times are rounded to seconds, because lists return milliseconds and single objects do not. */
function toStoredObject({ Key, Size, ETag, LastModified }: ListedObject): StoredObject {
  return {
    key: Key ?? '',
    bytes: Size ?? 0,
    modifiedAt: new Date(Math.floor((LastModified?.getTime() ?? 0) / 1_000) * 1_000),
    etag: (ETag ?? '').replaceAll('"', ''),
  };
}

interface PrefixCopy {
  readonly bucket: string;
  readonly from: string;
  readonly to: string;
  readonly maxCopyBytes: number | undefined;
}

async function copyAll(
  client: S3Client,
  { bucket, from, to, maxCopyBytes }: PrefixCopy,
  { includes = () => true, signal }: CopyManyOptions,
): Promise<number> {
  checkPrefix(to);
  let copiedCount = 0;
  await forEachConcurrently(listS3(client, bucket, checkPrefix(from)), async (source) => {
    signal?.throwIfAborted();
    if (!includes(basename(source.key))) return;
    const target = `${to}${source.key.slice(from.length)}`;
    await copyS3(client, { bucket, source, to: target, maxCopyBytes }).catch((error: unknown) => {
      throw toStorageError(error, target);
    });
    copiedCount += 1;
  });
  return copiedCount;
}

/** Deletes objects with one request each, because S3-compatible services differ most in DeleteObjects. */
async function deleteAll(client: S3Client, bucket: string, prefix: string): Promise<void> {
  await forEachConcurrently(listS3(client, bucket, prefix), async ({ key }) => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  });
}

/**
 * Runs `work` for all items with limited concurrency. After a failure no work starts, and it is thrown when all work has
 * ended, so that a caller that tries again has the objects to itself.
 */
async function forEachConcurrently(
  objects: AsyncGenerator<StoredObject>,
  work: (object: StoredObject) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const runWorker = async () => {
    try {
      for (;;) {
        const result = await objects.next();
        if (result.done || failures.length > 0) return;
        await work(result.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runWorker));
  if (failures.length > 0) throw failures[0];
}
