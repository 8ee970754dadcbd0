import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings';
import { StorageError } from './storage-driver';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Maximum connections. A viewer of a large file holds one while the file is read. */
const MAX_SOCKETS = 1_000;
/** Maximum attempts per request, with increasing delays. */
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** Time without traffic after which a connection is closed. */
const IDLE_TIMEOUT_MS = 30_000;

/** Opens an S3 client, which retries requests whose body can be sent again. */
export function openS3Client(settings: S3Settings): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    region,
    ...omitUndefined({ endpoint }),
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Many S3-compatible services reject the newer checksums, and send none.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** HTTP status of an S3 error; undefined for other failures, such as a broken connection. */
export function s3StatusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  // Responses of proxies have a status but no S3 XML in their body.
  return (error.$metadata as S3ServiceException['$metadata'] | undefined)?.httpStatusCode;
}

/** Whether an object or multipart upload is missing. A missing bucket is an error of the settings instead. */
export function isMissing(error: unknown): boolean {
  return s3StatusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket');
}

/**
 * Converts S3 errors to StorageErrors. Services report a full storage with the status 507, or with another status and an
 * error code like `QuotaExceeded` or `StorageFull`.
 */
export function toStorageError(error: unknown, key: string): unknown {
  const status = s3StatusOf(error);
  const isFull = status === 507 || (status !== undefined && /quota|full/i.test((error as Error).name));
  if (isFull) return new StorageError('full', key);
  return isMissing(error) ? new StorageError('missing', key) : error;
}

/**
 * Aborts multipart uploads that dead processes left behind, because they are invisible but billed.
 * @returns their number; 0 if the service does not list them
 */
export async function abortOldMultipartUploads(
  client: S3Client,
  bucket: string,
  olderThan: Date,
): Promise<number> {
  let deletedCount = 0;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker) {
    const page = await listUploads(client, bucket, marker);
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated || Initiated >= olderThan) continue;
      await abortUpload(client, { Bucket: bucket, Key, UploadId });
      deletedCount += 1;
    }
    marker = page?.IsTruncated
      ? {
          ...(page.NextKeyMarker ? { KeyMarker: page.NextKeyMarker } : {}),
          ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
        }
      : null;
  }
  return deletedCount;
}

async function listUploads(client: S3Client, bucket: string, marker: object) {
  try {
    return await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...marker }));
  } catch (error) {
    // 501: the service does not implement this request.
    if (s3StatusOf(error) === 501) return null;
    throw error;
  }
}

async function abortUpload(
  client: S3Client,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
