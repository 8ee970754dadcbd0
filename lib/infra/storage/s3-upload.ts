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
import { omitUndefined } from '@/lib/core/omit-undefined';

const MIB = 1024 ** 2;
/** Maximum parts of a multipart upload. */
const MAX_PARTS = 10_000;
/** Number of concurrent multipart uploads, each with a few parts in memory; further ones wait. */
const MAX_CONCURRENT_UPLOADS = 3;

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
 * Creates a function that uploads objects atomically: S3 shows a multipart upload only when it is completed. At most three
 * objects are uploaded concurrently, a few parts of each at a time, so memory use is limited.
 * @param partBytes fixed part size for services with a lower limit; by default the part size follows the size of the object
 */
export function createS3Uploads(client: S3Client, partBytes?: number) {
  const waitingResolvers: (() => void)[] = [];
  let runningCount = 0;
  const acquireSlot = async () => {
    if (runningCount >= MAX_CONCURRENT_UPLOADS)
      await new Promise<void>((resolve) => waitingResolvers.push(resolve));
    else runningCount += 1;
  };
  /** Passes the slot to the upload that has waited longest. */
  const releaseSlot = () => {
    const resolveNext = waitingResolvers.shift();
    if (resolveNext) resolveNext();
    else runningCount -= 1;
  };

  return async function put(object: S3Object, { body, bytes, signal }: S3Body): Promise<void> {
    const params = {
      Bucket: object.bucket,
      Key: object.key,
      ...omitUndefined({ ContentType: object.contentType }),
    };
    if (!(body instanceof Readable)) {
      await client.send(
        new PutObjectCommand({ ...params, Body: body }),
        signal ? { abortSignal: signal } : {},
      );
      return;
    }
    await acquireSlot();
    try {
      signal?.throwIfAborted();
      await uploadInParts(client, { ...params, Body: body }, { bytes, signal, partBytes });
    } finally {
      // Destroying the body notifies its source that reading has stopped.
      body.destroy();
      releaseSlot();
    }
  };
}

async function uploadInParts(
  client: S3Client,
  params: { Bucket: string; Key: string; Body: Readable },
  { bytes, signal, partBytes }: Pick<S3Body, 'bytes' | 'signal'> & { readonly partBytes: number | undefined },
): Promise<void> {
  const abortController = new AbortController();
  const upload = new Upload({
    client,
    params,
    abortController,
    // Number of parts in memory. Parts of unknown length are larger.
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

/**
 * Part size in bytes. Parts of 16 MiB suffice for 156 GiB of unknown length; a known length is divided with a reserve of 10 %,
 * so that rounding never needs more parts than S3 allows.
 */
function partSizeFor(bytes: number | undefined): number {
  return bytes === undefined ? 16 * MIB : Math.max(8 * MIB, Math.ceil((bytes * 1.1) / MAX_PARTS));
}

/** Maximum bytes of a CopyObject request that this file uses; S3 allows 5 GB. */
const MAX_SINGLE_COPY_BYTES = 4 * 1024 ** 3;

interface S3Copy {
  readonly bucket: string;
  readonly source: StoredObject;
  readonly to: string;
  /** Maximum bytes per copy request; default 4 GiB. */
  readonly maxCopyBytes?: number | undefined;
}

/** Copies an object inside the bucket, without downloading it. Keys contain no characters that need encoding. */
export async function copyS3(client: S3Client, copy: S3Copy): Promise<void> {
  const { bucket, source, to, maxCopyBytes = MAX_SINGLE_COPY_BYTES } = copy;
  const CopySource = `${bucket}/${source.key}`;
  if (source.bytes > maxCopyBytes) return copyInParts(client, { ...copy, maxCopyBytes });
  await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource }));
}

async function copyInParts(
  client: S3Client,
  { bucket, source, to, maxCopyBytes }: S3Copy & { readonly maxCopyBytes: number },
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
    // Uploads that cannot be aborted now are aborted by the daily sweep.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}
