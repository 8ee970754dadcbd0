import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { StoredObject } from './storage-driver';
import { defined } from '@/lib/core/defined';

const mib = 1024 ** 2;
/** A file of 10,000 parts is the largest there can be. */
const maxParts = 10_000;
/** Concurrent multipart uploads; each keeps a few parts in memory, the others wait. */
const maxConcurrent = 3;

interface S3Object {
  readonly bucket: string;
  readonly key: string;
  readonly contentType?: string | undefined;
}

interface S3Body {
  readonly body: Readable | Buffer;
  /** Size if known. Larger files need larger parts. */
  readonly bytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts objects: they appear complete or not at all, because S3 shows an upload in parts only when it is completed. What
 * is held in memory does not depend on how large they are or how many are put.
 * @param partBytes of every part, where a service takes no larger ones; otherwise what suits the size
 */
export function createS3Uploads(client: S3Client, partBytes?: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = async () => {
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  };
  /** Gives the slot to the longest waiter. */
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return async function put(object: S3Object, { body, bytes, signal }: S3Body): Promise<void> {
    const params = {
      Bucket: object.bucket,
      Key: object.key,
      ...defined({ ContentType: object.contentType }),
    };
    if (!(body instanceof Readable)) {
      await client.send(
        new PutObjectCommand({ ...params, Body: body }),
        signal ? { abortSignal: signal } : {},
      );
      return;
    }
    await begin();
    try {
      signal?.throwIfAborted();
      await inParts(client, { ...params, Body: body }, { bytes, signal, partBytes });
    } finally {
      // The source must notice that reading has stopped.
      body.destroy();
      end();
    }
  };
}

async function inParts(
  client: S3Client,
  params: { Bucket: string; Key: string; Body: Readable },
  { bytes, signal, partBytes }: Pick<S3Body, 'bytes' | 'signal'> & { readonly partBytes: number | undefined },
): Promise<void> {
  const abortController = new AbortController();
  const upload = new Upload({
    client,
    params,
    abortController,
    queueSize: bytes === undefined ? 1 : 2,
    partSize: partBytes ?? partSizeFor(bytes),
  });
  const abort = () => abortController.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await upload.done();
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function partSizeFor(bytes: number | undefined): number {
  return bytes === undefined ? 16 * mib : Math.max(8 * mib, Math.ceil((bytes * 1.1) / maxParts));
}

/** Size limit of a single CopyObject request. */
const maxSingleCopyBytes = 4 * 1024 ** 3;

interface Copy {
  readonly bucket: string;
  readonly source: StoredObject;
  readonly to: string;
  /** Bytes that one request copies; 4 GiB when left out. */
  readonly maxCopyBytes?: number | undefined;
}

/** Copies an object inside the bucket, without its bytes coming here. A key holds nothing that must be encoded. */
export async function copyS3(client: S3Client, copy: Copy): Promise<void> {
  const { bucket, source, to, maxCopyBytes = maxSingleCopyBytes } = copy;
  const CopySource = `${bucket}/${source.key}`;
  if (source.bytes > maxCopyBytes) return copyInParts(client, { ...copy, maxCopyBytes });
  await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource }));
}

async function copyInParts(
  client: S3Client,
  { bucket, source, to, maxCopyBytes }: Copy & { readonly maxCopyBytes: number },
): Promise<void> {
  const target = { Bucket: bucket, Key: to };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  try {
    const parts: { ETag?: string; PartNumber: number }[] = [];
    for (let start = 0; start < source.bytes; start += maxCopyBytes) {
      const PartNumber = parts.length + 1;
      const end = Math.min(start + maxCopyBytes, source.bytes) - 1;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          ...target,
          UploadId,
          PartNumber,
          CopySource: `${bucket}/${source.key}`,
          CopySourceRange: `bytes=${start}-${end}`,
        }),
      );
      parts.push({ PartNumber, ...(CopyPartResult?.ETag ? { ETag: CopyPartResult.ETag } : {}) });
    }
    await client.send(
      new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }),
    );
  } catch (error) {
    // Uploads that cannot be aborted now are found by the daily sweep.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}
